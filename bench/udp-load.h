// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_UDP_LOAD_H
#define AIDC_UDP_LOAD_H

#include "ns3/abort.h"
#include "ns3/fabric-plan.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * @brief A load whose packets all cross the top tier of a fabric, and wait nowhere.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Choose for each host one in another pod to send to, so that each host receives from one.
 * @param fabric a fabric of at least two pods, with the same number of hosts each
 * @param seed of the choice
 * @return for each host, in the order of FabricPlan::GetHosts(), the one that it sends to
 */
inline std::vector<NodeIndex>
ChoosePartners(const FabricPlan& fabric, uint32_t seed)
{
    std::mt19937 random(seed);
    const uint32_t nPods = fabric.GetNPods();
    NS_ABORT_MSG_IF(nPods < 2, "Expected at least 2 pods, found " << nPods);
    // The places of hosts in a pod, for sending and for receiving.
    std::vector<std::vector<uint32_t>> senders(nPods);
    for (uint32_t i = 0; i < fabric.GetHosts().size(); ++i)
    {
        senders[fabric.GetNode(fabric.GetHosts()[i]).pod].push_back(i);
    }
    auto receivers = senders;
    for (uint32_t pod = 0; pod < nPods; ++pod)
    {
        std::shuffle(senders[pod].begin(), senders[pod].end(), random);
        std::shuffle(receivers[pod].begin(), receivers[pod].end(), random);
    }
    // Place j of a pod sends to place j of the pod 1 + j mod (pods - 1) farther on.
    std::vector<NodeIndex> partners(fabric.GetHosts().size());
    for (uint32_t pod = 0; pod < nPods; ++pod)
    {
        for (uint32_t j = 0; j < senders[pod].size(); ++j)
        {
            const uint32_t other = (pod + 1 + j % (nPods - 1)) % nPods;
            partners[senders[pod][j]] = fabric.GetHosts()[receivers[other].at(j)];
        }
    }
    return partners;
}

/**
 * @ingroup aidc
 * @brief Who sends to whom.
 */
struct UdpPattern
{
    /// For each host, in the order of FabricPlan::GetHosts(), the receivers of its messages: one
    /// after the other, then from the beginning again.
    std::vector<std::vector<NodeIndex>> receivers;
    uint32_t messageSize{1}; //!< packets of a message
};

/**
 * @ingroup aidc
 * @brief Let each host send all packets to one in another pod, and receive from one.
 * @param fabric a fabric as ChoosePartners() expects it
 * @param seed of the choice
 * @return who sends to whom
 */
inline UdpPattern
MakePermutation(const FabricPlan& fabric, uint32_t seed)
{
    UdpPattern pattern;
    for (const NodeIndex partner : ChoosePartners(fabric, seed))
    {
        pattern.receivers.push_back({partner});
    }
    return pattern;
}

/**
 * @ingroup aidc
 * @brief Let each host send each message to another host in another pod, drawn at random.
 * @param fabric a fabric of at least two pods
 * @param messageSize packets of a message
 * @param seed of the choice
 * @return who sends to whom
 */
inline UdpPattern
MakeMessages(const FabricPlan& fabric, uint32_t messageSize, uint32_t seed)
{
    constexpr uint32_t N_MESSAGES = 256; // more than the hosts of large networks send
    NS_ABORT_MSG_IF(fabric.GetNPods() < 2, "Expected at least 2 pods");
    NS_ABORT_MSG_IF(messageSize == 0, "Expected messages of at least 1 packet");
    std::mt19937 random(seed);
    const auto& hosts = fabric.GetHosts();
    UdpPattern pattern;
    pattern.messageSize = messageSize;
    for (const NodeIndex host : hosts)
    {
        std::vector<NodeIndex> receivers;
        while (receivers.size() < N_MESSAGES)
        {
            const NodeIndex receiver = hosts[random() % hosts.size()];
            if (fabric.GetNode(receiver).pod != fabric.GetNode(host).pod)
            {
                receivers.push_back(receiver);
            }
        }
        pattern.receivers.push_back(receivers);
    }
    return pattern;
}

/**
 * @ingroup aidc
 * @brief A host that sends messages of datagrams to others at a constant rate, and receives.
 *
 * It has one socket for all.
 */
class UdpHost
{
  public:
    /// Bytes of a datagram's payload.
    static constexpr uint32_t PAYLOAD = 1000;

    /**
     * @brief Constructor.
     * @param node the host
     * @param receivers the addresses that its messages go to, one after the other, over and over
     * @param messageSize datagrams of a message
     * @param sent how many of the first message it is thought to have sent before
     * @param phase when it sends first
     * @param gap the time from one datagram to the next
     */
    UdpHost(Ptr<Node> node,
            std::vector<Ipv4Address> receivers,
            uint32_t messageSize,
            uint32_t sent,
            Time phase,
            Time gap)
        : m_socket(Socket::CreateSocket(node, UdpSocketFactory::GetTypeId())),
          m_receivers(std::move(receivers)),
          m_messageSize(messageSize),
          m_sent(sent),
          m_gap(gap)
    {
        m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_socket->SetRecvCallback(MakeCallback(&UdpHost::Receive, this));
        Simulator::ScheduleWithContext(node->GetId(), phase, [this] { Send(); });
    }

    /**
     * @brief Get the datagrams that have arrived.
     * @return the number
     */
    uint64_t GetReceived() const
    {
        return m_received;
    }

  private:
    /// The port of all hosts.
    static constexpr uint16_t PORT = 9;

    /// Send a datagram, and schedule the next one.
    void Send()
    {
        const InetSocketAddress to(m_receivers[m_message], PORT);
        m_socket->SendTo(Create<Packet>(PAYLOAD), 0, to);
        if (++m_sent == m_messageSize)
        {
            m_sent = 0;
            m_message = m_message + 1 < m_receivers.size() ? m_message + 1 : 0;
        }
        Simulator::Schedule(m_gap, [this] { Send(); });
    }

    /// Take what has arrived.
    void Receive(Ptr<Socket> socket)
    {
        while (socket->Recv())
        {
            ++m_received;
        }
    }

    Ptr<Socket> m_socket;                 //!< sends and receives
    std::vector<Ipv4Address> m_receivers; //!< where messages go
    std::size_t m_message{0};             //!< which of them the present one goes to
    uint32_t m_messageSize;               //!< datagrams of a message
    uint32_t m_sent;                      //!< datagrams of the present one that were sent
    Time m_gap;                           //!< the time from one datagram to the next
    uint64_t m_received{0};               //!< the datagrams that have arrived
};

/**
 * @ingroup aidc
 * @brief All hosts of a network send at the same rate, to hosts in other pods.
 *
 * A packet has 6 links to cross in a fat-tree. Hosts begin at random within the time from one
 * datagram to the next, and anywhere in a message.
 */
class UdpLoad
{
  public:
    /// Bytes of a packet on a link: with the headers of UDP, IPv4 and PPP.
    static constexpr uint32_t PACKET = UdpHost::PAYLOAD + 8 + 20 + 2;

    /**
     * @brief Constructor.
     * @tparam Network a FabricHelper or PlainNetwork
     * @tparam IsLocal a callable that tells of a node's id whether this process simulates it
     * @param fabric the plan
     * @param network its network, with addresses
     * @param pattern who sends to whom
     * @param load the share of a host's link that it uses, from 0 to 1
     * @param isLocal whether this process has a host
     */
    template <typename Network, typename IsLocal>
    UdpLoad(const FabricPlan& fabric,
            const Network& network,
            const UdpPattern& pattern,
            double load,
            IsLocal&& isLocal)
    {
        const auto& hosts = fabric.GetHosts();
        std::mt19937 random(2);
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            const auto rate = fabric.GetLinks()[fabric.GetPorts(hosts[i]).front().link].rate;
            const double gap = PACKET * 8e9 / (static_cast<double>(rate) * load);
            const double phase = gap * random() / std::mt19937::max();
            const auto sent = static_cast<uint32_t>(random() % pattern.messageSize);
            if (isLocal(hosts[i]))
            {
                std::vector<Ipv4Address> receivers;
                for (const NodeIndex receiver : pattern.receivers[i])
                {
                    receivers.push_back(network.GetAddress(receiver));
                }
                m_hosts.push_back(
                    std::make_unique<UdpHost>(network.GetNode(hosts[i]),
                                              std::move(receivers),
                                              pattern.messageSize,
                                              sent,
                                              NanoSeconds(static_cast<int64_t>(phase)),
                                              NanoSeconds(static_cast<int64_t>(gap))));
            }
        }
    }

    /**
     * @brief Get the datagrams that have arrived.
     * @return the number, of this process's hosts
     */
    uint64_t GetReceived() const
    {
        uint64_t received = 0;
        for (const auto& host : m_hosts)
        {
            received += host->GetReceived();
        }
        return received;
    }

  private:
    std::vector<std::unique_ptr<UdpHost>> m_hosts; //!< this process's hosts
};

} // namespace ns3::aidc

#endif // AIDC_UDP_LOAD_H
