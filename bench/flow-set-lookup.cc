// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmarks flow_set_lookup, the processor time of a look-up in congestion-aware flow-set
 * switching, and flow_set_entry, the memory of a flow set.
 *
 * A table of 65536 flow sets (1 MiB) is in its steady state: all entries are valid and no port is
 * congested, so that each packet keeps its port, by rule 3. The packets' flows are drawn
 * beforehand, from all hashes alike; the table is looked up in that random order. The figures on
 * the standard error tell what other states cost. Each is the median of a number of runs, and has a
 * limit rather than an alternative to be compared with.
 */

#include "model/core/flow-set/flow-set-switching.h"
#include "paired-timing.h"

#include <numeric>
#include <random>

using namespace ns3::aidc;

namespace
{

constexpr uint32_t TABLE_SIZE = 65536;
constexpr uint32_t RUN = 1U << 18; //!< packets a timed run
constexpr int64_t GAP = 100;       //!< between packets in ns

/**
 * @brief Packets of random flows through a switch.
 */
class Load
{
  public:
    /// Constructor.
    Load(uint32_t nPorts, uint32_t cqi)
        : m_ports(nPorts),
          m_hashes(RUN)
    {
        std::iota(m_ports.begin(), m_ports.end(), 0);
        for (const auto port : m_ports)
        {
            m_switching.GetPorts().Add(port);
            m_switching.GetPorts().Advertise(port, cqi, 0);
        }
        std::generate(m_hashes.begin(), m_hashes.end(), [this] {
            return static_cast<uint32_t>(m_random());
        });
        for (uint32_t flowSet = 0; flowSet < TABLE_SIZE; ++flowSet)
        {
            Send(flowSet);
        }
    }

    /// Send RUN packets.
    void Run()
    {
        for (const auto hash : m_hashes)
        {
            Send(hash);
        }
    }

    /// Get the sum of all egress ports, which needs each of them.
    uint64_t GetSum() const
    {
        return m_sum;
    }

  private:
    /// Forward a packet.
    void Send(uint32_t hash)
    {
        m_now += GAP;
        m_sum += m_switching
                     .Forward(
                         m_table,
                         hash,
                         m_ports.data(),
                         static_cast<uint32_t>(m_ports.size()),
                         m_now,
                         [](uint32_t) { return uint64_t{0}; },
                         [this](uint32_t n) { return static_cast<uint32_t>(m_random() % n); })
                     .port;
    }

    std::mt19937 m_random{1};                           //!< makes the flows and their ports
    std::vector<uint32_t> m_ports;                      //!< the candidates
    std::vector<uint32_t> m_hashes;                     //!< the flows of a run's packets
    FlowSetSwitching m_switching{{}};                   //!< what is measured
    FlowSetTable m_table{TABLE_SIZE, INT64_C(1) << 62}; //!< its flow table
    int64_t m_now{0};                                   //!< the time in ns
    uint64_t m_sum{0};                                  //!< the sum of all egress ports
};

/// Measure a look-up. @return the median in ns
double
Measure(const std::string& text, uint32_t nPorts, uint32_t cqi, uint32_t runs)
{
    Load load(nPorts, cqi);
    std::vector<double> times;
    for (uint32_t i = 0; i < runs; ++i)
    {
        times.push_back(GetProcessorTime([&load] { load.Run(); }) / RUN * 1e9);
    }
    const double median = GetQuantile(times, 0.5);
    std::fprintf(stderr,
                 "  %-50s %.1f ns (quartiles %.1f to %.1f, %u runs, sum %llu)\n",
                 text.c_str(),
                 median,
                 GetQuantile(times, 0.25),
                 GetQuantile(times, 0.75),
                 runs,
                 static_cast<unsigned long long>(load.GetSum()));
    return median;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string lookup = "flow_set_lookup";
    const std::string entry = "flow_set_entry";
    const auto parse = [&](const std::string& name) {
        return ParseBenchmarkOptions(argc,
                                     argv,
                                     name,
                                     "processor time of a look-up in a table of 65536 flow sets, "
                                     "and (flow_set_entry) bytes of a flow set; pairs are runs",
                                     "lookup",
                                     101);
    };
    const auto options = parse(lookup);
    if (!options.only.empty())
    {
        Load load(64, 0);
        for (uint32_t i = 0; i < options.pairs; ++i)
        {
            load.Run();
        }
        return 0;
    }
    if (options.selected)
    {
        std::cerr << lookup << ": a packet of a random flow through FlowSetSwitching" << std::endl;
        const double time = Measure("64 ports, not congested", 64, 0, options.pairs);
        Measure("2 ports, not congested", 2, 0, options.pairs);
        Measure("512 ports, not congested", 512, 0, options.pairs);
        Measure("8 ports, all equally congested", 8, 16, options.pairs);
        Measure("64 ports, all equally congested", 64, 16, options.pairs);
        PrintResult(lookup, time, "ns", "limit 50 ns", options.pairs);
    }
    if (parse(entry).selected)
    {
        PrintResult(entry, sizeof(FlowSetEntry), "byte", "limit 64 B", 1);
    }
    return 0;
}
