/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_NEGOTIATION_H
#define AIDC_CSIG_NEGOTIATION_H

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The handshake by which the two ends of a connection agree on CSIG. Section 6.3.3 of
 *        draft-ravi-ippm-csig-01 asks for one, and leaves it open.
 *
 * A SYN with the option offers CSIG, a SYN/ACK with the option accepts. Either can be sent several
 * times. After maxOffers SYNs without an answer, a SYN has no option, in case a device on the path
 * drops packets with unknown options.
 */
class CsigNegotiation
{
  public:
    /// Decide whether a SYN without ACK carries the option, and count it. @param maxOffers how many
    /// of a connection's SYNs carry it at most @return whether it does
    bool SendSyn(uint32_t maxOffers);

    /// Handle the peer's SYN without ACK. @param hasOption whether it carries the option
    void ReceiveSyn(bool hasOption);

    /// @return whether a SYN with ACK has to carry the option
    bool SendSynAck();

    /// Handle the peer's SYN with ACK. @param hasOption whether it carries the option
    void ReceiveSynAck(bool hasOption);

    /// Tell whether both ends use CSIG. @return whether tags and reflections may be sent
    bool IsAgreed() const
    {
        return m_isAgreed;
    }

  private:
    uint32_t m_offers{0};     //!< SYNs of this connection that carried the option
    bool m_isAnswered{false}; //!< whether a SYN was answered: the next SYN is a new connection's
    bool m_peerOffers{false}; //!< whether the peer's SYN carried the option
    bool m_isAgreed{false};   //!< whether both ends use CSIG
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_NEGOTIATION_H
