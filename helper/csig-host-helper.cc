/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-host-helper.h"

#include "../model/core/csig/csig-reflection.h"
#include "../model/core/csig/tcp-header-bytes.h"
#include "../model/core/require-argument.h"

#include "ns3/boolean.h"

namespace ns3::aidc
{

CsigHostHelper::CsigHostHelper()
    : m_factory("ns3::aidc::CsigHost")
{
}

void
CsigHostHelper::Authorize(const CsigFlowRule& rule)
{
    m_rules.push_back(rule);
    m_factory.Set("AuthorizeAll", BooleanValue(false));
}

void
CsigHostHelper::Install(const NodeContainer& nodes) const
{
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        auto host = m_factory.Create<CsigHost>();
        for (const auto& rule : m_rules)
        {
            host->Authorize(rule);
        }
        host->Install(*node);
    }
}

uint32_t
CsigHostHelper::GetSegmentSize(uint32_t mtu, CsigFormat format, bool hasTimestamps)
{
    AIDC_REFUSED_IF(mtu < 100, "The MTU must be at least 100 bytes, found " << mtu);
    constexpr uint32_t IPV4_HEADER = 20;
    constexpr uint32_t TIMESTAMPS = 10; // RFC 7323; the option of CSIG follows without padding
    const auto options = static_cast<uint32_t>((hasTimestamps ? TIMESTAMPS : 0) +
                                               CSIG_EMPTY_OPTION_SIZE + GetCsigDataSize(format));
    return mtu - IPV4_HEADER - static_cast<uint32_t>(TCP_MIN_HEADER_SIZE) - (options + 3) / 4 * 4;
}

} // namespace ns3::aidc
