// SPDX-License-Identifier: GPL-2.0-only

#include "remote-host.h"

#include "../model/core/require-argument.h"

#include "ns3/log.h"
#include "ns3/roce-nic.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRemoteHost");

NS_OBJECT_ENSURE_REGISTERED(RemoteHost);

TypeId
RemoteHost::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::RemoteHost")
                            .SetParent<Object>()
                            .SetGroupName("Aidc")
                            .AddConstructor<RemoteHost>();
    return tid;
}

Ptr<RemoteHost>
RemoteHost::Get(Ptr<Node> node)
{
    const auto host = node->GetObject<RemoteHost>();
    AIDC_REFUSED_UNLESS(host,
                        "RemoteHost: nothing is known of node "
                            << node->GetId() << " of process " << node->GetSystemId()
                            << "; expected a host of a FabricHelper, or a RemoteHost at the node");
    return host;
}

void
RemoteHost::SetAddresses(const std::vector<Ipv4Address>& addresses)
{
    AIDC_REFUSED_IF(addresses.empty(), "RemoteHost: expected at least one address");
    m_addresses = addresses;
    m_portLoads.assign(addresses.size(), 0);
}

uint32_t
RemoteHost::CreateQueuePairAt(uint32_t port)
{
    ++m_portLoads.at(port);
    return RoceNic::FIRST_QP + m_nQueuePairs++;
}

} // namespace ns3::aidc
