/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MEASURED_COLLECTIVES_H
#define AIDC_MEASURED_COLLECTIVES_H

#include "ns3/nccl-settings.h"
#include "ns3/server-fabric.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief An all-reduce whose time a cluster has measured: a row of a file such as
 *        examples/data/measured/collectives.csv.
 */
struct MeasuredCollective
{
    std::string name; //!< of the row, TABLE-SIZE
    /// What the row is for: fitted, predicted, simulator (another one's result) or fault (of that
    /// cluster).
    std::string use;
    CollectiveScheduleSettings settings;         //!< what it is, with the costs that NCCL publishes
    NcclProtocol protocol{NcclProtocol::SIMPLE}; //!< how data is moved
    uint64_t adapter{0};                         //!< bit/s of a GPU's adapter
    uint64_t scaleUp{0};                         //!< bit/s of a GPU's link to the scale-up switch
    double seconds{0};                           //!< the time that was measured
    std::optional<uint64_t> post;                //!< fitted CollectiveCosts::post
    std::optional<uint64_t> between;             //!< fitted latency between servers, ns
    std::optional<uint64_t> rate;                //!< fitted rate of a channel, byte/us

    /// @param time seconds
    /// @return the bus bandwidth as NCCL's tests define it, byte/s
    double GetBusBandwidth(double time) const;

    /// @param costs none, nccl (as NCCL publishes them) or fitted (with those of the row)
    /// @return the collective with these costs
    CollectiveScheduleSettings MakeSettings(const std::string& costs) const;

    /// @return the servers, each of whose GPUs has an adapter on a rail of one switch
    ServerFabric MakeNetwork() const;
};

/// @ingroup aidc
/// @param name the file, as FindDataFile()
/// @return its rows
/// @throws AidcInputError if there is no such file, or a line is not as expected
std::vector<MeasuredCollective> ReadMeasuredCollectives(const std::string& name);

} // namespace ns3::aidc

#endif // AIDC_MEASURED_COLLECTIVES_H
