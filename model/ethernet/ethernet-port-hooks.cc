// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-port-hooks.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetPortHooks");

NS_OBJECT_ENSURE_REGISTERED(EthernetTagProcessor);
NS_OBJECT_ENSURE_REGISTERED(EthernetFrameHandler);
NS_OBJECT_ENSURE_REGISTERED(EthernetFrameSource);
NS_OBJECT_ENSURE_REGISTERED(EthernetMacControl);

TypeId
EthernetTagProcessor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::EthernetTagProcessor").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

TypeId
EthernetFrameHandler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::EthernetFrameHandler").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

TypeId
EthernetFrameSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::EthernetFrameSource").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

TypeId
EthernetMacControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::EthernetMacControl").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

} // namespace ns3::aidc
