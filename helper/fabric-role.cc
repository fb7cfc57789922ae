// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-role.h"

#include "ns3/aidc-input-error.h"
#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFabricRole");

NS_OBJECT_ENSURE_REGISTERED(FabricRole);

TypeId
FabricRole::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::FabricRole").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

void
FabricRole::Set(Ptr<Node> node, Role role)
{
    NS_LOG_FUNCTION(node->GetId() << role);
    const auto own = CreateObject<FabricRole>();
    own->m_role = role;
    node->AggregateObject(own);
}

void
FabricRole::Check(Ptr<Node> node, Role role, const std::string& helper)
{
    const auto own = node->GetObject<FabricRole>();
    if (own && own->m_role != role)
    {
        const std::string found = "node " + std::to_string(node->GetId());
        throw AidcInputError(helper,
                             0,
                             role == HOST ? "hosts, which FabricHelper::GetHosts() has"
                                          : "switches, which FabricHelper::GetSwitches() has",
                             found + (role == HOST ? ", a switch" : ", a host"));
    }
}

} // namespace ns3::aidc
