/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Notifications that an ingress PE must not believe (draft-hu-rtgwg-pre-ecn-wan-01, section 5.1,
// "CNP Spoofing and Forgery": "An attacker could generate malicious CNPs and send them to an
// ingress PE, falsely indicating congestion").

#include "edge-network.h"
#include "test/test-case.h"

// The notifications that IngressEdgeController refuses.
AIDC_TEST_SUITE("aidc-ingress-edge-refusal", UNIT);

using Edge = DomainMessageGuard;

/// The domain's key, where there are keys.
const char* const KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
/// The key of somebody else.
const char* const OTHER_KEY = "100102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// 100,000 notifications that are forged, replayed, altered, cut off, old or out of place change no
/// rate and no path, and each is counted as what it is. Expected results: flow 1 is limited and
/// steered before; it sends all the time. The attack takes 100 ms, a notification each microsecond,
/// most of them by datagrams over the link from C1. What each is to be counted as is known when it
/// is made; an altered one is malformed or unauthentic, as the bit says. In the second half
/// notifications have to be younger than 1 ms: replayed ones are refused by their age, in the first
/// half by their number.
class AttackTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    /// Make a bad notification. [out]: reasons why it is to be refused: one of these reasons.
    /// Returns its bytes.
    std::vector<uint8_t> Make(uint32_t kind,
                              bool isSecondHalf,
                              EdgeNetwork& network,
                              std::vector<Edge::Refusal>& reasons)
    {
        const auto flow = EdgeNetwork::GetFlow(1);
        const auto severity = m_random->GetInteger(0, 1) == 0 ? CongestionSeverity::LIGHT
                                                              : CongestionSeverity::SEVERE;
        auto bytes = network.MakeNotification(flow, severity);
        auto size = bytes.size();
        switch (kind)
        {
        case 0: // forged, without the key
            if (!network.key.IsSet())
            {
                // Without a key, one with a hash is refused.
                bytes.at(DOMAIN_MESSAGE_AUTHENTICATION_OFFSET) = 1;
                bytes.back() = 1;
            }
            else if (m_random->GetInteger(0, 1) == 0)
            {
                NotificationKey::Parse(OTHER_KEY).Sign(bytes);
            }
            else
            {
                NotificationKey().Sign(bytes);
            }
            reasons = {Edge::UNAUTHENTIC};
            break;
        case 1: // replayed
            bytes = m_accepted.at(m_random->GetInteger(0, m_accepted.size() - 1));
            reasons = {isSecondHalf ? Edge::STALE : Edge::REPLAYED};
            break;
        case 2: { // one bit altered, on the way
            const uint32_t bit = m_random->GetInteger(0, 8 * DOMAIN_MESSAGE_SIZE - 1);
            bytes.at(bit / 8) ^= static_cast<uint8_t>(1U << (bit % 8));
            reasons = {Edge::UNAUTHENTIC, Edge::MALFORMED, Edge::UNKNOWN_KEY};
            break;
        }
        case 3: // cut off, or with something behind
            size = m_random->GetInteger(0, 1) == 0 ? m_random->GetInteger(0, size - 1)
                                                   : m_random->GetInteger(size + 1, 200);
            reasons = {Edge::MALFORMED};
            break;
        case 4: // random
            for (auto& byte : bytes)
            {
                byte = static_cast<uint8_t>(m_random->GetInteger(0, 255));
            }
            bytes[0] = static_cast<uint8_t>(m_random->GetInteger(5, 255));
            reasons = {Edge::MALFORMED};
            break;
        case 6: // for another PE, or the device of somebody else
            bytes = network.MakeNotification(
                flow,
                severity,
                Time(0),
                [&reasons, this](CongestionNotification& changed) {
                    const bool isDevice = m_random->GetInteger(0, 1) == 0;
                    (isDevice ? changed.device : changed.ingress) = 0xc0000202;
                    reasons = {isDevice ? Edge::OTHER_DEVICE : Edge::OTHER_RECEIVER};
                });
            break;
        case 5: // of a time to come
            bytes = network.MakeNotification(flow, severity, MilliSeconds(-1));
            reasons = {Edge::EARLY};
            break;
        default: // of flows of other PEs: the other direction, elsewhere, and between hosts here
            const std::vector<FlowKey> others{{flow.destination, flow.source, 9, 1, 17},
                                              {flow.source, 0x0b000001, 1, 9, 17},
                                              {0x0b000001, flow.destination, 1, 9, 17},
                                              {flow.source, flow.source + 1, 1, 9, 17}};
            bytes = network.MakeNotification(others.at(m_random->GetInteger(0, 3)), severity);
            reasons = {Edge::UNKNOWN_FLOW};
        }
        std::vector<uint8_t> payload(bytes.begin(), bytes.end());
        payload.resize(size);
        return payload;
    }

    Ptr<UniformRandomVariable> m_random;        //!< chooses
    std::vector<DomainMessageBytes> m_accepted; //!< good notifications
    std::vector<EdgeChange> m_rates;            //!< rates before the attack
    std::vector<EdgeChange> m_paths;            //!< paths before it
};

AIDC_TEST_CASE_F(AttackTestCase,
                 "100,000 forged, replayed, altered and cut notifications change nothing")
{
    constexpr uint32_t N = 100000;
    const bool hasKeys = NotificationKey::IsAvailable();
    m_random = CreateObject<UniformRandomVariable>();
    m_random->SetStream(1);
    EdgeNetwork network({{"Key", hasKeys ? KEY : ""},
                         {"Domain", "192.0.2.0/28"},
                         {"MaxAge", "0s"},
                         {"Floor", "1Mbps"},
                         {"LightReaction", "Both"},
                         {"SevereReaction", "Both"},
                         {"LightStep", "0.01"},
                         {"StepInterval", "0s"},
                         {"QuietTime", "10s"},
                         {"SteerThreshold", "2"},
                         {"SteerHoldDown", "0s"},
                         {"SteerQuietTime", "10s"},
                         {"SteerGap", "1us"}});
    network.SendFlow(1, 100, MicroSeconds(1), MicroSeconds(10), 11000); // 110 ms, 80 Mbit/s
    for (uint32_t i = 0; i < 4; ++i)
    {
        Simulator::ScheduleWithContext(
            network.nodes.Get(TunnelNetwork::C1)->GetId(),
            MilliSeconds(1 + i),
            [this, &network] {
                m_accepted.push_back(
                    network.MakeNotification(EdgeNetwork::GetFlow(1), CongestionSeverity::LIGHT));
                network.SendDatagram(m_accepted.back().data(), m_accepted.back().size());
            });
    }
    Simulator::Schedule(MilliSeconds(9), [&] {
        m_rates = network.rates;
        m_paths = network.paths;
    });
    Simulator::Schedule(MicroSeconds(60100),
                        [&] { network.controller->SetAttribute("MaxAge", StringValue("1ms")); });
    std::map<Edge::Refusal, uint64_t> expected;
    uint64_t altered = 0;
    for (uint32_t i = 0; i < N; ++i)
    {
        const bool isSecondHalf = i >= N / 2;
        Simulator::ScheduleWithContext(
            network.nodes.Get(TunnelNetwork::C1)->GetId(),
            MicroSeconds(10000 + i + (isSecondHalf ? 200 : 0)),
            [&, i, isSecondHalf] {
                uint32_t kind = m_random->GetInteger(0, 7);
                if (!network.key.IsSet() && (kind == 1 || kind == 2))
                {
                    kind = 0; // without a key, nobody notices
                }
                std::vector<Edge::Refusal> reasons;
                const auto payload = Make(kind, isSecondHalf, network, reasons);
                if (reasons.size() > 1)
                {
                    ++altered;
                }
                else
                {
                    ++expected[reasons[0]];
                }
                if (i % 10 == 0)
                {
                    network.controller->GetReceiver().Receive(payload.data(),
                                                              payload.size(),
                                                              InetSocketAddress("192.0.2.11", 1));
                }
                else
                {
                    network.SendDatagram(payload.data(), payload.size());
                }
            });
    }
    RunFor(MilliSeconds(130));
    NS_TEST_EXPECT_MSG_EQ(network.accepted, 4, "those before the attack");
    // StepInterval is 0, so each of the four notifications is a step; QuietTime is 10 s, so no
    // rate rises again.
    NS_TEST_EXPECT_MSG_EQ(m_rates.size(), 4, "the flow was limited");
    NS_TEST_EXPECT_MSG_EQ(m_paths.size(), 1, "and steered");
    NS_TEST_EXPECT_MSG_EQ(network.rates.size(), m_rates.size(), "no rate has changed");
    NS_TEST_EXPECT_MSG_EQ(network.paths.size(), m_paths.size(), "no path has changed");
    NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 1, "and no flow was added");
    uint64_t sum = 0;
    for (const auto& [reason, n] : network.refused)
    {
        sum += n;
    }
    NS_TEST_EXPECT_MSG_EQ(sum, N, "all are refused");
    const auto& statistics = network.controller->GetReceiver().GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.replayed, expected[Edge::REPLAYED], "replayed");
    NS_TEST_EXPECT_MSG_EQ(statistics.stale, expected[Edge::STALE], "too old");
    NS_TEST_EXPECT_MSG_EQ(statistics.early, expected[Edge::EARLY], "of a time to come");
    NS_TEST_EXPECT_MSG_EQ(statistics.otherDevice, expected[Edge::OTHER_DEVICE], "another one's");
    NS_TEST_EXPECT_MSG_EQ(statistics.otherReceiver,
                          expected[Edge::OTHER_RECEIVER],
                          "for another PE");
    NS_TEST_EXPECT_MSG_EQ(statistics.unknownFlow, expected[Edge::UNKNOWN_FLOW], "other flows");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(statistics.malformed, expected[Edge::MALFORMED], "malformed");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(statistics.unauthentic, expected[Edge::UNAUTHENTIC], "forged");
    NS_TEST_EXPECT_MSG_EQ(statistics.malformed + statistics.unauthentic + statistics.unknownKey,
                          expected[Edge::MALFORMED] + expected[Edge::UNAUTHENTIC] + altered,
                          "altered");
    for (const auto& [reason, n] : expected)
    {
        NS_TEST_EXPECT_MSG_GT(n, 1000, "there are many of kind " << reason);
    }
    if (hasKeys)
    {
        NS_TEST_EXPECT_MSG_GT(altered, 10000, "and many altered ones");
    }
    NS_TEST_EXPECT_MSG_EQ(statistics.offDomain, 0, "all come from the domain");
    AIDC_EXPECT(network.IsWhole(1), "the flow goes on");
}

/// Check that a notification is refused, and counted as one kind only.
void
Refuse(EdgeNetwork& network,
       const DomainMessageBytes& payload,
       Edge::Refusal reason,
       const uint64_t& counter,
       const char* from = "192.0.2.11")
{
    const auto before = network.refused;
    const uint64_t count = counter;
    network.controller->GetReceiver().Receive(payload.data(),
                                              payload.size(),
                                              InetSocketAddress(from, 1));
    auto expected = before;
    ++expected[reason];
    AIDC_EXPECT(network.refused == expected, "refused as " << reason);
    NS_TEST_EXPECT_MSG_EQ(counter, count + 1, "and counted as " << reason);
}

// What is refused for its age, its sender, its device, or for want of room.
AIDC_TEST_CASE("each kind of refusal")
{
    EdgeNetwork network({{"Domain", "192.0.2.0/24"},
                         {"MaxAge", "1ms"},
                         {"MaxDevices", "1"},
                         {"Monitors", "192.0.2.12/32"}});
    const auto& statistics = network.controller->GetReceiver().GetStatistics();
    Simulator::Schedule(MilliSeconds(5), [&] {
        const auto flow = EdgeNetwork::GetFlow(1);
        const auto light = CongestionSeverity::LIGHT;
        const auto make = [&](const EdgeNetwork::Change& change) {
            return network.MakeNotification(flow, light, Time(0), change);
        };
        Refuse(network,
               network.MakeNotification(flow, light),
               Edge::OFF_DOMAIN,
               statistics.offDomain,
               "10.1.0.2");
        const auto payload = network.MakeNotification(flow, light);
        network.controller->GetReceiver().Receive(payload.data(), payload.size(), Address());
        NS_TEST_EXPECT_MSG_EQ(statistics.offDomain, 2, "nor from what is no address of IPv4");
        Refuse(network,
               make([](auto& notification) { notification.device = 0x0a010002; }),
               Edge::OFF_DOMAIN,
               statistics.offDomain);
        Refuse(network,
               network.MakeNotification(flow, light, NanoSeconds(1000001)),
               Edge::STALE,
               statistics.stale);
        Refuse(network,
               network.MakeNotification(flow, light, NanoSeconds(-1)),
               Edge::EARLY,
               statistics.early);
        Refuse(network,
               make([](auto& notification) { notification.time = ~uint64_t{0}; }),
               Edge::MALFORMED,
               statistics.malformed);
        LinkLoadReport report;
        report.time = report.length;
        Refuse(network, EncodeDomainMessage(report), Edge::MALFORMED, statistics.malformed);
        auto hashed = network.MakeNotification(flow, light);
        hashed[DOMAIN_MESSAGE_AUTHENTICATION_OFFSET] = 1;
        Refuse(network, hashed, Edge::UNAUTHENTIC, statistics.unauthentic);
        NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 0, "nothing has changed");

        const auto good = network.MakeNotification(flow, light, NanoSeconds(1000000));
        network.controller->GetReceiver().Receive(good.data(),
                                                  good.size(),
                                                  InetSocketAddress("192.0.2.12", 1));
        NS_TEST_EXPECT_MSG_EQ(network.accepted, 1, "a monitor may tell of another device");
        NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 1, "and a flow is watched");
        Refuse(network, good, Edge::REPLAYED, statistics.replayed);
        Refuse(network,
               make([](auto& notification) { notification.device = 0xc000020c; }),
               Edge::TOO_MANY_DEVICES,
               statistics.tooManyDevices,
               "192.0.2.12");
        Refuse(network,
               make([](auto& notification) { notification.device = 0xc000020c; }),
               Edge::OTHER_DEVICE,
               statistics.otherDevice);
        Refuse(network,
               make([](auto& notification) { notification.ingress = 0xc0000202; }),
               Edge::OTHER_RECEIVER,
               statistics.otherReceiver);
        Refuse(network,
               make([](auto& notification) { notification.egress = 0xc000020c; }),
               Edge::UNKNOWN_FLOW,
               statistics.unknownFlow);
        Refuse(network,
               network.MakeNotification({flow.destination, flow.source, 9, 1, 17}, light),
               Edge::UNKNOWN_FLOW,
               statistics.unknownFlow);
    });
    RunFor(MilliSeconds(6));
    NS_TEST_EXPECT_MSG_EQ(network.rates.size() + network.paths.size(), 0, "nothing changes");
}

// Section 5.1, CNP spoofing: what can be done with what others have sent, or without a key.
// Expected results: notifications of a tunnel of P2, signed with the key of the domain, mean
// nothing to P1. Without a key, anybody can make up a notification, but not lock the router out:
// its next notifications count.
AIDC_TEST_CASE("authentic notifications of another PE, and a made-up number")
{
    const auto light = CongestionSeverity::LIGHT;
    const auto receive = [](EdgeNetwork& network, const DomainMessageBytes& bytes) {
        network.controller->GetReceiver().Receive(bytes.data(),
                                                  bytes.size(),
                                                  InetSocketAddress("192.0.2.11", 1));
    };
    if (NotificationKey::IsAvailable())
    {
        EdgeNetwork network(Attributes{{"Key", KEY}});
        for (int i = 0; i < 16; ++i)
        {
            receive(network,
                    network.MakeNotification(EdgeNetwork::GetFlow(1),
                                             light,
                                             Time(0),
                                             [](CongestionNotification& notification) {
                                                 std::swap(notification.ingress,
                                                           notification.egress);
                                             }));
        }
        NS_TEST_EXPECT_MSG_EQ(network.accepted, 0, "for P2");
        NS_TEST_EXPECT_MSG_EQ(network.controller->GetReceiver().GetStatistics().otherReceiver,
                              16,
                              "counted");
        receive(network, network.MakeNotification(EdgeNetwork::GetFlow(1), light));
        NS_TEST_EXPECT_MSG_EQ(network.accepted, 1, "for P1");
    }
    EdgeNetwork network{Attributes()};
    const auto flow = EdgeNetwork::GetFlow(1);
    receive(network, network.MakeNotification(flow, light));
    receive(network,
            network.MakeNotification(flow, light, Time(0), [](CongestionNotification& made) {
                made.sequence = ~uint64_t{0};
            }));
    for (int i = 0; i < 3; ++i)
    {
        const auto bytes = network.MakeNotification(flow, light);
        receive(network, bytes);
        receive(network, bytes);
    }
    NS_TEST_EXPECT_MSG_EQ(network.accepted, 5, "the router is not locked out");
    NS_TEST_EXPECT_MSG_EQ(network.controller->GetReceiver().GetStatistics().replayed,
                          3,
                          "nor heard twice");
}
