/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traffic-classifier.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/require-argument.h"

#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTrafficClassifier");

NS_OBJECT_ENSURE_REGISTERED(TrafficClassifier);

TypeId
TrafficClassifier::GetTypeId()
{
    using C = TrafficClassifier;
    static TypeId tid =
        TypeId("ns3::aidc::TrafficClassifier")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<TrafficClassifier>()
            .AddAttribute("DscpMap",
                          "Class by DSCP, as `DSCP:class` pairs separated by commas; a DSCP that "
                          "is not named goes to the class of its three upper bits (the class "
                          "selector), or to the highest class where there are fewer.",
                          StringValue(""),
                          MakeFunctionAccessor<C, StringValue>(
                              [](const C& classifier) { return classifier.m_map.GetDscps(); },
                              [](C& classifier, const StringValue& map) {
                                  classifier.m_map.SetDscps(map.Get(), classifier.GetMostClasses());
                                  classifier.FillMap();
                              }),
                          MakeTextChecker([](const std::string& text) {
                              TrafficClassMap().SetDscps(text, MAX_CLASSES);
                          }))
            .AddAttribute(
                "Trust",
                "What tells the class of a packet: its DSCP, or the priority code point "
                "of the VLAN tag that it has come with (IEEE 802.1Q), if it has one. "
                "It is set by SharedBufferSwitchHelper::SetPortAttribute() or "
                "PriorityFlowControlHelper::SetHostPortAttribute().",
                EnumValue(DSCP),
                MakeMemberAccessor<EnumValueOf<TrustKind>>(
                    &C::m_trust,
                    [](C& classifier, auto, TrustKind trust) { classifier.SetTrust(trust); }),
                MakeEnumChecker(DSCP, "Dscp", PCP, "Pcp"))
            .AddAttribute("PcpMap",
                          "Class by priority code point, as `PCP:class` pairs separated by commas; "
                          "one that is not named goes to the class of its number, or to the "
                          "highest class where there are fewer.",
                          StringValue(""),
                          MakeFunctionAccessor<C, StringValue>(
                              [](const C& classifier) { return classifier.m_map.GetPcps(); },
                              [](C& classifier, const StringValue& map) {
                                  classifier.m_map.SetPcps(map.Get(), classifier.GetMostClasses());
                                  classifier.FillMap();
                              }),
                          MakeTextChecker([](const std::string& text) {
                              TrafficClassMap().SetPcps(text, MAX_CLASSES);
                          }))
            .AddAttribute("L4sClass",
                          "Class of the packets that are ECT(1) or CE, whatever their DSCP and "
                          "priority code point; -1 is none.",
                          IntegerValue(-1),
                          MakeFunctionAccessor<C, IntegerValue>(
                              [](const C& classifier) { return classifier.m_map.GetL4sClass(); },
                              [](C& classifier, const IntegerValue& index) {
                                  classifier.SetL4sClass(static_cast<int32_t>(index.Get()));
                              }),
                          MakeIntegerChecker<int32_t>(-1, MAX_CLASSES - 1))
            .AddAttribute("NonIpClass",
                          "Class of packets that are not IP, such as ARP's; the highest class "
                          "where there are fewer.",
                          UintegerValue(MAX_CLASSES - 1),
                          MakeFunctionAccessor<C, UintegerValue>(
                              [](const C& classifier) { return classifier.m_map.GetNonIpClass(); },
                              [](C& classifier, const UintegerValue& index) {
                                  classifier.m_map.SetNonIpClass(
                                      static_cast<uint32_t>(index.Get()));
                                  classifier.FillMap();
                              }),
                          MakeUintegerChecker<uint32_t>(0, MAX_CLASSES - 1));
    return tid;
}

void
TrafficClassifier::Start(uint32_t nClasses)
{
    NS_LOG_FUNCTION(this << nClasses);
    const auto n = static_cast<int32_t>(nClasses);
    AIDC_REFUSED_IF(m_map.GetL4sClass() >= n,
                    "SwitchPortQueueDisc: L4sClass is " << m_map.GetL4sClass() << ", there are "
                                                        << n << " classes");
    const int32_t highest = m_map.GetHighestOfDscps();
    AIDC_REFUSED_IF(highest >= n,
                    "SwitchPortQueueDisc: DscpMap names class " << highest << ", there are " << n
                                                                << " classes");
    const int32_t highestOfPcps = m_map.GetHighestOfPcps();
    AIDC_REFUSED_IF(highestOfPcps >= n,
                    "SwitchPortQueueDisc: PcpMap names class " << highestOfPcps << ", there are "
                                                               << n << " classes");
    AIDC_REFUSED_IF(m_trust == PCP && !m_priorityReader,
                    "SwitchPortQueueDisc: " << UNKNOWN_PRIORITIES);
    m_nClasses = nClasses;
    m_map.Fill(m_nClasses);
}

void
TrafficClassifier::SetPriorityReader(PriorityReader reader)
{
    m_priorityReader = std::move(reader);
}

uint32_t
TrafficClassifier::Classify(const QueueDiscItem& item) const
{
    uint8_t tos = 0;
    const bool isIp = item.GetUint8Value(QueueItem::IP_DSFIELD, tos);
    if (m_trust == PCP)
    {
        const uint8_t pcp = m_priorityReader(item);
        if (pcp < MAX_CLASSES)
        {
            return m_map.GetClassOfPcp(pcp, tos);
        }
    }
    return isIp ? m_map.GetClassOfTos(tos) : m_map.GetNonIpClass();
}

void
TrafficClassifier::SetTrust(TrustKind trust)
{
    if (trust == PCP && m_nClasses > 0 && !m_priorityReader)
    {
        throw std::invalid_argument(std::string("Trust: ") + UNKNOWN_PRIORITIES);
    }
    m_trust = trust;
}

void
TrafficClassifier::SetL4sClass(int32_t index)
{
    if (m_nClasses > 0 && index >= static_cast<int32_t>(m_nClasses))
    {
        throw std::invalid_argument("L4sClass: expected a class below " +
                                    std::to_string(m_nClasses) + ", found " +
                                    std::to_string(index));
    }
    m_map.SetL4sClass(index);
    FillMap();
}

void
TrafficClassifier::FillMap()
{
    if (m_nClasses > 0)
    {
        m_map.Fill(m_nClasses);
    }
}

} // namespace ns3::aidc
