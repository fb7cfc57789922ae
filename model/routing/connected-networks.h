/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CONNECTED_NETWORKS_H
#define AIDC_CONNECTED_NETWORKS_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-interface-address.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The networks of the addresses of the interfaces that are up.
class ConnectedNetworks
{
  public:
    /// A network.
    struct Network
    {
        Ipv4Address network; //!< the network
        Ipv4Mask mask;       //!< its mask
    };

    /// @return its network; none if the network has only this address
    static std::optional<Network> GetNetwork(const Ipv4InterfaceAddress& address);

    /// Add a network. interface: the index of the interface, which may have it already.
    void Add(uint32_t interface, const Network& network);

    /// Remove a network. interface: the index of the interface. @return whether it was there
    bool Remove(uint32_t interface, const Network& network);

    /// @return the first interface that it was added for, none if there is no such interface
    std::optional<uint32_t> Find(const Network& network) const;

  private:
    /// A network over an interface.
    struct Connection
    {
        Network network;    //!< the network
        uint32_t interface; //!< the index of the interface
    };

    std::vector<Connection> m_connections; //!< all, in the order of addition
};

/// Compare two networks. @return whether they are the same
bool operator==(const ConnectedNetworks::Network& a, const ConnectedNetworks::Network& b);

} // namespace ns3::aidc

#endif // AIDC_CONNECTED_NETWORKS_H
