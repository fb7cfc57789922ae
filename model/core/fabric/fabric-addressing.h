/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_ADDRESSING_H
#define AIDC_FABRIC_ADDRESSING_H

#include <cstdint>

namespace ns3::aidc
{

/// An IPv4 prefix.
struct FabricPrefix
{
    uint32_t network{0}; //!< the network, in host byte order
    uint8_t length{0};   //!< the number of its leading bits that count, 0 to 32
};

/// The networks of the addresses of a FabricPlan. Connected fabrics of one simulation need
/// different networks.
struct FabricNetworks
{
    FabricPrefix leaves{0x0a000000, 8};  //!< of leaves and hosts, at most 24 bits long
    FabricPrefix spines{0xac100000, 12}; //!< of spines and super-spines, at most 30 bits long
};

/**
 * @brief Computes the addresses of a FabricPlan from the numbers of its nodes.
 *
 * Addresses are regular, so that routes can be aggregated (compare section 3.2 of Al-Fares et al.,
 * "A scalable, commodity data center network architecture", SIGCOMM 2008):
 *
 *     10.0.0.0/8   00001010 | pod | leaf in the pod | host at the leaf
 *
 * If pods are groups of leaves, each part has 8 bits, 10.pod.leaf.host. If each leaf is a pod, the
 * pod has 16 bits and the leaf none, 10.pod.pod.host. If this does not fit, pods and leaves have as
 * few bits as they need, and the host has the rest. In the prefix of a leaf, the first address is
 * the leaf's own, its hosts follow, and the address with all host bits set is not used. Spines and
 * super-spines have the addresses from 172.16.0.1 on.
 *
 * The same holds in other networks: a host has 8 bits, and pods and leaves share the others.
 */
class FabricAddressing
{
  public:
    /// The numbers of the nodes to be addressed.
    struct Sizes
    {
        uint32_t nPods{1};       //!< pods, at least 1
        uint32_t nLeaves{1};     //!< leaves of the largest pod, at least 1
        uint32_t nHosts{0};      //!< hosts of the leaf that has most
        uint32_t nSpines{0};     //!< spines and super-spines
        bool isLeafAPod{false};  //!< whether each leaf is a pod of its own
        FabricNetworks networks; //!< the networks of the addresses
    };

    /// Constructor of an addressing for one leaf.
    FabricAddressing() = default;

    /// Constructor. @param sizes the numbers of nodes @throws std::invalid_argument if a network is
    /// no prefix or too long, or there are not enough addresses
    explicit FabricAddressing(const Sizes& sizes);

    /// @return the prefix of all leaves of the pod
    FabricPrefix GetPodPrefix(uint32_t pod) const;

    /// Get the prefix of a leaf and its hosts. leaf: the leaf in the pod; 0 where each leaf is a
    /// pod.
    FabricPrefix GetLeafPrefix(uint32_t pod, uint32_t leaf) const;

    /// Get the address of a spine or super-spine. @param number its number among all of them, from
    /// 0 @return the address, in host byte order
    uint32_t GetSpineAddress(uint32_t number) const
    {
        return m_networks.spines.network + 1 + number;
    }

  private:
    FabricNetworks m_networks; //!< the networks of the addresses
    uint32_t m_podBits{16};    //!< bits that number the pod
    uint32_t m_leafBits{0};    //!< bits that number the leaf in its pod
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ADDRESSING_H
