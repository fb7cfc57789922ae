// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FRAME_LOAD_H
#define AIDC_FRAME_LOAD_H

#include "udp-load.h"

#include "ns3/fabric-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/net-device.h"
#include "ns3/protocol-numbers.h"
#include "ns3/udp-header.h"
#include "ns3/udp-l4-protocol.h"

/**
 * @file
 * @ingroup aidc
 * @brief The load of UdpLoad by hosts without protocol stacks, as traffic generators are.
 *
 * Then the switches are measured: a host of ns-3 takes as long for a packet as several switches.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A host that hands datagrams to its port at a constant rate, and counts what arrives there.
 */
class FrameHost
{
  public:
    /**
     * @brief Constructor.
     * @param device the port
     * @param source the host's address
     * @param destination where its datagrams go
     * @param phase when it sends first
     * @param gap the time from one datagram to the next
     */
    FrameHost(Ptr<NetDevice> device,
              Ipv4Address source,
              Ipv4Address destination,
              Time phase,
              Time gap)
        : m_device(device),
          m_datagram(Create<Packet>(UdpHost::PAYLOAD)),
          m_gap(gap)
    {
        UdpHeader udp;
        udp.SetSourcePort(PORT);
        udp.SetDestinationPort(PORT);
        m_datagram->AddHeader(udp);
        Ipv4Header ip;
        ip.SetSource(source);
        ip.SetDestination(destination);
        ip.SetProtocol(UdpL4Protocol::PROT_NUMBER);
        ip.SetTtl(64);
        ip.SetPayloadSize(m_datagram->GetSize());
        m_datagram->AddHeader(ip);
        device->SetReceiveCallback(MakeCallback(&FrameHost::Receive, this));
        device->SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback());
        Simulator::ScheduleWithContext(device->GetNode()->GetId(), phase, [this] { Send(); });
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
    static constexpr uint16_t PORT = 9; //!< the UDP port of all hosts

    /// Send a datagram, and schedule the next one.
    void Send()
    {
        m_device->Send(m_datagram->Copy(), m_device->GetBroadcast(), ETHERTYPE_IPV4);
        Simulator::Schedule(m_gap, [this] { Send(); });
    }

    /// Count a datagram. @return true: it was taken
    bool Receive(Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&)
    {
        ++m_received;
        return true;
    }

    Ptr<NetDevice> m_device; //!< the port
    Ptr<Packet> m_datagram;  //!< what it sends over and over
    Time m_gap;              //!< the time from one datagram to the next
    uint64_t m_received{0};  //!< the datagrams that have arrived
};

/**
 * @ingroup aidc
 * @brief All hosts of a network send at the same rate, each to one in another pod.
 */
class FrameLoad
{
  public:
    /**
     * @brief Constructor.
     * @param fabric the plan
     * @param network its network, with addresses
     * @param load the share of a host's link that it uses, from 0 to 1
     */
    FrameLoad(const FabricPlan& fabric, const FabricHelper& network, double load)
    {
        const auto& hosts = fabric.GetHosts();
        const auto partners = ChoosePartners(fabric, 1);
        std::mt19937 random(2);
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            const auto rate = fabric.GetLinks()[fabric.GetPorts(hosts[i]).front().link].rate;
            const double gap = UdpLoad::PACKET * 8e9 / (static_cast<double>(rate) * load);
            const double phase = gap * random() / std::mt19937::max();
            if (!network.IsLocal(hosts[i]))
            {
                continue;
            }
            m_hosts.push_back(std::make_unique<FrameHost>(network.GetHostDevice(hosts[i]),
                                                          network.GetAddress(hosts[i]),
                                                          network.GetAddress(partners[i]),
                                                          NanoSeconds(static_cast<int64_t>(phase)),
                                                          NanoSeconds(static_cast<int64_t>(gap))));
        }
    }

    /**
     * @brief Get the datagrams that have arrived.
     * @return the number
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
    std::vector<std::unique_ptr<FrameHost>> m_hosts; //!< the hosts
};

} // namespace ns3::aidc

#endif // AIDC_FRAME_LOAD_H
