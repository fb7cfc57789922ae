/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bfd-speaker-factory.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

BfdSpeakerFactory::BfdSpeakerFactory()
    : m_factory("ns3::aidc::BfdSpeaker")
{
}

void
BfdSpeakerFactory::Set(Time interval, uint8_t multiplier)
{
    m_isSet = true;
    m_factory.Set("DesiredMinTx", TimeValue(interval));
    m_factory.Set("RequiredMinRx", TimeValue(interval));
    m_factory.Set("DetectMultiplier", UintegerValue(multiplier));
}

void
BfdSpeakerFactory::BlockNextHops()
{
    m_factory.Set("BlockNextHops", BooleanValue(true));
}

Ptr<BfdSpeaker>
BfdSpeakerFactory::Install(Ptr<Node> node) const
{
    if (!m_isSet)
    {
        return nullptr;
    }
    const auto speaker = m_factory.Create<BfdSpeaker>();
    node->AddApplication(speaker);
    return speaker;
}

int64_t
BfdSpeakerFactory::AssignStreams(Ptr<Node> node, int64_t stream) const
{
    if (const auto speaker = m_isSet ? BfdSpeaker::Find(node) : nullptr)
    {
        speaker->AssignStreams(stream);
    }
    return m_isSet ? 1 : 0;
}

} // namespace ns3::aidc
