// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FAILURE_PROBE_H
#define AIDC_FAILURE_PROBE_H

#include "ns3/fabric-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/process-gather.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// The port that receives: of the discard protocol (RFC 863).
constexpr uint16_t PORT = 9;
/// The sockets of a host.
constexpr uint32_t N_SOCKETS = 64;
/// The first port for sockets that send: the first dynamic one (RFC 6335).
constexpr uint32_t FIRST_PORT = 49152;
/// The number of dynamic ports (RFC 6335).
constexpr uint32_t N_PORTS = 16384;
/// The time to the next packet is the time since the last moment over this.
constexpr int64_t RESOLUTION = 200;

} // namespace

/// The packets that FailureProbe has found lost in a period.
struct ProbeLoss
{
    double packets{0}; //!< lost, of hosts that send a packet each interval
    Time end;          //!< until when packets were lost; zero if none was
};

/// Traffic that tells when packets get lost, and how many.
///
/// Each packet goes from one of a host's sockets to a host at another leaf, both drawn at random.
/// It stands for all packets that its host would send until the next one, at one packet an
/// interval.
///
/// From LEAD before each moment of change, hosts send at this interval. Later, the time to the next
/// packet is a share of the time since the last moment. So times of microseconds and of seconds are
/// both measured to a fraction of a percent, with some thousands of packets.
class FailureProbe
{
  public:
    /// How long before a moment packets are sent at each interval: longer than they take.
    static constexpr int64_t LEAD = 50'000; // ns

    /// Constructor. network: with addresses; interval: between packets of a host; moments: when
    /// routes change, ascending and not empty, from the first of which hosts send; end: until when;
    /// stream: the first stream of random variables, of which there is one for each host.
    FailureProbe(const FabricHelper& network,
                 Time interval,
                 const std::vector<Time>& moments,
                 Time end,
                 int64_t stream)
        : m_interval(interval),
          m_moments(moments),
          m_end(end)
    {
        const FabricPlan& fabric = network.GetFabric();
        const auto& hosts = fabric.GetHosts();
        m_sources.resize(hosts.size());
        for (uint32_t i = 0; i < hosts.size(); ++i)
        {
            if (!network.IsLocal(hosts[i]))
            {
                continue;
            }
            Source& source = m_sources[i];
            const auto node = network.GetNode(hosts[i]);
            source.uniform = CreateObject<UniformRandomVariable>();
            source.uniform->SetStream(stream + i);
            source.sink = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
            source.sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
            source.sink->SetRecvCallback(MakeCallback(&FailureProbe::Receive, this));
            // With other ports in each run, hashes share the flows in other ways.
            const uint32_t port = FIRST_PORT + source.uniform->GetInteger(0, N_PORTS - N_SOCKETS);
            for (uint32_t j = 0; j < N_SOCKETS; ++j)
            {
                const auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
                socket->Bind(
                    InetSocketAddress(Ipv4Address::GetAny(), static_cast<uint16_t>(port + j)));
                source.sockets.push_back(socket);
            }
            for (const NodeIndex other : hosts)
            {
                if (fabric.GetLeaf(other) != fabric.GetLeaf(hosts[i]))
                {
                    source.destinations.push_back(network.GetAddress(other));
                }
            }
            source.next = m_moments.begin() + 1;
            // Hosts take turns.
            const Time start =
                m_moments.front() - NanoSeconds(LEAD) + m_interval * i / hosts.size();
            Simulator::ScheduleWithContext(node->GetId(), start - Simulator::Now(), [this, i] {
                Send(i);
            });
        }
    }

    FailureProbe(const FailureProbe&) = delete;
    FailureProbe& operator=(const FailureProbe&) = delete;

    /// Find out what has arrived. With several processes (MpiProcesses), each one calls it after
    /// the simulation.
    void Gather()
    {
        std::vector<PlacedItem<int64_t>> own;
        for (std::size_t i = 0; i < m_sources.size(); ++i)
        {
            for (const Record& record : m_sources[i].records)
            {
                own.push_back({i, record.sent.GetTimeStep()});
            }
            m_sources[i].records.clear();
        }
        for (const auto& [host, time] : GatherItems(own))
        {
            m_sources[host].records.push_back({TimeStep(time), false});
        }
        for (const auto& numbers : GatherItems(m_arrivals))
        {
            m_sources[numbers.host].records[numbers.packet].hasArrived = true;
        }
        m_arrivals.clear();
    }

    /// @return the packets that were sent
    std::size_t GetNSent() const
    {
        std::size_t n = 0;
        for (const Source& source : m_sources)
        {
            n += source.records.size();
        }
        return n;
    }

    /// @return what was lost of the packets sent from one time to another, when all have arrived
    ProbeLoss GetLoss(Time from, Time to) const
    {
        ProbeLoss loss;
        for (const Source& source : m_sources)
        {
            for (std::size_t i = 0; i < source.records.size(); ++i)
            {
                const Record& record = source.records[i];
                if (record.hasArrived || record.sent < from || record.sent >= to)
                {
                    continue;
                }
                const Time next =
                    i + 1 < source.records.size() ? source.records[i + 1].sent : m_end;
                loss.packets += (next - record.sent).GetSeconds() / m_interval.GetSeconds();
                loss.end = std::max(loss.end, next);
            }
        }
        return loss;
    }

  private:
    /// The numbers of a packet, which it carries.
    struct Numbers
    {
        uint32_t host;   //!< of its host
        uint32_t packet; //!< of its host's packets
    };

    /// A packet.
    struct Record
    {
        Time sent;              //!< when
        bool hasArrived{false}; //!< whether it has
    };

    /// A host.
    struct Source
    {
        Ptr<Socket> sink;                       //!< receives
        std::vector<Ptr<Socket>> sockets;       //!< each with a port of its own
        std::vector<Ipv4Address> destinations;  //!< of hosts at other leaves
        Ptr<UniformRandomVariable> uniform;     //!< draws socket and destination
        std::vector<Record> records;            //!< of its packets
        std::vector<Time>::const_iterator next; //!< the next moment
    };

    /// Send a packet, and schedule the next one. @param host the number of the host
    void Send(uint32_t host)
    {
        Source& source = m_sources[host];
        const Time now = Simulator::Now();
        const Numbers numbers{host, static_cast<uint32_t>(source.records.size())};
        source.records.push_back({now, false});
        const auto draw = [&source](std::size_t n) {
            return source.uniform->GetInteger(0, static_cast<uint32_t>(n - 1));
        };
        const auto& socket = source.sockets[draw(source.sockets.size())];
        const auto& destination = source.destinations[draw(source.destinations.size())];
        socket->SendTo(Create<Packet>(reinterpret_cast<const uint8_t*>(&numbers), sizeof(numbers)),
                       0,
                       InetSocketAddress(destination, PORT));
        const Time lead = NanoSeconds(LEAD);
        while (source.next != m_moments.end() && *source.next - lead <= now)
        {
            ++source.next;
        }
        Time next = now + std::max(m_interval, (now - *(source.next - 1)) / RESOLUTION);
        if (source.next != m_moments.end() && next > *source.next - lead)
        {
            // Hosts keep their turns.
            const Time turn = m_interval * host / m_sources.size();
            next = std::max(now + m_interval, *source.next - lead + turn);
        }
        if (next < m_end)
        {
            Simulator::Schedule(next - now, [this, host] { Send(host); });
        }
    }

    /// Note packets that have arrived.
    void Receive(Ptr<Socket> socket)
    {
        while (const auto packet = socket->Recv())
        {
            Numbers numbers{};
            packet->CopyData(reinterpret_cast<uint8_t*>(&numbers), sizeof(numbers));
            m_arrivals.push_back(numbers);
        }
    }

    Time m_interval;                 //!< between packets
    std::vector<Time> m_moments;     //!< of change
    Time m_end;                      //!< of sending
    std::vector<Source> m_sources;   //!< by host
    std::vector<Numbers> m_arrivals; //!< packets that have arrived at hosts of this process
};

} // namespace ns3::aidc

#endif // AIDC_FAILURE_PROBE_H
