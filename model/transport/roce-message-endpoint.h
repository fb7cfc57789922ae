// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_MESSAGE_ENDPOINT_H
#define AIDC_ROCE_MESSAGE_ENDPOINT_H

#include "../core/transport/vector-fifo.h"
#include "message-endpoint.h"
#include "roce-nic.h"

#include "ns3/ptr.h"
#include "ns3/roce-work.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::aidc
{

/// Sends the messages of a rank by queue pairs to each peer, as sends with immediate data,
/// which is the tag.
///
/// A message that exceeds RoCEv2's largest message is several sends. The last one carries the tag.
///
/// With several queue pairs to a peer, messages take them in turn, or each message is divided over
/// all of them (attribute Striped). They are delivered in the order in which they were sent: the
/// receiver knows which queue pairs the next message comes by. Both ends need the same number of
/// queue pairs, in the same order, and the same attribute.
class RoceMessageEndpoint : public MessageEndpoint
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param nic the adapter of the rank's host
    void SetNic(Ptr<RoceNic> nic)
    {
        m_nic = nic;
    }

    /// Add a queue pair to a peer, before messages are sent.
    /// @param peer the rank of the peer
    /// @param qp the queue pair of this host that is connected to the peer, without any other use
    void AddPeer(uint32_t peer, uint32_t qp);

    /// Send a part of a message. The parts of a message follow each other, without other messages
    /// to the same peer between them, and arrive as one message.
    /// @param peer the rank of the receiver
    /// @param nBytes the size of the part, above 0 unless it is the last one
    /// @param tag identifies the message; the tag of the last part counts
    /// @param isLast whether it is the last part
    /// @param done called when this part and the parts before have been acknowledged; may be null
    void SendPart(uint32_t peer, uint64_t nBytes, uint32_t tag, bool isLast, Callback<void> done);

    /// Move all queue pairs to the error state, as when the process of the rank ends
    /// (RoceQueuePair::SetError()), in an event of the node: messages that are under way will not
    /// arrive.
    void Abort();

    // From MessageEndpoint
    void Send(uint32_t peer, uint64_t nBytes, uint32_t tag, Callback<void> done) override
    {
        SendPart(peer, nBytes, tag, true, done);
    }

    void SetReceiver(Receiver receiver) override
    {
        m_receiver = receiver;
    }

    uint64_t GetPace(uint32_t peer) const override;
    std::vector<Backlog> GetBacklog(uint32_t peer) const override;

    uint64_t Shorten(uint32_t peer, std::size_t connection, uint64_t nBytes) override
    {
        return m_nic->GetQueuePair(m_peers.at(peer).qps.at(connection)).Shorten(nBytes);
    }

    /// TracedCallback signature of messages that could not be sent.
    /// @param [in] peer the rank of the receiver
    /// @param [in] status the reason
    typedef void (*ErrorTracedCallback)(uint32_t peer, RoceStatus status);

  protected:
    void DoDispose() override;

  private:
    /// A message, or the part of it that came by one queue pair.
    struct Arrival
    {
        uint64_t nBytes{0}; //!< its bytes
        uint32_t tag{0};    //!< the tag of the message
    };

    /// What is known of a queue pair.
    struct QueuePair
    {
        uint32_t peer{0};                //!< the rank at its other end
        Arrival arriving;                //!< what has not arrived completely
        VectorFifo<Arrival> arrived;     //!< what waits for other queue pairs
        VectorFifo<Callback<void>> done; //!< the callback of each send under way, may be null
    };

    /// What is known of a peer.
    struct Peer
    {
        std::vector<uint32_t> qps; //!< its queue pairs
        std::size_t sendNext{0};   //!< place of the queue pair of the next message to it, in turn
        std::size_t takeNext{0};   //!< place of the queue pair of the next message from it, in turn
    };

    /// Send bytes by a queue pair. done: called when they have been acknowledged; may be null.
    void Post(uint32_t qp, uint64_t nBytes, uint32_t tag, bool isLast, const Callback<void>& done);

    /// Deliver messages of a peer with several queue pairs, as far as they have arrived.
    void Deliver(uint32_t rank);

    /// qp: the queue pair whose send has ended; completion: how it has ended.
    void NotifyEnd(uint32_t qp, const RoceCompletion& completion);

    /// qp: the queue pair by which a message, or a part of one, has arrived.
    void NotifyArrival(uint32_t qp, const RoceDelivery& delivery);

    Ptr<RoceNic> m_nic;                           //!< the adapter
    bool m_isStriped{false};                      //!< attribute Striped
    std::map<uint32_t, Peer> m_peers;             //!< peers, by rank
    std::map<uint32_t, QueuePair> m_pairs;        //!< queue pairs, by number
    Receiver m_receiver;                          //!< who takes messages
    TracedCallback<uint32_t, RoceStatus> m_error; //!< trace Error
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_MESSAGE_ENDPOINT_H
