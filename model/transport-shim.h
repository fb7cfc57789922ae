/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRANSPORT_SHIM_H
#define AIDC_TRANSPORT_SHIM_H

#include "ns3/ip-l4-protocol.h"

namespace ns3::aidc
{

/**
 * @brief Stands between IP and a transport protocol, and passes everything on to it.
 *
 * Derived classes override the part that they change.
 */
class TransportShim : public IpL4Protocol
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Set the protocol that gets incoming packets. @param transport the protocol, or another one
    /// that stands below it
    void SetTransport(Ptr<IpL4Protocol> transport);

    /// @return the protocol that gets incoming packets
    Ptr<IpL4Protocol> GetTransport() const;

    // From IpL4Protocol
    int GetProtocolNumber() const override;
    RxStatus Receive(Ptr<Packet> p,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override;
    RxStatus Receive(Ptr<Packet> p,
                     const Ipv6Header& header,
                     Ptr<Ipv6Interface> incomingInterface) override;
    void ReceiveIcmp(Ipv4Address icmpSource,
                     uint8_t icmpTtl,
                     uint8_t icmpType,
                     uint8_t icmpCode,
                     uint32_t icmpInfo,
                     Ipv4Address payloadSource,
                     Ipv4Address payloadDestination,
                     const uint8_t payload[8]) override;
    void ReceiveIcmp(Ipv6Address icmpSource,
                     uint8_t icmpTtl,
                     uint8_t icmpType,
                     uint8_t icmpCode,
                     uint32_t icmpInfo,
                     Ipv6Address payloadSource,
                     Ipv6Address payloadDestination,
                     const uint8_t payload[8]) override;
    void SetDownTarget(DownTargetCallback cb) override;
    void SetDownTarget6(DownTargetCallback6 cb) override;
    DownTargetCallback GetDownTarget() const override;
    DownTargetCallback6 GetDownTarget6() const override;

  protected:
    void DoDispose() override;

  private:
    Ptr<IpL4Protocol> m_transport; //!< the protocol above
};

} // namespace ns3::aidc

#endif // AIDC_TRANSPORT_SHIM_H
