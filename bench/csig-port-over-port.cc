// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmark csig_port_over_port: what a packet-hop costs with CSIG in all ports of switches,
 * over what it costs without.
 *
 * The network is a fat-tree of k = 8 with 128 hosts, 100 Gb/s links, and switches that share a
 * buffer among ports of one class and pass packets on by the fast path. Each host sends packets of
 * 1000 bytes at a tenth of its link's rate to one host in another pod. Hosts are traffic generators
 * without protocol stacks. With CSIG they write a tag into each frame, which asks for the draft's
 * three signals in turn, so that each port on the way reads it, measures, quantizes, compares and
 * replaces; in the compact format, which is the result, and in the expanded one.
 *
 * The same with ports that only count, because no frame is tagged, and through ns-3's stack, is
 * printed too. The sides of each pair are in processes of their own, which go on by turns. The
 * seconds are processor time of Simulator::Run().
 */

#include "fat-tree-simulation.h"

#include "ns3/boolean.h"
#include "ns3/csig-helper.h"
#include "ns3/csig-port.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ethernet-port-hooks.h"

#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

/**
 * @brief Writes a tag into each frame that a traffic generator sends.
 */
class Tagger : public EthernetTagProcessor
{
  public:
    /// Constructor.
    explicit Tagger(CsigFormat format)
    {
        m_known.kinds[0] = {CsigTpids().Get(format), static_cast<uint8_t>(GetCsigTagSize(format))};
        constexpr std::array<CsigSignal, 3> SIGNALS{CsigSignal::ABW,
                                                    CsigSignal::ABW_RATIO,
                                                    CsigSignal::HOP_DELAY};
        for (std::size_t i = 0; i < SIGNALS.size(); ++i)
        {
            m_contexts[i].tagSize = static_cast<uint8_t>(
                EncodeCsigTag(MakeCsigRequest(format, SIGNALS[i]), {}, m_contexts[i].tag.data()));
        }
    }

    KnownTags GetKnownTags() const override
    {
        return m_known;
    }

    bool Receive(EthernetNetDevice&, const EthernetFrame&, FrameContext&) override
    {
        return true;
    }

    void Transmit(EthernetNetDevice&, const EthernetFrame&, FrameContext& context) override
    {
        context = m_contexts[m_next];
        m_next = m_next + 1 < m_contexts.size() ? m_next + 1 : 0;
    }

  private:
    KnownTags m_known;                      //!< the kind of tag
    std::array<FrameContext, 3> m_contexts; //!< a tag each
    std::size_t m_next{0};                  //!< the tag of the next frame
};

/// Give the ports of all switches CSIG.
void
InstallSwitches(const FabricHelper& network)
{
    CsigHelper helper;
    helper.SetPortAttribute("Trusted", BooleanValue(true));
    helper.Install(network, network.GetFabric().GetSwitches());
}

/// Give the ports of all switches CSIG, and let hosts tag.
template <CsigFormat F>
void
InstallAll(const FabricHelper& network)
{
    InstallSwitches(network);
    for (const NodeIndex host : network.GetFabric().GetHosts())
    {
        const auto device = DynamicCast<EthernetNetDevice>(network.GetHostDevice(host));
        device->SetTagProcessor(Create<Tagger>(F));
        device->SetKeepContext(false); // a traffic generator has no use for it
    }
}

constexpr int64_t TURN = 20000; //!< ns of simulated time in a turn
constexpr uint32_t TURNS = 40;  //!< turns of each side in a pair

/// Prepares a network.
using Prepare = void (*)(const FabricHelper&);

/// Say what to simulate. @param prepare what to do to the network; nothing if null
FatTreeSetting
MakeSetting(Prepare prepare, SwitchDatapath::Mode datapath = SwitchDatapath::FAST)
{
    FatTreeSetting setting;
    setting.k = 8;
    setting.turn = TURN;
    setting.datapath = datapath;
    setting.hasStacks = false;
    setting.hasWindows = true;
    setting.prepare = prepare;
    return setting;
}

/// What turns have taken.
struct Taken
{
    double seconds{0}; //!< processor time
    double hops{0};    //!< packet-hops

    /// Let a simulation take a turn.
    void AddTurn(ChildProcess& simulation)
    {
        const FatTreeTurn turn(simulation.Run());
        seconds += turn.seconds;
        hops += turn.hops;
    }
};

/// Measure what CSIG costs, and print it for the reader.
PairedRatio
Compare(const std::string& text,
        const FatTreeSetting& with,
        const FatTreeSetting& without,
        uint32_t pairs)
{
    PairedTiming timing;
    for (uint32_t i = 0; i < pairs; ++i)
    {
        // Where a process happens to have its memory is worth some per cent: each pair has new
        // ones.
        const auto csig = StartFatTree(with);
        const auto plain = StartFatTree(without);
        // In short turns, both sides get the same share of whatever else the machine does.
        Taken withTime;
        Taken withoutTime;
        for (uint32_t turn = 0; turn < TURNS; ++turn)
        {
            const bool isFirst = turn % 2 == 0;
            (isFirst ? withTime : withoutTime).AddTurn(isFirst ? *csig : *plain);
            (isFirst ? withoutTime : withTime).AddTurn(isFirst ? *plain : *csig);
        }
        timing.Add(withTime.seconds / withTime.hops, withoutTime.seconds / withoutTime.hops);
    }
    const PairedRatio ratio = timing.Get();
    std::fprintf(stderr,
                 "  %-28s %.3f (quartiles %.3f to %.3f, %zu pairs) of %.0f ns\n",
                 text.c_str(),
                 ratio.median,
                 ratio.lowerQuartile,
                 ratio.upperQuartile,
                 ratio.pairs,
                 ratio.seconds * 1e9);
    return ratio;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string name = "csig_port_over_port";
    const auto options = ParseBenchmarkOptions(
        argc,
        argv,
        name,
        "processor time of a packet-hop with CSIG in all ports of switches, over that without",
        "csig plain",
        25);
    const auto plain = MakeSetting(nullptr);
    const auto compact = MakeSetting(InstallAll<CsigFormat::COMPACT>);
    if (!options.only.empty())
    {
        FatTreeSimulation simulation(options.only == "csig" ? compact : plain);
        for (uint32_t i = 0; i < options.pairs; ++i)
        {
            simulation.Run();
        }
        return 0;
    }
    if (!options.selected)
    {
        return 0;
    }
    std::cerr << name << std::endl;
    PrintResult(name,
                "the same ports without CSIG",
                Compare("compact", compact, plain, options.pairs));
    Compare("expanded", MakeSetting(InstallAll<CsigFormat::EXPANDED>), plain, options.pairs);
    Compare("no frame is tagged", MakeSetting(InstallSwitches), plain, options.pairs);
    Compare("compact, through the stack",
            MakeSetting(InstallAll<CsigFormat::COMPACT>, SwitchDatapath::STACK),
            MakeSetting(nullptr, SwitchDatapath::STACK),
            options.pairs);
    return 0;
}
