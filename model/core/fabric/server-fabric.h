/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SERVER_FABRIC_H
#define AIDC_SERVER_FABRIC_H

#include "fabric-plan.h"
#include "server-plan.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * Fabrics of servers, by the rules of SimAI's generator of topologies (aliyun/SimAI,
 * inputs/topo/gen_Topo_Template.py).
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Options of MakeServerFabric(). Defaults: those of SimAI's generator with `--ro`.
struct ServerFabricSettings
{
    uint32_t gpus{32};           //!< GPUs, whole servers
    uint32_t gpusPerServer{8};   //!< GPUs of a server, at least 1
    bool isRailOptimized{true};  //!< whether GPUs of a server have a leaf each, not all the same
    bool isDualHomed{false};     //!< whether each GPU has links to two leaves
    bool isDualPlane{false};     //!< whether the two leaves are of two planes with their own spines
    uint32_t gpusPerLeaf{64};    //!< most GPUs with a link to one leaf, at least 1
    uint32_t spines{64};         //!< spines of all planes, at least 1
    uint32_t leavesPerSpine{64}; //!< most leaves with a link to one spine
    uint64_t hostRate{400000000000};  //!< bit/s of each of a GPU's links to leaves
    uint64_t spineRate{400000000000}; //!< bit/s of a link of leaf and spine
    int64_t delay{500};               //!< ns of all links of the fabric
    ScaleUpLink scaleUp;              //!< the link of a GPU to the scale-up switch
};

/// @ingroup aidc
/// @brief A fabric and its servers.
struct ServerFabric
{
    FabricPlan fabric;  //!< the fabric, whose hosts are GPUs
    ServerPlan servers; //!< the servers
};

/**
 * @ingroup aidc
 * @brief Make servers and their fabric of leaves and spines.
 *
 * Hosts come first, and host i is GPU i. Leaves and spines follow; of dual-homed GPUs, first leaves
 * come before second ones, and of two planes, spines of the first one before those of the second.
 *
 * - Rail-optimized: gpusPerLeaf servers are a segment. GPU r of each of its servers has a link to
 *   leaf r of the segment.
 * - Otherwise, gpusPerLeaf consecutive GPUs have a link to the same leaf.
 * - Dual-homed: each leaf has a second one, to which its GPUs have a second link.
 * - Each leaf has a link to each spine (with two planes, of its plane).
 *
 * A segment may be incomplete. There is one pod: leavesPerSpine limits its size.
 *
 * @param settings the settings
 * @return the fabric, finished, and the servers
 * @throws std::invalid_argument if a setting is out of range
 */
ServerFabric MakeServerFabric(const ServerFabricSettings& settings);

/// @ingroup aidc
/// @return the names of SimAI's templates of fabrics, for GetServerFabricTemplate(): spectrum-x
///         (rail-optimized), hpn (Alibaba HPN: dual-homed rails), hpn-dual-plane, dcn+ (leaves of
///         consecutive GPUs), dcn+-dual-homed
std::vector<std::string> GetServerFabricTemplates();

/// @ingroup aidc
/// @param name the name of a template
/// @return its settings
/// @throws std::invalid_argument if there is no such template
ServerFabricSettings GetServerFabricTemplate(const std::string& name);

} // namespace ns3::aidc

#endif // AIDC_SERVER_FABRIC_H
