/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_TTL_SECURITY_H
#define AIDC_BGP_TTL_SECURITY_H

#include "../transport-shim.h"

#include "ns3/callback.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"

#include <cstdint>
#include <map>

namespace ns3::aidc
{

/**
 * @brief Drops segments of BGP from senders farther away than the peer (RFC 5082).
 *
 * It stands between IPv4 and TCP, because ns-3's sockets do not give the time to live of received
 * segments. Segments of other addresses and of other ports pass unchanged.
 */
class BgpTtlSecurity : public TransportShim
{
  public:
    /// Called for a segment that is dropped: source, time to live.
    using DropCallback = Callback<void, Ipv4Address, uint8_t>;

    /// @return the type ID
    static TypeId GetTypeId();

    BgpTtlSecurity();
    ~BgpTtlSecurity() override;

    /// Insert this between IPv4 and TCP of a node. port: the port of BGP; drop: called for segments
    /// that are dropped.
    void Insert(Ptr<Node> node, uint16_t port, DropCallback drop);

    /// Set the smallest time to live of a peer's segments. peer: the peer's address; minTtl: the
    /// smallest time to live.
    void SetMinTtl(Ipv4Address peer, uint8_t minTtl);

    // From IpL4Protocol
    using TransportShim::Receive; // of IPv6
    RxStatus Receive(Ptr<Packet> p,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override;

  protected:
    void DoDispose() override;

  private:
    std::map<uint32_t, uint8_t> m_minTtls; //!< by the peer's address, host byte order
    uint16_t m_port{0};                    //!< of BGP
    DropCallback m_drop;                   //!< called for dropped segments
};

} // namespace ns3::aidc

#endif // AIDC_BGP_TTL_SECURITY_H
