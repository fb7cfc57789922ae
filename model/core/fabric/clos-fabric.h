// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CLOS_FABRIC_H
#define AIDC_CLOS_FABRIC_H

#include "fabric-plan.h"

#include <cstdint>

/// @file
/// Makers of fabrics: folded Clos networks of three and five stages, and fat-trees.
///
/// They number hosts first, then leaves, spines and super-spines, and links in the order of their
/// lower ends, so that a leaf's first ports lead to its hosts. Each host has links to leavesPerHost
/// consecutive leaves, from port i to leaf i of these. With 2 leaves, hosts are dual-homed. With
/// more, the leaves are rails, and a host has a network interface for each rail. These leaves share
/// their hosts: hostsPerLeaf is the number of hosts of each of these leaves, and of all of them
/// together.

namespace ns3::aidc
{

/// Options of MakeLeafSpine(). Defaults: 64 hosts at 100 Gbit/s, not oversubscribed.
struct LeafSpineSettings
{
    uint32_t leaves{4};                   //!< leaves, at least 1
    uint32_t spines{4};                   //!< spines, at least 1
    uint32_t hostsPerLeaf{16};            //!< hosts of each leaf, at least 1
    uint32_t leavesPerHost{1};            //!< leaves of each host, a divisor of leaves
    uint32_t parallelLinks{1};            //!< links between a leaf and a spine, at least 1
    uint64_t hostRate{100000000000};      //!< bit/s of each of a host's links
    uint64_t leafSpineRate{400000000000}; //!< bit/s of a link of leaf and spine
    double overSubscription{0};           //!< of leaves; if above 0, leafSpineRate follows from it
    int64_t hostDelay{1000};              //!< ns of a host's link
    int64_t leafSpineDelay{1000};         //!< ns of a link of leaf and spine
};

/// Options of MakeClos5(). Defaults: a fat-tree of k = 4 at 100 Gbit/s.
struct ClosSettings
{
    uint32_t pods{4};                           //!< pods, at least 1
    uint32_t leavesPerPod{2};                   //!< leaves of a pod, at least 1
    uint32_t hostsPerLeaf{2};                   //!< hosts of each leaf, at least 1
    uint32_t leavesPerHost{1};                  //!< leaves of each host, a divisor of leavesPerPod
    uint32_t spinesPerPod{2};                   //!< spines of a pod = planes, at least 1
    uint32_t superSpinesPerPlane{2};            //!< super-spines of each plane, at least 1
    uint32_t parallelLinks{1};                  //!< links between a leaf and a spine, at least 1
    uint64_t hostRate{100000000000};            //!< bit/s of each of a host's links
    uint64_t leafSpineRate{100000000000};       //!< bit/s of a link of leaf and spine
    uint64_t spineSuperSpineRate{100000000000}; //!< bit/s of a link of spine and super-spine
    double leafOverSubscription{0};             //!< if above 0, leafSpineRate follows from it
    double spineOverSubscription{0};            //!< if above 0, spineSuperSpineRate follows from it
    int64_t hostDelay{1000};                    //!< ns of a host's link
    int64_t leafSpineDelay{1000};               //!< ns of a link of leaf and spine
    int64_t spineSuperSpineDelay{1000};         //!< ns of a link of spine and super-spine
};

/// Make a folded Clos network of three stages: every leaf has links to every spine.
///
/// An over-subscription of r gives each uplink of a leaf the rate (hosts * hostRate) / (uplinks *
/// r), to the nearest bit/s.
///
/// @param settings the settings
/// @return the fabric, finished
/// @throws std::invalid_argument if a setting is out of range
FabricPlan MakeLeafSpine(const LeafSpineSettings& settings);

/// Make a folded Clos network of five stages: pods, and planes that connect them.
///
/// In a pod every leaf has links to every spine. Spine j of each pod has a link to every
/// super-spine of plane j, whose indices are j * superSpinesPerPlane and following. An
/// over-subscription of r gives each uplink of a switch the rate (rate of all its downlinks) /
/// (uplinks * r), to the nearest bit/s.
///
/// @param settings the settings
/// @return the fabric, finished
/// @throws std::invalid_argument if a setting is out of range
FabricPlan MakeClos5(const ClosSettings& settings);

/// Make the fat-tree of switches with k ports of Al-Fares et al. (SIGCOMM 2008, section 2.2).
///
/// It has k pods of k/2 leaves and k/2 spines, (k/2)^2 super-spines, and k/2 hosts at each leaf,
/// that is k^3/4 hosts.
/// @param k ports of a switch, even, from 2 to 128
/// @param rate bit/s of all links
/// @param delay ns of all links
/// @return the fabric, finished
/// @throws std::invalid_argument if a value is out of range
FabricPlan MakeFatTree(uint32_t k, uint64_t rate, int64_t delay);

} // namespace ns3::aidc

#endif // AIDC_CLOS_FABRIC_H
