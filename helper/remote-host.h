// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_REMOTE_HOST_H
#define AIDC_REMOTE_HOST_H

#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// What a process (MpiProcesses) knows of a host of another process: the addresses of its ports,
/// and how many queue pairs its RoceNic has made. Each process connects the same hosts in the same
/// order, so each knows the numbers of all queue pairs.
class RemoteHost : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param node a node of another process
    /// @return what is known of it; the program ends if it is nothing
    static Ptr<RemoteHost> Get(Ptr<Node> node);

    /// Set the addresses of the host. @param addresses an address for each port of its RoceNic
    void SetAddresses(const std::vector<Ipv4Address>& addresses);

    /// @return the number of ports
    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_addresses.size());
    }

    /// @param port the place of a port @return its address
    Ipv4Address GetAddress(uint32_t port) const
    {
        return m_addresses.at(port);
    }

    /// @param port the place of a port @return the number of a new queue pair there
    uint32_t CreateQueuePairAt(uint32_t port);

    /// @return how many queue pairs each port has had
    const std::vector<uint32_t>& GetPortLoads() const
    {
        return m_portLoads;
    }

  private:
    std::vector<Ipv4Address> m_addresses; //!< the addresses of ports
    std::vector<uint32_t> m_portLoads;    //!< how many queue pairs each port has had
    uint32_t m_nQueuePairs{0};            //!< the number of queue pairs
};

} // namespace ns3::aidc

#endif // AIDC_REMOTE_HOST_H
