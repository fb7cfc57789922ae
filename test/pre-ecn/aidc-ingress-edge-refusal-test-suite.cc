// SPDX-License-Identifier: GPL-2.0-only

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

/// Get how many messages were counted as refused for a reason.
uint64_t
GetCount(const EdgeNetwork& network, Edge::Refusal reason)
{
    using Counts = DomainMessageReceiverStatistics;
    static const std::map<Edge::Refusal, uint64_t Counts::*> counters{
        {Edge::OFF_DOMAIN, &Counts::offDomain},
        {Edge::OTHER_DEVICE, &Counts::otherDevice},
        {Edge::OTHER_RECEIVER, &Counts::otherReceiver},
        {Edge::MALFORMED, &Counts::malformed},
        {Edge::UNAUTHENTIC, &Counts::unauthentic},
        {Edge::UNKNOWN_KEY, &Counts::unknownKey},
        {Edge::EARLY, &Counts::early},
        {Edge::STALE, &Counts::stale},
        {Edge::REPLAYED, &Counts::replayed},
        {Edge::TOO_MANY_DEVICES, &Counts::tooManyDevices},
        {Edge::UNKNOWN_FLOW, &Counts::unknownFlow},
    };
    return network.controller->GetReceiver().GetStatistics().*counters.at(reason);
}

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
        Simulator::ScheduleWithContext(network.nodes.Get(TunnelNetwork::C1)->GetId(),
                                       MicroSeconds(10000 + i + (isSecondHalf ? 200 : 0)),
                                       [&, i, isSecondHalf] {
                                           uint32_t kind = m_random->GetInteger(0, 7);
                                           if (!network.key.IsSet() && (kind == 1 || kind == 2))
                                           {
                                               kind = 0; // without a key, nobody notices
                                           }
                                           std::vector<Edge::Refusal> reasons;
                                           const auto payload =
                                               Make(kind, isSecondHalf, network, reasons);
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
                                               network.Receive(payload);
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
    for (const auto reason : {Edge::REPLAYED,
                              Edge::STALE,
                              Edge::EARLY,
                              Edge::OTHER_DEVICE,
                              Edge::OTHER_RECEIVER,
                              Edge::UNKNOWN_FLOW})
    {
        NS_TEST_EXPECT_MSG_EQ(GetCount(network, reason), expected[reason], reason);
    }
    const uint64_t malformed = GetCount(network, Edge::MALFORMED);
    const uint64_t unauthentic = GetCount(network, Edge::UNAUTHENTIC);
    NS_TEST_EXPECT_MSG_GT_OR_EQ(malformed, expected[Edge::MALFORMED], "malformed");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(unauthentic, expected[Edge::UNAUTHENTIC], "forged");
    NS_TEST_EXPECT_MSG_EQ(malformed + unauthentic + GetCount(network, Edge::UNKNOWN_KEY),
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
    NS_TEST_EXPECT_MSG_EQ(GetCount(network, Edge::OFF_DOMAIN), 0, "all come from the domain");
    AIDC_EXPECT(network.IsWhole(1), "the flow goes on");
}

/// Check that a message is refused, and counted as one kind only.
template <typename BYTES>
void
Refuse(EdgeNetwork& network,
       const BYTES& payload,
       Edge::Refusal reason,
       const char* from = "192.0.2.11")
{
    auto expected = network.refused;
    ++expected[reason];
    const uint64_t count = GetCount(network, reason);
    network.Receive(payload, from);
    AIDC_EXPECT(network.refused == expected, "refused as " << reason);
    NS_TEST_EXPECT_MSG_EQ(GetCount(network, reason), count + 1, "and counted as " << reason);
}

/// A notification of light congestion of flow 1 that is refused.
struct Refused
{
    Edge::Refusal reason;           //!< why
    EdgeNetwork::Change change;     //!< what is wrong with it
    const char* from{"192.0.2.11"}; //!< who has sent it
    Time age{};                     //!< how old it is
};

/// Check that notifications are refused.
void
RefuseAll(EdgeNetwork& network, const std::vector<Refused>& rows)
{
    for (const auto& [reason, change, from, age] : rows)
    {
        const auto flow = EdgeNetwork::GetFlow(1);
        const auto light = CongestionSeverity::LIGHT;
        Refuse(network, network.MakeNotification(flow, light, age, change), reason, from);
    }
}

// What is refused for its age, its sender, its device, or for want of room.
AIDC_TEST_CASE("each kind of refusal")
{
    EdgeNetwork network({{"Domain", "192.0.2.0/24"},
                         {"MaxAge", "1ms"},
                         {"MaxDevices", "1"},
                         {"Monitors", "192.0.2.12/32"}});
    const std::vector<Refused> ofStrangers{
        {Edge::OFF_DOMAIN, nullptr, "10.1.0.2"},
        {Edge::OFF_DOMAIN, [](auto& changed) { changed.device = 0x0a010002; }},
        {Edge::STALE, nullptr, "192.0.2.11", NanoSeconds(1000001)},
        {Edge::EARLY, nullptr, "192.0.2.11", NanoSeconds(-1)},
        {Edge::MALFORMED, [](auto& changed) { changed.time = ~uint64_t{0}; }},
    };
    const auto setDevice = [](auto& changed) { changed.device = 0xc000020c; };
    const std::vector<Refused> ofOthers{
        {Edge::TOO_MANY_DEVICES, setDevice, "192.0.2.12"},
        {Edge::OTHER_DEVICE, setDevice},
        {Edge::OTHER_RECEIVER, [](auto& changed) { changed.ingress = 0xc0000202; }},
        {Edge::UNKNOWN_FLOW, [](auto& changed) { changed.egress = 0xc000020c; }},
        {Edge::UNKNOWN_FLOW,
         [](auto& changed) { changed.flow = {0x0a020002, 0x0a010002, 9, 1, 17}; }},
    };
    Simulator::Schedule(MilliSeconds(5), [&] {
        const auto flow = EdgeNetwork::GetFlow(1);
        const auto light = CongestionSeverity::LIGHT;
        const auto payload = network.MakeNotification(flow, light);
        network.controller->GetReceiver().Receive(payload.data(), payload.size(), Address());
        NS_TEST_EXPECT_MSG_EQ(GetCount(network, Edge::OFF_DOMAIN), 1, "no address of IPv4");
        RefuseAll(network, ofStrangers);
        LinkLoadReport report;
        report.time = report.length;
        Refuse(network, EncodeDomainMessage(report), Edge::MALFORMED);
        auto hashed = network.MakeNotification(flow, light);
        hashed[DOMAIN_MESSAGE_AUTHENTICATION_OFFSET] = 1;
        Refuse(network, hashed, Edge::UNAUTHENTIC);
        NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 0, "nothing has changed");

        const auto good = network.MakeNotification(flow, light, NanoSeconds(1000000));
        network.Receive(good, "192.0.2.12");
        NS_TEST_EXPECT_MSG_EQ(network.accepted, 1, "a monitor may tell of another device");
        NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 1, "and a flow is watched");
        Refuse(network, good, Edge::REPLAYED);
        RefuseAll(network, ofOthers);
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
    if (NotificationKey::IsAvailable())
    {
        EdgeNetwork network(Attributes{{"Key", KEY}});
        for (int i = 0; i < 16; ++i)
        {
            network.Receive(network.MakeNotification(
                EdgeNetwork::GetFlow(1),
                light,
                Time(0),
                [](auto& changed) { std::swap(changed.ingress, changed.egress); }));
        }
        NS_TEST_EXPECT_MSG_EQ(network.accepted, 0, "for P2");
        NS_TEST_EXPECT_MSG_EQ(GetCount(network, Edge::OTHER_RECEIVER), 16, "counted");
        network.Receive(network.MakeNotification(EdgeNetwork::GetFlow(1), light));
        NS_TEST_EXPECT_MSG_EQ(network.accepted, 1, "for P1");
    }
    EdgeNetwork network{Attributes()};
    const auto flow = EdgeNetwork::GetFlow(1);
    network.Receive(network.MakeNotification(flow, light));
    network.Receive(network.MakeNotification(flow, light, Time(0), [](auto& changed) {
        changed.sequence = ~uint64_t{0};
    }));
    for (int i = 0; i < 3; ++i)
    {
        const auto bytes = network.MakeNotification(flow, light);
        network.Receive(bytes);
        network.Receive(bytes);
    }
    NS_TEST_EXPECT_MSG_EQ(network.accepted, 5, "the router is not locked out");
    NS_TEST_EXPECT_MSG_EQ(GetCount(network, Edge::REPLAYED), 3, "nor heard twice");
}
