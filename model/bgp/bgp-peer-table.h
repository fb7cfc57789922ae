// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_PEER_TABLE_H
#define AIDC_BGP_PEER_TABLE_H

#include "../transport-shim.h"
#include "bgp-peer-settings.h"
#include "bgp-speaker-peer.h"
#include "bgp-speaker-statistics.h"

#include "ns3/bgp-rib.h"
#include "ns3/callback.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <vector>

namespace ns3::aidc
{

/// Drops segments of BGP from senders farther away than the peer (RFC 5082).
///
/// It stands between IPv4 and TCP, because ns-3's sockets do not give the time to live of received
/// segments. Segments of other addresses and of other ports pass unchanged.
class BgpTtlSecurity : public TransportShim
{
  public:
    /// Called for a segment that is dropped: source, time to live.
    using DropCallback = Callback<void, Ipv4Address, uint8_t>;

    /// @return the type ID
    static TypeId GetTypeId();

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

/// All peers of a BgpSpeaker, and the socket that accepts their connections.
class BgpPeerTable
{
  public:
    /// Constructor. @param context shared by all peers, outlives the table
    explicit BgpPeerTable(const BgpSpeakerContext& context);

    /// Add a peer. The program ends if its settings are wrong. @return its number, from 0 on
    uint32_t Add(const BgpPeerSettings& settings);

    /// @return its number, BGP_NO_PEER if there is none
    uint32_t Find(Ipv4Address address) const;

    /// @param number its number; the program ends if there is no such peer @return the peer
    BgpSpeakerPeer& Get(uint32_t number) const
    {
        return *m_peers.at(number);
    }

    /// @return all peers by their numbers
    const std::vector<std::unique_ptr<BgpSpeakerPeer>>& GetAll() const
    {
        return m_peers;
    }

    /// Make the session of a peer. node: the speaker's node; rib: the speaker's routes.
    void Open(uint32_t number, Ptr<Node> node, BgpRib& rib);

    /// Start to accept connections. @param node the speaker's node
    void Listen(Ptr<Node> node);

    /// Stop accepting connections.
    void StopListening();

    /// Release sockets, timers and the node at the end of the simulation.
    void Dispose();

    /// @return the counters of all peers together
    BgpSpeakerStatistics GetStatistics() const;

    /// Print the peers and the states of their sessions.
    void Print(std::ostream& os) const;

  private:
    /// Decide whether to accept a connection. @return whether to accept it
    bool AskForConnection(Ptr<Socket> socket, const Address& from);

    void TakeConnection(Ptr<Socket> socket, const Address& from);

    const BgpSpeakerContext& m_context;                   //!< shared by all peers
    std::vector<std::unique_ptr<BgpSpeakerPeer>> m_peers; //!< by their numbers
    std::map<uint32_t, uint32_t> m_numbers;               //!< of peers by their addresses
    Ptr<Socket> m_listener;                               //!< accepts connections
    Ptr<BgpTtlSecurity> m_ttlSecurity;                    //!< if a peer has a smallest time to live
};

} // namespace ns3::aidc

#endif // AIDC_BGP_PEER_TABLE_H
