/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TOPOLOGY_FILE_HELPER_H
#define AIDC_TOPOLOGY_FILE_HELPER_H

#include "ns3/error-model.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/queue-size.h"
#include "ns3/topology-file.h"

#include <cstdint>
#include <map>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * Builds the network that a topology file describes.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Builds the network of a topology file: nodes, point-to-point links, IPv4, routes.
 *
 * It takes three steps, because what a switch does with its packets is not decided here:
 *
 * 1. Build() makes nodes, devices and protocol stacks;
 * 2. the user installs queue discs on the devices of GetSwitches(), with a SharedBufferSwitchHelper
 *    or ns-3's TrafficControlHelper. A device left without one has just its device queue;
 * 3. AssignAddresses() gives hosts their queue discs, and everyone addresses and routes.
 *
 * The topology has exactly one switch, and each host one link, to that switch. More switches need a
 * routing over several hops, which is not available yet.
 *
 * Link number i of the file, counted from 0, is the network 10.0.0.0 + 4 * i with a mask of 30
 * bits; the host has the first address and the switch the second one. Hosts have a default route to
 * the switch, which reaches them over its connected networks. There is no IPv6 stack. Hosts queue
 * in a FifoQueueDisc of a size that makes drops at a host improbable. An error rate becomes a
 * RateErrorModel with the unit packet at both ends of a link.
 *
 * TCP's settings are read when a stack is made: ConfigureDctcp() comes before Build().
 */
class TopologyFileHelper
{
  public:
    TopologyFileHelper();

    /**
     * @brief Set the MTU of all links.
     * @param mtu the MTU in bytes, at least 68 (RFC 791); 9000 by default
     * @throws InputError if the MTU is too small
     */
    void SetMtu(uint16_t mtu);

    /**
     * @brief Get the MTU of all links.
     * @return the MTU in bytes
     */
    uint16_t GetMtu() const;

    /**
     * @brief Set the size of a host's queue disc.
     * @param size the size, 100000 packets by default
     */
    void SetHostQueueSize(const QueueSize& size);

    /**
     * @brief Make nodes, links and protocol stacks.
     * @param topology the topology
     * @throws InputError if the topology is not one switch with hosts around it
     */
    void Build(const TopologyFile& topology);

    /**
     * @brief Install the hosts' queue discs, assign addresses and set routes.
     */
    void AssignAddresses();

    /**
     * @brief Assign fixed random variable streams to the error models.
     * @param stream the first stream to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @brief Get the topology.
     * @return the topology that was built
     */
    const TopologyFile& GetTopology() const;

    /**
     * @brief Get a node.
     * @param id its id in the topology
     * @return the node
     * @throws InputError if there is no such node
     */
    Ptr<Node> GetNode(uint32_t id) const;

    /**
     * @brief Get the hosts.
     * @return the hosts, by ascending id
     */
    NodeContainer GetHosts() const;

    /**
     * @brief Get the switches.
     * @return the switches, in the order of the file
     */
    NodeContainer GetSwitches() const;

    /**
     * @brief Get the address of a host.
     * @param id the id of the host
     * @return its address
     * @throws InputError if there is no such host
     */
    Ipv4Address GetAddress(uint32_t id) const;

    /**
     * @brief Get the device of a host.
     * @param id the id of the host
     * @return the device
     * @throws InputError if there is no such host
     */
    Ptr<NetDevice> GetHostDevice(uint32_t id) const;

    /**
     * @brief Get the port of the switch that faces a host.
     * @param id the id of the host
     * @return the switch's device
     * @throws InputError if there is no such host
     */
    Ptr<NetDevice> GetSwitchPort(uint32_t id) const;

    /**
     * @brief Get the link of a host.
     * @param id the id of the host
     * @return the link
     * @throws InputError if there is no such host
     */
    const TopologyLink& GetHostLink(uint32_t id) const;

  private:
    /**
     * @brief How a host is attached.
     */
    struct Attachment
    {
        uint32_t link{0};          //!< the index of the link
        Ptr<NetDevice> hostDevice; //!< the device of the host
        Ptr<NetDevice> switchPort; //!< the device of the switch
    };

    /**
     * @brief Find how a host is attached.
     * @param id the id of the host
     * @return how it is attached
     * @throws InputError if there is no such host
     */
    const Attachment& GetAttachment(uint32_t id) const;

    /**
     * @brief Check that the topology is one switch with hosts around it.
     * @param topology the topology
     */
    static void CheckStar(const TopologyFile& topology);

    uint16_t m_mtu{9000};                         //!< the MTU of all links
    QueueSize m_hostQueueSize;                    //!< the size of a host's queue disc
    TopologyFile m_topology;                      //!< the topology
    NodeContainer m_nodes;                        //!< all nodes, by id
    std::map<uint32_t, Attachment> m_attachments; //!< how each host is attached
    std::vector<Ptr<ErrorModel>> m_errorModels;   //!< the error models
};

} // namespace ns3::aidc

#endif // AIDC_TOPOLOGY_FILE_HELPER_H
