// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ETHERNET_PAIR_H
#define AIDC_ETHERNET_PAIR_H

#include "test/test-case.h"

#include "ns3/ethernet-channel.h"
#include "ns3/ethernet-helper.h"
#include "ns3/mac48-address.h"

// Two Ethernet ports and the link between them, for the test suites.
//
// At 8 Gb/s, the default here, a byte takes 1 ns, and the delay is 500 ns.

namespace aidctest
{

/// Octets.
using Bytes = std::vector<uint8_t>;

/// An EtherType for experiments (IEEE 802, section 9.2.4).
constexpr uint16_t ETHERTYPE = 0x88b5;

/// What a frame occupies on the wire: header, at least 46 bytes of payload, frame check sequence,
/// preamble and gap. Returns nanoseconds at 8 Gb/s.
constexpr int64_t
GetWireTime(int64_t payload)
{
    return 14 + (payload < 46 ? 46 : payload) + 4 + 20;
}

/// The gap at the end of what a frame occupies, in nanoseconds: it has arrived before.
constexpr int64_t GAP = 12;

/// The delay of the link in nanoseconds.
constexpr int64_t LINK_DELAY = 500;

inline Bytes
GetBytes(Ptr<const Packet> packet)
{
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

/// Count all frames that a port says it has got.
inline uint64_t
CountIn(const EthernetPortStatistics& statistics)
{
    return statistics.inUnicastFrames + statistics.inMulticastFrames +
           statistics.inBroadcastFrames + statistics.inErrors + statistics.inDiscards +
           statistics.inOtherHosts + statistics.inLost;
}

/// What a device has handed to its node.
struct Delivery
{
    int64_t time;                 //!< when, in nanoseconds
    Ptr<const Packet> packet;     //!< the payload
    uint16_t protocol;            //!< the EtherType
    Mac48Address from;            //!< the source
    Mac48Address to{};            //!< the destination, if the receiver is promiscuous
    NetDevice::PacketType type{}; //!< for whom it is, if the receiver is promiscuous
};

/// What a trace source has told.
struct Traced
{
    std::string name; //!< the trace source
    int64_t time;     //!< when, in nanoseconds
    Bytes bytes;      //!< the packet
};

/// One port, and what it says.
class EthernetEnd
{
  public:
    /// Take over a device.
    void Watch(Ptr<EthernetNetDevice> device)
    {
        m_device = device;
        device->SetReceiveCallback(MakeCallback(&EthernetEnd::Receive, this));
    }

    /// Receive all frames from now on.
    void BePromiscuous()
    {
        m_device->SetPromiscReceiveCallback(MakeCallback(&EthernetEnd::ReceiveAll, this));
    }

    /// Record what a trace source tells.
    void Trace(const std::string& name)
    {
        ConnectTrace(m_device, name, [this, name](Ptr<const Packet> packet) {
            traced.push_back({name, Simulator::Now().GetNanoSeconds(), GetBytes(packet)});
        });
    }

    /// Count what a trace source has told.
    uint64_t Count(const std::string& name) const
    {
        uint64_t n = 0;
        for (const auto& t : traced)
        {
            n += t.name == name ? 1 : 0;
        }
        return n;
    }

    /// Send zeros to the other end.
    bool Send(uint32_t size)
    {
        return m_device->Send(Create<Packet>(size), m_device->GetRemoteAddress(), 0x88b5);
    }

    /// Put a frame on the wire's end, as if it had come from the other one.
    void Inject(const Bytes& bytes)
    {
        auto frame = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
        m_device->Receive(frame, m_device->GetLinkEpoch());
    }

    EthernetNetDevice* operator->() const
    {
        return PeekPointer(m_device);
    }

    Ptr<EthernetNetDevice> Get() const
    {
        return m_device;
    }

    std::vector<Delivery> received; //!< what the node got
    std::vector<Delivery> seen;     //!< what it got as a promiscuous receiver
    std::vector<Traced> traced;     //!< what the trace sources told

  private:
    /// The device's receive callback. Returns true.
    bool Receive(Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t protocol, const Address& from)
    {
        received.push_back({Simulator::Now().GetNanoSeconds(),
                            packet->Copy(),
                            protocol,
                            Mac48Address::ConvertFrom(from)});
        return true;
    }

    /// The device's promiscuous receive callback. Returns true.
    bool ReceiveAll(Ptr<NetDevice>,
                    Ptr<const Packet> packet,
                    uint16_t protocol,
                    const Address& from,
                    const Address& to,
                    NetDevice::PacketType type)
    {
        seen.push_back({Simulator::Now().GetNanoSeconds(),
                        packet->Copy(),
                        protocol,
                        Mac48Address::ConvertFrom(from),
                        Mac48Address::ConvertFrom(to),
                        type});
        return true;
    }

    Ptr<EthernetNetDevice> m_device; //!< the device
};

/// Two nodes, their ports and the link. Its destructor ends the simulation.
class EthernetPair
{
  public:
    explicit EthernetPair(const Attributes& device = {}, const Attributes& channel = {})
    {
        EthernetHelper helper;
        helper.SetDeviceAttribute("DataRate", StringValue("8Gbps"));
        helper.SetChannelAttribute("Delay", StringValue("500ns"));
        for (const auto& [name, value] : device)
        {
            helper.SetDeviceAttribute(name, StringValue(value));
        }
        for (const auto& [name, value] : channel)
        {
            helper.SetChannelAttribute(name, StringValue(value));
        }
        auto nodeA = CreateObject<Node>();
        auto nodeB = CreateObject<Node>();
        const auto devices = helper.Install(nodeA, nodeB);
        a.Watch(DynamicCast<EthernetNetDevice>(devices.Get(0)));
        b.Watch(DynamicCast<EthernetNetDevice>(devices.Get(1)));
        link = DynamicCast<EthernetChannel>(a->GetChannel());
    }

    EthernetEnd a;             //!< one end
    EthernetEnd b;             //!< the other end
    Ptr<EthernetChannel> link; //!< the link
    SimulationEnd m_end;       //!< of this network
};

} // namespace aidctest

#endif // AIDC_ETHERNET_PAIR_H
