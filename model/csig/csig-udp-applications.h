// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_UDP_APPLICATIONS_H
#define AIDC_CSIG_UDP_APPLICATIONS_H

#include "../core/csig/csig-fields.h"
#include "csig-host.h"

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/flow-key.h"
#include "ns3/header.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <ostream>
#include <vector>

namespace ns3::aidc
{

/// The answer of a CsigUdpSink after the reflection header: 8 bytes, big endian.
class CsigAnswerHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Constructor. receivedBytes: the payload that has arrived, in bytes.
    explicit CsigAnswerHeader(uint64_t receivedBytes = 0)
        : m_receivedBytes(receivedBytes)
    {
    }

    /// @return the bytes of payload that have arrived
    uint64_t GetReceivedBytes() const
    {
        return m_receivedBytes;
    }

    // From Header
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 8;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.WriteHtonU64(m_receivedBytes);
    }

    uint32_t Deserialize(Buffer::Iterator start) override; // 0 if the packet is too short

    void Print(std::ostream& os) const override
    {
        os << "received=" << m_receivedBytes;
    }

  private:
    uint64_t m_receivedBytes; //!< bytes of payload
};

/// Receives the datagrams of a CsigUdpSource, and answers some of them with a reflection of their
/// tags (section 4.2.2 of draft-ravi-ippm-csig-01) and the number of bytes that have arrived.
///
/// An answer goes to the source port of the datagram, so that each source port has its own signals.
/// Without a CsigHost on the node, answers have no reflection header.
class CsigUdpSink : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the bytes of payload that have arrived
    uint64_t GetReceivedBytes() const
    {
        return m_receivedBytes;
    }

    /// @return whether all expected bytes have arrived: the attribute Size is above 0 and so many
    /// have
    bool IsDone() const
    {
        return m_size > 0 && m_receivedBytes >= m_size;
    }

    /// @return the time when the last expected byte has arrived, 0 before
    Time GetFinish() const
    {
        return m_finish;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void Receive(Ptr<Socket> socket);

    /// Answer a datagram. @param from the address and port of its sender
    void Answer(const Address& from);

    Ipv4Address m_local;                         //!< address of the node
    uint16_t m_port{0};                          //!< the port
    uint32_t m_period{1};                        //!< number of datagrams for each answer
    uint64_t m_size{0};                          //!< expected bytes, or 0
    Ptr<Socket> m_socket;                        //!< the socket
    Ptr<CsigHost> m_host;                        //!< CSIG of the node
    uint64_t m_nReceived{0};                     //!< datagrams
    uint64_t m_receivedBytes{0};                 //!< bytes of payload
    Time m_finish;                               //!< when all bytes have arrived
    TracedCallback<Time> m_doneTrace;            //!< all bytes have arrived
    TracedCallback<Ptr<const Packet>> m_rxTrace; //!< datagrams
};

/// Sends UDP datagrams at a constant rate from one of several source ports, and takes the
/// signals that a CsigUdpSink reflects (section 4.2.2 of draft-ravi-ippm-csig-01).
///
/// Switches that hash the five-tuple choose a path for each source port. A probe uses the ports in
/// turn. A flow uses one port until Rehash() moves it to the next.
///
/// There is no congestion control and no retransmission: a source with a size sends until the sink
/// reports that as many bytes have arrived, as with a rateless code.
///
/// The node has a CsigHost whose attribute TagUdp is true, or there are no signals.
class CsigUdpSource : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Send from the next source port from now on.
    void Rehash();

    /// @return the flow that datagrams belong to now, local to remote
    FlowKey GetFlow() const
    {
        return GetFlowOf(m_current);
    }

    /// @return how often the port was changed by Rehash()
    uint64_t GetNRehashes() const
    {
        return m_nRehashes;
    }

    /// @return the bytes of payload that were sent
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

    /// Signature of the trace source Signal.
    /// @param flow the flow, local to remote
    /// @param fields the data fields
    typedef void (*SignalTracedCallback)(const FlowKey& flow, const CsigFields& fields);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;

    void StopApplication() override
    {
        m_event.Cancel();
    }

    /// Send a datagram, and schedule the next one.
    void Send();

    void Receive(Ptr<Socket> socket);

    /// Get the flow of a source port. @param index the number of the port, from 0
    FlowKey GetFlowOf(std::size_t index) const;

    Ipv4Address m_local;                //!< address of the node
    Ipv4Address m_remote;               //!< address of the sink
    uint16_t m_remotePort{0};           //!< port of the sink
    uint16_t m_firstPort{0};            //!< the first source port
    uint16_t m_nPorts{1};               //!< number of source ports
    DataRate m_rate;                    //!< of payload
    uint32_t m_packetSize{0};           //!< payload of a datagram
    uint64_t m_size{0};                 //!< bytes that are to arrive, or 0
    bool m_rotates{false};              //!< whether ports are taken in turn
    std::size_t m_current{0};           //!< the port in use, from 0
    std::vector<Ptr<Socket>> m_sockets; //!< by port
    Ptr<CsigHost> m_host;               //!< CSIG of the node
    EventId m_event;                    //!< the next datagram
    uint64_t m_sentBytes{0};            //!< bytes of payload
    uint64_t m_nRehashes{0};            //!< changes of the port
    TracedCallback<const FlowKey&, const CsigFields&> m_signalTrace; //!< signals
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_UDP_APPLICATIONS_H
