// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SCALE_UP_ENDPOINT_H
#define AIDC_SCALE_UP_ENDPOINT_H

#include "../core/transport/vector-fifo.h"
#include "../core/workload/scale-up-port.h"

#include "ns3/data-rate.h"
#include "ns3/message-endpoint.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/roce-message-endpoint.h"
#include "ns3/server-plan.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/// What a ScaleUpEndpoint counts.
struct ScaleUpStatistics
{
    uint64_t sentMessages{0};   //!< messages that left over the scale-up switch, also to relays
    uint64_t sentBytes{0};      //!< their bytes
    uint64_t receivedBytes{0};  //!< bytes that came in over the scale-up switch, also to be relayed
    uint64_t relayedBytes{0};   //!< of these, bytes that were sent on by the adapter for other GPUs
    uint64_t fabricMessages{0}; //!< messages of this GPU that it sent by its own adapter
    uint64_t fabricBytes{0};    //!< their bytes
};

/// Sends and takes the messages of a rank that is a GPU of a server.
///
/// - Messages for GPUs of the same server go over the scale-up switch (NVLink). It has no packets
///   and loses nothing. A message leaves in segments; segments for several peers leave in turn. The
///   first bit of a segment reaches the peer's ingress port after the latency. The ingress port
/// takes segments in the order of their first bits, bit by bit (ScaleUpEgress, ScaleUpIngress).
///   What the switch adds up or copies (SendBySwitch()) takes the ports for its shares alone.
/// - Two GPUs may have a link of their own instead, with a port of each for this link.
/// - Messages for GPUs of other servers go by the endpoint of the GPU's adapter.
/// - With PXN (attribute Pxn), a message for a GPU on another rail goes to the GPU of the same
///   server that is on that rail. Its adapter sends each segment that has come in, so both ways
///   overlap.
///
/// The callbacks of a GPU are called in events of its node, and what goes to another GPU is an
/// event of that GPU's node: it happens a latency later. The nodes of a server are one group of
/// time windows (NodeGroup), so the latency does not make windows shorter.
///
/// ServerHelper makes and connects endpoints.
class ScaleUpEndpoint : public MessageEndpoint
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ScaleUpEndpoint();
    ~ScaleUpEndpoint() override;

    /// Set who this is, before all else.
    /// @param rank the rank
    /// @param node the node of its GPU
    void SetRank(uint32_t rank, Ptr<Node> node)
    {
        m_rank = rank;
        m_node = node->GetId();
    }

    /// @param fabric what sends and takes messages by the GPU's adapter; its receiver and failure
    ///        sink are set
    void SetFabric(Ptr<MessageEndpoint> fabric);

    /// Connect two endpoints of one server, whose rank has been set. Each one finds the other as
    /// long as both exist. What is to leave for one that does not is lost.
    /// @param a an endpoint
    /// @param b another one
    /// @param link a link of both, which takes the place of the switch; null if there is none
    static void Connect(ScaleUpEndpoint& a, ScaleUpEndpoint& b, const ScaleUpLink* link = nullptr);

    /// Have another GPU of the server send the messages to a peer by its adapter.
    /// @param peer the rank of the peer, of another server
    /// @param relay the endpoint of that GPU, which is connected to this one
    /// @param sender what sends them there, made for this rank; its failure sink is set
    void AddRelay(uint32_t peer, ScaleUpEndpoint& relay, Ptr<RoceMessageEndpoint> sender);

    /// @return whether messages to other rails are relayed: attribute Pxn
    bool IsPxn() const
    {
        return m_isPxn;
    }

    /// @return what it has counted
    const ScaleUpStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    // From MessageEndpoint
    void Send(uint32_t peer, uint64_t nBytes, uint32_t tag, Callback<void> done) override;
    void SendBySwitch(uint32_t peer,
                      uint64_t nBytes,
                      uint64_t egress,
                      uint64_t ingress,
                      uint32_t tag,
                      Callback<void> done) override;
    void SetReceiver(Receiver receiver) override;

    uint64_t GetPace(uint32_t peer) const override
    {
        return m_fabric && m_ways.count(peer) == 0 ? m_fabric->GetPace(peer) : 0;
    }

    std::vector<Backlog> GetBacklog(uint32_t peer) const override
    {
        return m_fabric && m_ways.count(peer) == 0 ? m_fabric->GetBacklog(peer)
                                                   : std::vector<Backlog>();
    }

    uint64_t Shorten(uint32_t peer, std::size_t connection, uint64_t nBytes) override
    {
        return m_fabric && m_ways.count(peer) == 0 ? m_fabric->Shorten(peer, connection, nBytes)
                                                   : 0;
    }

  protected:
    void NotifyConstructionCompleted() override;
    void DoDispose() override;

  private:
    /// A message over the scale-up switch.
    struct Message
    {
        Ptr<ScaleUpEndpoint> from; //!< who sends it
        uint32_t peer;             //!< the rank that it is for, which may be of another server
        uint64_t nBytes;           //!< its bytes
        uint64_t egress;           //!< bytes that the egress port carries
        uint64_t ingress;          //!< bytes that the ingress port carries
        uint32_t tag;              //!< its tag
        Callback<void> done;       //!< called at the sender when it is acknowledged; may be null
        /// What sends it on at the GPU that relays it; null if it goes to its peer.
        Ptr<RoceMessageEndpoint> relay;
    };

    using MessagePtr = std::shared_ptr<const Message>; //!< a message that is under way

    /// A segment whose first bit has arrived.
    struct Arrival
    {
        int64_t first;      //!< when its first bit arrives, ps
        int64_t last;       //!< when its last bit arrives at the earliest, ps
        uint64_t nBytes;    //!< its bytes
        bool isLast;        //!< whether it is the last one of its message
        MessagePtr message; //!< the message
    };

    /// A port, to the switch or to another GPU.
    struct Port
    {
        ScaleUpEgress egress;   //!< what leaves; flows are peers
        ScaleUpIngress ingress; //!< what comes in
        Time latency;           //!< the time to another GPU
        bool isWaiting;         //!< whether ServeEgress() is scheduled
    };

    using PortPtr = std::shared_ptr<Port>; //!< a port

    /// The way to a peer.
    struct Way
    {
        ScaleUpEndpoint* next{nullptr}; //!< the GPU of this server that takes messages
        PortPtr port;                   //!< the port where they leave
        Ptr<RoceMessageEndpoint> relay; //!< what sends them on there; null if it is the peer
        VectorFifo<MessagePtr> leaving; //!< messages that have not left completely
        VectorFifo<MessagePtr> copies;  //!< the same, of messages that the switch copies
    };

    PortPtr MakePort(uint64_t rate, const Time& latency) const
    {
        return std::make_shared<Port>(
            Port{ScaleUpEgress(rate, m_segmentSize), ScaleUpIngress(rate), latency, false});
    }

    const PortPtr& GetPort(uint32_t neighbor) const
    {
        const auto found = m_ports.find(neighbor);
        return found == m_ports.end() ? m_port : found->second;
    }

    /// Have a message leave by the scale-up switch, or by a link of two GPUs.
    void Leave(Way& way, const MessagePtr& message);

    /// Have segments leave whose time has come.
    void ServeEgress(PortPtr port);

    /// Note that the first bit of a segment arrives. @param arrival the segment
    void TakeSegment(const Arrival& arrival);

    /// Have the segments that have arrived at this time come in.
    void ServeIngress();

    /// Take a segment whose last bit has come in. @param arrival the segment
    void EndSegment(const Arrival& arrival);

    /// Have this and other endpoints forget each other.
    void Disconnect();

    DataRate m_rate;                           //!< attribute Rate
    Time m_latency;                            //!< attribute Latency
    uint32_t m_segmentSize{0};                 //!< attribute SegmentSize
    bool m_isPxn{false};                       //!< attribute Pxn
    uint32_t m_rank{0};                        //!< the rank
    uint32_t m_node{0};                        //!< the id of the GPU's node
    Ptr<MessageEndpoint> m_fabric;             //!< the adapter's endpoint
    Receiver m_receiver;                       //!< who takes messages
    std::map<uint32_t, Way> m_ways;            //!< by the rank of the peer
    std::vector<ScaleUpEndpoint*> m_neighbors; //!< the other endpoints of the server
    PortPtr m_port;                            //!< the port to the switch
    std::map<uint32_t, PortPtr> m_ports;       //!< by the rank of another GPU, ports to it alone
    std::vector<Arrival> m_arrivals;           //!< first bits that have arrived at this time
    ScaleUpStatistics m_statistics;            //!< what it has counted
};

} // namespace ns3::aidc

#endif // AIDC_SCALE_UP_ENDPOINT_H
