// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_L4_PROTOCOL_H
#define AIDC_CSIG_L4_PROTOCOL_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-reflection.h"
#include "../core/csig/tcp-header-bytes.h"
#include "../transport-shim.h"
#include "csig-host-flows.h"

#include "ns3/flow-key.h"
#include "ns3/header.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
class Ipv4;
} // namespace ns3

namespace ns3::aidc
{

/// The reflection header of transports other than TCP, for the beginning of a payload (section
/// 4.2.2 of draft-ravi-ippm-csig-01, figure 4).
class CsigReflectionHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Constructor. reflection: what to reflect; each field within its bits.
    explicit CsigReflectionHeader(const CsigReflection& reflection = CsigReflection());

    /// @return what is reflected
    const CsigReflection& GetReflection() const
    {
        return m_reflection;
    }

    // From Header
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return m_size;
    }

    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override; // 0 if the packet is too short
    void Print(std::ostream& os) const override;

  private:
    CsigReflection m_reflection; //!< what is reflected
    uint32_t m_size;             //!< of the header in bytes
};

/// Stands between IPv4 and a transport protocol of a CsigHost, in both directions.
///
/// It replaces the transport in IPv4's list of protocols, and IPv4 as the transport's down target.
/// So every packet passes it, with any kind of device, and the packet's first header is the
/// transport's.
class CsigL4Protocol : public TransportShim
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Constructor. flows: the host's flows, which outlive this.
    explicit CsigL4Protocol(CsigHostFlows& flows)
        : m_flows(flows)
    {
    }

    /// Insert this between a node's IPv4 and a transport protocol.
    void Insert(Ptr<Ipv4> ipv4, Ptr<IpL4Protocol> transport);

    // From IpL4Protocol
    using TransportShim::Receive; // of IPv6
    RxStatus Receive(Ptr<Packet> p,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override;

    void SetDownTarget(DownTargetCallback cb) override
    {
        m_down = cb;
    }

    DownTargetCallback GetDownTarget() const override
    {
        return m_down;
    }

  protected:
    void DoDispose() override;

    CsigHostFlows& m_flows; //!< the host's flows

  private:
    /// Change an outgoing packet. route: its route, may be null.
    virtual void ChangeOutgoing(Ptr<Packet> packet,
                                const Ipv4Address& source,
                                const Ipv4Address& destination,
                                const Ptr<Ipv4Route>& route) = 0;

    /// Change an incoming packet. @return whether the transport gets it
    virtual bool ChangeIncoming(Ptr<Packet> packet, const Ipv4Header& header) = 0;

    /// Send a packet of the transport; its down target. route: its route, may be null.
    void Send(Ptr<Packet> packet,
              Ipv4Address source,
              Ipv4Address destination,
              uint8_t protocol,
              Ptr<Ipv4Route> route);

    DownTargetCallback m_down; //!< where its packets went before
};

/// CSIG in the TCP segments of a host: agrees on it by SYNs, tags segments, and reflects in an
/// option (sections 4.2.1 and 6.3.3 of draft-ravi-ippm-csig-01).
class CsigTcpSegments : public CsigL4Protocol
{
  public:
    using CsigL4Protocol::CsigL4Protocol;

    /// @return the flow of the segment that has arrived last, local to remote
    const FlowKey& GetArrivingFlow() const
    {
        return m_arriving;
    }

  private:
    /// The state of a segment's options.
    enum class Options : uint8_t
    {
        GOOD,      //!< well-formed
        MALFORMED, //!< a length is impossible
        CORRUPT    //!< the checksum is wrong
    };

    void ChangeOutgoing(Ptr<Packet> segment,
                        const Ipv4Address& source,
                        const Ipv4Address& destination,
                        const Ptr<Ipv4Route>& route) override;
    bool ChangeIncoming(Ptr<Packet> segment, const Ipv4Header& ipHeader) override;

    /// Let a SYN that leaves offer or accept CSIG. route: its route, may be null.
    void SendSyn(Ptr<Packet> segment,
                 TcpHeaderBytes& header,
                 const FlowKey& key,
                 const Ptr<Ipv4Route>& route);

    void ReceiveSyn(const FlowKey& key, bool isAnswer, bool hasOption);

    /// @return whether there was room for the option in the header and the MTU; route may be null
    bool AppendOption(Ptr<Packet> segment,
                      TcpHeaderBytes& header,
                      const std::optional<CsigFields>& fields,
                      const FlowKey& flow,
                      const Ptr<Ipv4Route>& route);

    /// Remove the options from a segment that arrives. flow: in the direction of the segment;
    /// reflection: what to write the reflection to; the last one if there are several. @return the
    /// state of the options; the segment is unchanged unless it is GOOD
    Options TakeOptions(Ptr<Packet> segment,
                        TcpHeaderBytes& header,
                        const FlowKey& flow,
                        std::optional<CsigReflection>& reflection);

    /// Replace the header of a segment, with a new checksum.
    void ReplaceHeader(Ptr<Packet> segment,
                       std::size_t oldSize,
                       TcpHeaderBytes& header,
                       const FlowKey& flow);

    FlowKey m_arriving;           //!< the flow of the last segment that has arrived
    std::vector<uint8_t> m_bytes; //!< a segment whose checksum is computed
};

/// CSIG in the UDP datagrams of a host: tags them (section 4.2.2 of draft-ravi-ippm-csig-01).
class CsigUdpDatagrams : public CsigL4Protocol
{
  public:
    using CsigL4Protocol::CsigL4Protocol;

  private:
    void ChangeOutgoing(Ptr<Packet> datagram,
                        const Ipv4Address& source,
                        const Ipv4Address& destination,
                        const Ptr<Ipv4Route>& route) override;
    bool ChangeIncoming(Ptr<Packet> datagram, const Ipv4Header& ipHeader) override;
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_L4_PROTOCOL_H
