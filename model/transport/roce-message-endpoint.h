/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_MESSAGE_ENDPOINT_H
#define AIDC_ROCE_MESSAGE_ENDPOINT_H

#include "../core/transport/vector-fifo.h"
#include "message-endpoint.h"
#include "roce-nic.h"

#include "ns3/ptr.h"
#include "ns3/roce-work.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Sends the messages of a rank by one queue pair for each peer, as sends with immediate
 *        data, which is the tag.
 *
 * A message that exceeds RoCEv2's largest message is several sends. The last one carries the tag.
 */
class RoceMessageEndpoint : public MessageEndpoint
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    RoceMessageEndpoint();
    ~RoceMessageEndpoint() override;

    /// @param nic the adapter of the rank's host
    void SetNic(Ptr<RoceNic> nic);

    /// @param peer the rank of the peer, which has not been added yet
    /// @param qp the queue pair of this host that is connected to the peer, without any other use
    void AddPeer(uint32_t peer, uint32_t qp);

    // From MessageEndpoint
    void Send(uint32_t peer, uint64_t nBytes, uint32_t tag, Callback<void> done) override;
    void SetReceiver(Receiver receiver) override;

    /// TracedCallback signature of messages that could not be sent.
    /// @param [in] peer the rank of the receiver
    /// @param [in] status the reason
    typedef void (*ErrorTracedCallback)(uint32_t peer, RoceStatus status);

  protected:
    void DoDispose() override;

  private:
    /// What is known of a peer.
    struct Peer
    {
        uint32_t rank{0};                //!< its rank
        uint64_t received{0};            //!< bytes of a message that has not arrived completely
        VectorFifo<Callback<void>> done; //!< the callback of each send under way, may be null
    };

    /// @param qp the queue pair whose send has ended
    /// @param completion how it has ended
    void NotifyEnd(uint32_t qp, const RoceCompletion& completion);

    /// @param qp the queue pair by which a message, or a part of one, has arrived
    /// @param delivery what has arrived
    void NotifyArrival(uint32_t qp, const RoceDelivery& delivery);

    Ptr<RoceNic> m_nic;                           //!< the adapter
    std::map<uint32_t, uint32_t> m_pairs;         //!< queue pairs, by rank
    std::map<uint32_t, Peer> m_peers;             //!< peers, by queue pair
    Receiver m_receiver;                          //!< who takes messages
    TracedCallback<uint32_t, RoceStatus> m_error; //!< trace Error
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_MESSAGE_ENDPOINT_H
