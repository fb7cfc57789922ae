// SPDX-License-Identifier: GPL-2.0-only

#include "message-endpoint.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcMessageEndpoint");

NS_OBJECT_ENSURE_REGISTERED(MessageEndpoint);

TypeId
MessageEndpoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::MessageEndpoint").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

void
MessageEndpoint::SendBySwitch(uint32_t peer,
                              uint64_t nBytes,
                              uint64_t,
                              uint64_t,
                              uint32_t tag,
                              Callback<void> done)
{
    Send(peer, nBytes, tag, done);
}

void
MessageEndpoint::DoDispose()
{
    m_failureSink = FailureSink();
    Object::DoDispose();
}

void
MessageEndpoint::NotifyFailure(uint32_t peer, const std::string& cause) const
{
    NS_LOG_LOGIC("messages to rank " << peer << " will not arrive: " << cause);
    if (!m_failureSink.IsNull())
    {
        m_failureSink(peer, cause);
    }
}

} // namespace ns3::aidc
