// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_OTHER_VALUES_H
#define AIDC_OTHER_VALUES_H

#include "model/aidc-compat.h"
#include "test/test-case.h"

// Valid values of attributes that are not the defaults, for the test suites.

namespace aidctest
{

/// Get the values of attributes that are texts or have to fit others.
inline const std::map<std::string, std::string>&
GetChosenValues()
{
    static const std::map<std::string, std::string> VALUES{
        {"ns3::aidc::SwitchPortQueueDisc::DscpMap", "26:2,48:6"},
        {"ns3::aidc::SwitchPortQueueDisc::PcpMap", "1:2,2:1"},
        {"ns3::aidc::EthernetNetDevice::Address", "02:00:00:00:00:01"},
        {"ns3::aidc::EthernetNetDevice::Mtu", "8000"},
        {"ns3::aidc::RoceNic::PathMtu", "2048"},
        {"ns3::aidc::RoceNic::MaxPackets", "2048"},
        {"ns3::aidc::RoceNic::DscpMap", "26:2"},
        {"ns3::aidc::RoceNic::CongestionControl", "ns3::aidc::SwiftControl[]"},
        {"ns3::aidc::CsigDomain::AbwBuckets", "0,1Gbps,5Gbps"},
        {"ns3::aidc::CsigDomain::AbwRatioBuckets", "0,1%,5%"},
        {"ns3::aidc::CsigDomain::HopDelayBuckets", "0,10us,50us"},
        {"ns3::aidc::CsigDomain::QueueDepthBuckets", "0,20us,40us"},
        {"ns3::aidc::CsigDomain::CompactLocator", "stage:3,orientation:2"},
        {"ns3::aidc::CsigDomain::ExpandedLocator", "device:9,port:7"},
        {"ns3::aidc::CsigDomain::AbwCompactLocator", "stage:3"},
        {"ns3::aidc::CsigDomain::AbwExpandedLocator", "device:9,port:6"},
        {"ns3::aidc::CsigDomain::AbwRatioCompactLocator", "stage:3"},
        {"ns3::aidc::CsigDomain::AbwRatioExpandedLocator", "device:9,port:6"},
        {"ns3::aidc::CsigDomain::HopDelayCompactLocator", "stage:3"},
        {"ns3::aidc::CsigDomain::HopDelayExpandedLocator", "device:9,port:6"},
        {"ns3::aidc::CsigDomain::QueueDepthCompactLocator", "stage:3"},
        {"ns3::aidc::CsigDomain::QueueDepthExpandedLocator", "device:9,port:6"},
        {"ns3::aidc::CsigDomain::LinkSpeeds", "25Gbps,40Gbps,100Gbps"},
        {"ns3::aidc::BgpSpeaker::HoldTime", "30s"},
        {"ns3::aidc::BgpSpeaker::RestartTime", "60s"},
        {"ns3::aidc::IngressEdgeController::MaxRate", "200Gbps"},
        {"ns3::aidc::CsigHost::Signals", "max(PD)"},
        {"ns3::aidc::CsigPathSignals::Signals", "max(PD)"},
        {"ns3::aidc::IngressEdgeController::Key", "000102030405060708090a0b0c0d0e0f"},
        {"ns3::aidc::IngressEdgeController::Domain", "172.16.0.0/12"},
        {"ns3::aidc::IngressEdgeController::Monitors", "172.16.0.0/12"},
        {"ns3::aidc::NotificationSender::Key", "000102030405060708090a0b0c0d0e0f"},
        {"ns3::aidc::NotificationSender::Domain", "172.16.0.0/12"},
        {"ns3::aidc::LinkLoadReporter::Key", "000102030405060708090a0b0c0d0e0f"},
        {"ns3::aidc::PathShareController::Key", "000102030405060708090a0b0c0d0e0f"},
        {"ns3::aidc::PathShareController::Domain", "172.16.0.0/12"},
    };
    return VALUES;
}

/// Find a valid value of an attribute that is not its default, and not far from it. Returns the
/// value as a text; empty if there is none.
inline std::string
FindOtherValue(ns3::TypeId type, const ns3::TypeId::AttributeInformation& attribute)
{
    const auto chosen = GetChosenValues().find(type.GetName() + "::" + attribute.name);
    if (chosen != GetChosenValues().end())
    {
        return chosen->second;
    }
    const auto& checker = attribute.checker;
    const auto was = attribute.originalInitialValue->SerializeToString(checker);
    auto kind = ns3::aidc::GetValueType(*checker);
    kind = kind.substr(0, kind.find('<'));
    std::vector<std::string> candidates;
    if (kind == "EnumValue")
    {
        std::istringstream names(checker->GetUnderlyingTypeInformation());
        for (std::string name; std::getline(names, name, '|');)
        {
            candidates.push_back(name);
        }
    }
    else if (kind == "BooleanValue")
    {
        candidates = {"true", "false"};
    }
    else if (kind == "UintegerValue" || kind == "IntegerValue")
    {
        candidates = {std::to_string(std::stoll(was) + 1), std::to_string(std::stoll(was) - 1)};
    }
    else if (kind == "DoubleValue")
    {
        const double number = std::stod(was);
        candidates = {std::to_string(number * 0.75), std::to_string(number + 0.25)};
    }
    else if (kind == "TimeValue")
    {
        const auto ns = static_cast<long long>(std::stod(was)); // ns-3 writes nanoseconds
        candidates = {std::to_string(ns + 1000) + "ns", std::to_string(ns / 2) + "ns"};
    }
    else if (kind == "DataRateValue")
    {
        candidates = {std::to_string(std::stoull(was) + 1000000) + "bps"};
    }
    else if (kind == "QueueSizeValue")
    {
        candidates = {std::to_string(std::stoull(was) + 1000) + was.back()};
    }
    else if (kind == "Ipv4AddressValue")
    {
        candidates = {"10.99.0.1"};
    }
    for (const auto& candidate : candidates)
    {
        const auto value = checker->CreateValidValue(ns3::StringValue(candidate));
        if (value && value->SerializeToString(checker) != was)
        {
            return candidate;
        }
    }
    return "";
}

} // namespace aidctest

#endif // AIDC_OTHER_VALUES_H
