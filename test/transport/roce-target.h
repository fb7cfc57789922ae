// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_ROCE_TARGET_H
#define AIDC_TEST_ROCE_TARGET_H

#include "model/core/transport/invariant-crc.h"
#include "model/core/transport/roce-bytes.h"
#include "roce-network.h"

#include "ns3/mac48-address.h"

#include <boost/endian/conversion.hpp>

// An adapter that gets single frames as bytes, for the test suites.

namespace aidctest
{

/// Octets.
using Bytes = std::vector<uint8_t>;

// Where headers begin in a frame
inline constexpr std::size_t IPV4 = 14;       //!< IPv4
inline constexpr std::size_t UDP = IPV4 + 20; //!< UDP
inline constexpr std::size_t BTH = UDP + 8;   //!< base transport header
inline constexpr std::size_t REST = BTH + 12; //!< what else the opcode has

/// The queue pair of each host.
inline constexpr uint32_t QP = RoceNic::FIRST_QP;

/// What became of a frame.
struct Fate
{
    uint64_t device{0};  //!< dropped by the port
    uint64_t stack{0};   //!< given to the stack
    uint64_t taken{0};   //!< taken by the queue pair
    uint64_t dropped{0}; //!< dropped by the adapter

    /// What the adapter has counted.
    RoceNicStatistics statistics;

    std::size_t nEvents{0}; //!< messages that have arrived, and requests that have ended
};

/// Two hosts of which one gets a frame.
class Target
{
  public:
    Target()
        : m_network(2)
    {
        m_network.Start();
        m_network.Connect(0, 1);
        const auto port = m_network.GetHostPort(1);
        port->SetReceiveCallback(
            ToCallback([this](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                ++m_fate.stack;
                return true;
            }));
        ConnectTrace(m_network.GetNic(1), "Rx", [this](uint32_t, const RocePacket&) {
            ++m_fate.taken;
        });
    }

    /// Make a good frame from host 0 to host 1. packet: the headers behind UDP; its payload is
    /// zeros.
    Bytes MakeFrame(const RocePacket& packet) const
    {
        RoceDatagram datagram;
        datagram.source = m_network.GetNic(0)->GetAddress().Get();
        datagram.destination = m_network.GetNic(1)->GetAddress().Get();
        datagram.sourcePort = GetRoceSourcePort(QP, QP);
        datagram.dscp = 26;
        datagram.ecn = 2;
        datagram.ttl = 63;
        std::array<uint8_t, ROCE_MAX_DATAGRAM_HEADER_SIZE> headers;
        const std::size_t size = EncodeRoceDatagram(datagram, packet, headers.data());
        Bytes frame(IPV4);
        Mac48Address::ConvertFrom(m_network.GetHostPort(1)->GetAddress()).CopyTo(frame.data());
        Mac48Address::ConvertFrom(m_network.GetSwitchPort(1)->GetAddress())
            .CopyTo(frame.data() + 6);
        boost::endian::store_big_u16(&frame[12], 0x0800);
        frame.insert(frame.end(), headers.begin(), headers.begin() + size);
        frame.resize(frame.size() + packet.payloadSize + GetRocePadCount(packet.payloadSize) +
                     INVARIANT_CRC_SIZE);
        SetInvariantCrc(frame);
        return frame;
    }

    /// Compute the invariant CRC again.
    static void SetInvariantCrc(Bytes& frame)
    {
        const std::size_t end = frame.size() - INVARIANT_CRC_SIZE;
        boost::endian::store_little_u32(&frame[end],
                                        ComputeInvariantCrc(&frame[IPV4], end - IPV4, 0));
    }

    Fate Receive(const Bytes& frame)
    {
        const auto port = m_network.GetHostPort(1);
        const auto packet = Create<Packet>(frame.data(), static_cast<uint32_t>(frame.size()));
        Simulator::ScheduleWithContext(port->GetNode()->GetId(), Time(), [port, packet] {
            port->Receive(packet, port->GetLinkEpoch());
        });
        Simulator::Run();
        const auto& counted = port->GetStatistics();
        m_fate.statistics = m_network.GetNic(1)->GetStatistics();
        m_fate.dropped = m_fate.statistics.GetDropped();
        // What the queue pair has seen and found to be of no use is not taken.
        m_fate.taken -= m_fate.statistics.ignoredAnswers + m_fate.statistics.failedQueuePairs;
        // Nobody listens to frames for others or for groups, which a flipped bit makes.
        m_fate.device = counted.inErrors + counted.inDiscards + counted.inOtherHosts;
        m_fate.nEvents = m_network.deliveries.size() + m_network.completions.size();
        return m_fate;
    }

  private:
    RoceNetwork m_network; //!< the hosts
    Fate m_fate;           //!< what became of the frame
};

/// payloadSize: bytes of payload.
inline RocePacket
MakePacket(RoceOpcode opcode, uint32_t payloadSize = 0)
{
    RocePacket packet;
    packet.opcode = opcode;
    packet.destinationQp = QP;
    packet.remoteKey = 1;
    packet.dmaLength = payloadSize;
    packet.payloadSize = payloadSize;
    packet.syndrome = opcode == RoceOpcode::ACKNOWLEDGE ? 0x1f : 0;
    packet.isAckRequested = true;
    return packet;
}

/// What may become of a frame.
enum Expected
{
    TAKEN,     //!< the queue pair takes it
    NOT_TAKEN, //!< it does not
    ANY        //!< it may
};

/// Check that one thing has become of a frame, which is dropped once and counted if it is damaged,
/// or the stack's, and that nothing else happens.
inline void
Check(const Fate& fate, Expected expected, const std::string& text)
{
    NS_TEST_EXPECT_MSG_EQ(fate.device + fate.stack + fate.dropped + fate.taken,
                          1,
                          text << ": port " << fate.device << ", stack " << fate.stack
                               << ", adapter " << fate.dropped << ", queue pair " << fate.taken);
    if (expected != ANY)
    {
        NS_TEST_EXPECT_MSG_EQ((fate.taken == 1), (expected == TAKEN), text << ": taken");
    }
    if (fate.taken == 0)
    {
        const auto& s = fate.statistics;
        NS_TEST_EXPECT_MSG_EQ(s.sentPackets + s.sentAcks + s.sentNaks + s.sentRnrNaks + s.sentCnps +
                                  s.receivedCnps + s.timeouts + s.errors + fate.nEvents,
                              0,
                              text << ": nothing else happens");
    }
}

} // namespace aidctest

#endif // AIDC_TEST_ROCE_TARGET_H
