/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "jittered-application.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcJitteredApplication");
NS_OBJECT_ENSURE_REGISTERED(JitteredApplication);

TypeId
JitteredApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::JitteredApplication").SetParent<Application>().SetGroupName("Aidc");
    return tid;
}

JitteredApplication::JitteredApplication()
    : m_jitter(CreateObject<UniformRandomVariable>())
{
}

int64_t
JitteredApplication::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_jitter->SetStream(stream);
    return 1;
}

double
JitteredApplication::DrawJitter(double min, double max)
{
    return m_jitter->GetValue(min, max);
}

} // namespace ns3::aidc
