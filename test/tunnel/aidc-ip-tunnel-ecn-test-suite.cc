// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "tunnel-network.h"

// The ECN field in tunnels.
AIDC_TEST_SUITE("aidc-ip-tunnel-ecn", UNIT);

using N = TunnelNetwork;

constexpr int DROP = -1; //!< the packet does not come out

// Codepoints: Not-ECT 0, ECT(1) 1, ECT(0) 2, CE 3.
constexpr std::array<int, 4> CODEPOINTS{0, 1, 2, 3};

/// RFC 6040, figure 4, by inner and outer codepoint.
constexpr int FIGURE_4[4][4] = {{0, 0, 0, DROP}, {1, 1, 1, 3}, {2, 1, 2, 3}, {3, 3, 3, 3}};
/// The alarms of that figure: 0 for none, 1 for (!), 3 for (!!!).
constexpr int ALARMS[4][4] = {{0, 3, 3, 3}, {0, 0, 1, 0}, {0, 0, 0, 0}, {0, 3, 0, 0}};

/// Every inner codepoint below every outer one, through a tunnel whose outer header a core router
/// changes.
class EcnTestCase : public DatapathTestCase
{
  public:
    EcnTestCase(SwitchDatapath::Mode mode, const std::string& ingress, const std::string& egress)
        : DatapathTestCase("RFC 6040, 4.1 and 4.2: all cells, " + ingress + ", " + egress, mode),
          m_ingress(ingress),
          m_egress(egress)
    {
    }

  private:
    /// A packet that has arrived with a mark or an alarm.
    struct Arrival
    {
        int inner;           //!< the inner codepoint
        int outer;           //!< the outer codepoint
        TunnelEcnCell cell;  //!< what RFC 6040 says
        uint16_t sourcePort; //!< of its flow
    };

    void DoRun() override
    {
        N::Settings settings;
        settings.mode = m_mode;
        settings.tunnel = {{"IngressMode", m_ingress}, {"EgressMode", m_egress}};
        N network(settings);
        const auto writer = network.AddEcnWriter();
        std::vector<Arrival> arrivals;
        ConnectTrace(
            network.back,
            "EcnArrival",
            [&arrivals](const FlowKey& flow,
                        EcnCodepoint inner,
                        EcnCodepoint outer,
                        const TunnelEcnCell& cell) {
                arrivals.push_back(
                    {static_cast<int>(inner), static_cast<int>(outer), cell, flow.sourcePort});
            });
        // Row by row: the outer header as it is, then every codepoint. DSCP 46 stays.
        int slot = 0;
        for (const int inner : CODEPOINTS)
        {
            for (int written = -1; written < 4; ++written)
            {
                DatagramSpec spec;
                spec.tos = static_cast<uint8_t>(46 << 2 | inner);
                spec.port = static_cast<uint16_t>(1000 + slot);
                const Time when = MicroSeconds(100 * slot++);
                network.SendAt(when, MakeDatagram(spec));
                Simulator::Schedule(when, [writer, written] { writer->SetCodepoint(written); });
            }
        }
        Simulator::Run();

        for (const auto& [hop, packets] : network.sent)
        {
            for (const auto& packet : packets)
            {
                const bool isInWan = hop.first != N::A && hop.second != N::B;
                NS_TEST_EXPECT_MSG_EQ(CountHeaders(packet.bytes),
                                      (isInWan ? 2 : 1),
                                      "checksums from node " << hop.first);
                for (std::size_t at = 0; at < (isInWan ? 40 : 20); at += 20)
                {
                    NS_TEST_EXPECT_MSG_EQ((packet.bytes[at + 1] >> 2), 46, "the DSCP");
                }
            }
        }
        Check(network, arrivals);
    }

    void Check(N& network, const std::vector<Arrival>& arrivals)
    {
        IpTunnelStatistics expected;
        auto entered = network.sent[{N::P1, N::C1}].begin();
        auto marked = network.sent[{N::C1, N::P2}].begin();
        auto left = network.sent[{N::P2, N::B}].begin();
        auto arrival = arrivals.begin();
        NS_TEST_ASSERT_MSG_EQ((network.sent[{N::P1, N::C1}].size()), 20, "packets that entered");
        for (const int inner : CODEPOINTS)
        {
            for (int written = -1; written < 4; ++written, ++entered, ++marked)
            {
                const int begun = m_ingress == "Normal" ? inner : 0;
                const int outer = written < 0 ? begun : written;
                NS_TEST_EXPECT_MSG_EQ((entered->bytes[1] & 3), begun, "RFC 6040, figure 3");
                NS_TEST_EXPECT_MSG_EQ((entered->bytes[21] & 3), inner, "below it");
                NS_TEST_EXPECT_MSG_EQ((marked->bytes[1] & 3), outer, "as it was written");
                NS_TEST_EXPECT_MSG_EQ((marked->bytes[21] & 3), inner, "below it");
                const bool isPipe = m_egress == "PipeForEct1" && inner == 2 && outer == 1;
                const int result = isPipe ? inner : FIGURE_4[inner][outer];
                const int alarm = ALARMS[inner][outer];
                const bool isLight = outer == 1 && (inner == 1 || inner == 2);
                const bool isSevere = outer == 3 && (inner == 1 || inner == 2);
                if (alarm > 0 || isLight || isSevere)
                {
                    AIDC_ASSERT(arrival != arrivals.end(), "traced");
                    NS_TEST_EXPECT_MSG_EQ(arrival->inner, inner, "traced");
                    NS_TEST_EXPECT_MSG_EQ(arrival->outer, outer, "traced");
                    NS_TEST_EXPECT_MSG_EQ(arrival->cell.isLight, isLight, "traced");
                    NS_TEST_EXPECT_MSG_EQ(arrival->cell.isDropped, (result == DROP), "traced");
                    NS_TEST_EXPECT_MSG_EQ(arrival->sourcePort,
                                          1000 + (entered - network.sent[{N::P1, N::C1}].begin()),
                                          "the inner flow");
                    ++arrival;
                }
                expected.lightMarks += isLight;
                expected.severeMarks += isSevere;
                expected.possibleAlarms += alarm == 1;
                expected.dangerousAlarms += alarm == 3;
                expected.ecnDrops += result == DROP;
                if (result != DROP)
                {
                    AIDC_ASSERT((left != network.sent[{N::P2, N::B}].end()), "out");
                    NS_TEST_EXPECT_MSG_EQ((left->bytes[1] & 3),
                                          result,
                                          "RFC 6040, figure 4: " << inner << " below " << outer);
                    ++left;
                }
            }
        }
        AIDC_EXPECT((left == network.sent[{N::P2, N::B}].end()), "no more packets");
        AIDC_EXPECT(arrival == arrivals.end(), "no more traces");
        const auto& found = network.back->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(found.lightMarks, expected.lightMarks, "light marks");
        NS_TEST_EXPECT_MSG_EQ(found.severeMarks, expected.severeMarks, "severe marks");
        NS_TEST_EXPECT_MSG_EQ(found.possibleAlarms, expected.possibleAlarms, "(!)");
        NS_TEST_EXPECT_MSG_EQ(found.dangerousAlarms, expected.dangerousAlarms, "(!!!)");
        NS_TEST_EXPECT_MSG_EQ(found.ecnDrops, expected.ecnDrops, "drops");
        NS_TEST_EXPECT_MSG_EQ(GetDroppedAtExit(found), expected.ecnDrops, "no other drops");
        NS_TEST_EXPECT_MSG_EQ(found.receivedPackets, 20 - expected.ecnDrops, "conserved");
        const auto datapath = network.nodes.Get(N::P2)->GetObject<SwitchDatapath>();
        NS_TEST_EXPECT_MSG_EQ(datapath->GetNForwarded(),
                              (m_mode == SwitchDatapath::FAST ? found.receivedPackets : 0),
                              "past the stack");
    }

    std::string m_ingress; //!< the attribute IngressMode
    std::string m_egress;  //!< the attribute EgressMode
};

AIDC_ADD_TEST_CASES()
{
    for (const auto mode : {SwitchDatapath::FAST, SwitchDatapath::STACK})
    {
        for (const auto* ingress : {"Normal", "Compatibility"})
        {
            for (const auto* egress : {"Rfc6040", "PipeForEct1"})
            {
                AddTestCase(new EcnTestCase(mode, ingress, egress));
            }
        }
    }
}
