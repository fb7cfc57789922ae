// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_NIC_H
#define AIDC_ROCE_NIC_H

#include "../core/transport/roce-responder.h"
#include "../core/transport/roce-timeout.h"
#include "congestion-control.h"
#include "roce-nic-port.h"
#include "roce-nic-record.h"
#include "roce-queue-pair.h"

#include "ns3/ethernet-net-device.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/roce-work.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The timeouts of an adapter's queue pairs as users set them. Timeouts that are not set are
/// derived from the path.
struct RoceTimeoutSettings
{
    /// The names of attributes that the user was warned about.
    using Warned = std::set<std::string>;

    /// The value of ackTimeout that derives both timeouts from the path.
    static constexpr uint8_t DERIVED = 32;

    /// Make the timeouts of a queue pair. A warning is printed if the delay of the path may exceed
    /// a timeout that was set.
    /// @param recovery how lost packets are sent again
    /// @param connection the connection of the queue pair
    /// @param path the delays of the path
    /// @param ackDelay the time that the peer takes to answer
    /// @return the timeouts; none if there is no timer
    std::optional<RoceTimeout> Make(RoceSettings::Recovery recovery,
                                    const RoceConnection& connection,
                                    const RocePath& path,
                                    Time ackDelay) const;

    uint8_t ackTimeout{DERIVED};    //!< attribute AckTimeout
    int64_t lowTimeout{0};          //!< attribute LowTimeout, ns
    uint32_t lowPackets{3};         //!< attribute LowTimeoutPackets
    bool hasProbe{false};           //!< attribute TailLossProbe
    std::shared_ptr<Warned> warned; //!< the warnings so far, shared by adapters

  private:
    /// Warn once about a timeout that the delay of the path may exceed.
    void WarnIfBelow(const std::string& attribute, int64_t set, int64_t derived) const;
};

/// A host's network adapter for RoCEv2: queue pairs of reliable connections over its Ethernet
/// ports (InfiniBand Architecture Specification, volume 1, chapter 9 and annex A17).
///
/// It takes packets to UDP port 4791 from the ports before ns-3's stack does, and makes packets
/// when a port is idle. All other packets belong to ns-3's stack. The adapter works without that
/// stack.
///
/// Queue pairs are identified by numbers. Create() makes one, Connect() connects it to its peer,
/// and Post() gives it work requests. GetQueuePair() gives all else: its sinks, which receive
/// completions and messages that have arrived, its receive requests, its congestion control.
class RoceNic : public Object
{
  public:
    /// The number of the first queue pair; 0 and 1 are for management.
    static constexpr uint32_t FIRST_QP = RoceQueuePairTable::FIRST_QP;

    /// @return the TypeId
    static TypeId GetTypeId();

    RoceNic();

    /// @param node the node to join, which has no RoceNic yet
    void Install(Ptr<Node> node);

    /// @param device the port of the node to serve
    /// @param address its IPv4 address
    void AddPort(Ptr<EthernetNetDevice> device, Ipv4Address address);

    /// @return the number of ports
    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    /// @param i the place of a port in the order of AddPort()
    /// @return the port
    Ptr<RoceNicPort> GetPort(uint32_t i) const;

    /// @param i the place of a port in the order of AddPort()
    /// @return its address
    Ipv4Address GetAddress(uint32_t i = 0) const
    {
        return Ipv4Address(GetPort(i)->GetAddress());
    }

    /// @param warned the warnings of several adapters, so that each is printed once for all of them
    void ShareWarned(std::shared_ptr<RoceTimeoutSettings::Warned> warned)
    {
        m_timeouts.warned = std::move(warned);
    }

    /// @return the number of a new queue pair, at the port that has had the fewest, so that ports
    ///         take turns
    uint32_t Create();

    /// @param port the place of a port in the order of AddPort()
    /// @return the number of a new queue pair there
    uint32_t CreateAt(uint32_t port);

    /// @return the number of queue pairs
    uint32_t GetNQueuePairs() const
    {
        return m_pairs.GetN();
    }

    /// @return how many queue pairs each port has had, in the order of AddPort()
    const std::vector<uint32_t>& GetPortLoads() const
    {
        return m_portLoads;
    }

    /// @param qp the number of a queue pair
    /// @return its port's place in the order of AddPort()
    uint32_t GetPortOf(uint32_t qp) const
    {
        return m_pairs.GetEntry(qp).port;
    }

    /// Set the packet sequence numbers of a queue pair that is not connected yet. The default is 0.
    /// @param qp its number
    /// @param firstPsn the number of its first packet
    /// @param remotePsn the number of the peer's first packet
    void SetFirstPsn(uint32_t qp, uint32_t firstPsn, uint32_t remotePsn);

    /// Connect a queue pair to its peer. The peer has to be connected to this one, too.
    /// @param qp its number
    /// @param remote the address of the peer's port
    /// @param remoteQp the number of the peer's queue pair
    /// @param path the delays of the path to the peer, for congestion controls and timeouts
    void Connect(uint32_t qp,
                 Ipv4Address remote,
                 uint32_t remoteQp,
                 const RocePath& path = RocePath());

    /// Add a work request.
    ///
    /// If the queue pair has failed, the request ends at once, flushed. A request to write or read
    /// without a key may access all of the peer's memory.
    /// @param qp the number of the queue pair, which is connected
    /// @param work the request
    void Post(uint32_t qp, const RoceWork& work);

    /// Register memory that peers may access with its key only.
    /// @param address where it begins
    /// @param nBytes its size
    /// @return the key; key 1 is for all memory
    uint32_t RegisterMemory(uint64_t address, uint64_t nBytes)
    {
        return m_regions.Register(address, nBytes);
    }

    /// Forget all queue pairs, as an adapter that restarts does. Open work requests end without a
    /// completion, and packets for the former queue pairs are dropped.
    void Restart();

    /// @param qp the number of a queue pair, which is connected
    /// @return the queue pair
    RoceQueuePair& GetQueuePair(uint32_t qp) const
    {
        return m_pairs.Get(qp);
    }

    /// @param qp the number of a queue pair
    /// @return the queue pair; null if it is not connected
    const RoceQueuePair* FindQueuePair(uint32_t qp) const
    {
        return m_pairs.Find(qp);
    }

    /// @return the statistics
    const RoceNicStatistics& GetStatistics() const
    {
        return m_record->counted;
    }

    // TracedCallback signatures; the first argument is the number of the queue pair

    /// The first packet that is sent again; whether the timer has expired, or the peer has asked.
    typedef void (*RetransmissionTracedCallback)(uint32_t qp, uint32_t psn, bool isTimeout);

    /// The index of the port's device; the class; whether it is now paused.
    typedef void (*PauseTracedCallback)(uint32_t device, uint32_t trafficClass, bool isPaused);

    /// The rate on the wire in bit/s.
    typedef void (*RateTracedCallback)(uint32_t qp, uint64_t rate);

    /// The new state of the queue pair.
    typedef void (*StateTracedCallback)(uint32_t qp, RoceQpState state);

    /// The headers of a packet that has arrived.
    typedef void (*PacketTracedCallback)(uint32_t qp, const RocePacket& packet);

    /// An IPv4 packet, as Ipv4L3Protocol::SentTracedCallback has it.
    /// @param header its IPv4 header
    /// @param packet what follows the header
    /// @param device the index of the port's device
    typedef void (*DatagramTracedCallback)(const Ipv4Header& header,
                                           Ptr<const Packet> packet,
                                           uint32_t device);

    /// The work request that has ended, and how.
    typedef void (*CompletionTracedCallback)(uint32_t qp, const RoceCompletion& completion);

  protected:
    void DoDispose() override;

  private:
    RoceSettings m_connection;               //!< attributes of connections
    RoceNicSettings m_settings;              //!< attributes of ports and queue pairs
    RoceTimeoutSettings m_timeouts;          //!< attributes of timeouts
    uint8_t m_dscp{26};                      //!< attribute Dscp
    ObjectFactory m_control;                 //!< attribute CongestionControl
    std::unique_ptr<RoceNicRecord> m_record; //!< statistics and trace sources
    RoceMemoryRegions m_regions;             //!< the memory that peers may access
    RoceQueuePairTable m_pairs;              //!< the queue pairs
    std::vector<Ptr<RoceNicPort>> m_ports;   //!< the ports
    std::vector<uint32_t> m_portLoads;       //!< how many queue pairs each one has had
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_NIC_H
