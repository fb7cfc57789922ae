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
 * @ingroup aidc
 * @brief Whether the two ends of a connection use CSIG: the handshake that section 6.3.3 of
 *        draft-ravi-ippm-csig-01 asks for and leaves open.
 *
 * A SYN with the option offers CSIG, a SYN and ACK with the option accepts. Either can be sent
 * several times. A SYN that gets no answer is at last sent without the option, for the sake of a
 * device on the path that drops what it does not know.
 */
class CsigNegotiation
{
  public:
    /// Say whether a SYN without ACK has to carry the option, and count it.
    /// @param maxOffers how many of a connection's SYNs carry it at most
    /// @return whether it does
    bool SendSyn(uint32_t maxOffers);

    /// Take the peer's SYN without ACK. @param hasOption whether it carries the option
    void ReceiveSyn(bool hasOption);

    /// @return whether a SYN with ACK has to carry the option
    bool SendSynAck();

    /// Take the peer's SYN with ACK. @param hasOption whether it carries the option
    void ReceiveSynAck(bool hasOption);

    /// Say whether both ends use CSIG.
    /// @return whether tags and reflections may be sent
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
