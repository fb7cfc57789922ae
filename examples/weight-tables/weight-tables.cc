// SPDX-License-Identifier: GPL-2.0-only

/// @file
/// @experiment What the small tables of switches cost, compared with exact weights
///
/// The question: path bandwidths are any numbers. A switch has a table for each group of next hops,
/// of a few dozen to a few hundred entries; a next hop has as many entries as its weight says, and
/// a hash chooses an entry. How far are shares from the weights, and how large has a table to be?
///
/// The groups have 8 next hops, the uplinks of a switch of a fat-tree of k = 16. Nothing is
/// simulated: 1,000 groups are drawn, and the tables are computed.
///
///     weights   1   1   1   1   1   1   1   0.37     one link of eight has 37 % of its rate
///     entries  19  19  19  19  19  19  19   7        of 140; which 128 of them are best?
///
/// What is known: WCMP's reduction (Zhou et al., EuroSys 2014) bounds the oversubscription, the
/// share of entries that a next hop has over the share that its weight gives it, for the worst next
/// hop.
///
/// Scenarios: one-N and all-N, of tables of N entries. In one-N, one link has a random share of its
/// rate, from --least to 1. In all-N, all links have.
///
/// Schemes: ecmp gives each next hop one entry. percent has FRR's whole percents and as many
/// entries as these need, so N makes no difference. fill uses all N entries by the largest
/// remainder, as a resilient hash table does. wcmp is the reduction to at most N entries.
/// percent-wcmp reduces FRR's percents, as a switch does whose weights come from FRR.
///
/// It prints one row per scheme and scenario: the oversubscription of the worst group and the mean
/// of all groups, by how much shares differ in either direction, and the entries in use.

#include "ns3/experiment-base.h"
#include "ns3/next-hop-weights.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// The sizes of tables, in entries.
const std::vector<uint32_t> SIZES{16, 32, 64, 128, 256, 512};

/// Make the table of a scheme. All weights are above 0.
std::vector<uint32_t>
MakeTable(const std::string& scheme, const std::vector<double>& weights, uint32_t size)
{
    if (scheme == "ecmp")
    {
        return std::vector<uint32_t>(weights.size(), 1);
    }
    if (scheme == "fill")
    {
        return ApportionEntries(weights, size);
    }
    if (scheme == "wcmp")
    {
        return ReduceWeights(weights, size);
    }
    const auto percents = ScaleWeights(weights, NextHopTableSettings::PERCENT);
    if (scheme == "percent-wcmp")
    {
        return ReduceWeights(percents, size);
    }
    return {percents.begin(), percents.end()};
}

} // namespace

/// The experiment.
class WeightTablesExperiment : public ExperimentBase
{
  public:
    WeightTablesExperiment()
        : ExperimentBase("weight-tables",
                         "Weights as the small tables of switches: WCMP's reduction, the largest "
                         "remainder and FRR's percents, compared with exact weights.",
                         {true, false})
    {
        auto& plan = GetPlan();
        for (const std::string kind : {"one-", "all-"})
        {
            for (const uint32_t size : SIZES)
            {
                plan.scenarios.push_back(kind + std::to_string(size));
            }
        }
        plan.schemes = {"ecmp", "percent", "fill", "wcmp", "percent-wcmp"};
        auto& parameters = GetParameters();
        const auto scenarios = plan.scenarios;
        parameters.AddNames("scenarios",
                            "scenarios to run: one-N or all-N links are degraded, in tables of N "
                            "entries; of " +
                                JoinWords(scenarios, ", "),
                            scenarios,
                            plan.scenarios);
        parameters.AddNames("schemes", "schemes to run", plan.schemes);
        parameters.AddCount("next-hops",
                            "next hops per group, from 2 to " + std::to_string(SIZES.front()),
                            m_nextHops);
        parameters.AddNumber(
            "least",
            "lowest rate of a degraded link, as a share of its full rate",
            m_least,
            [](double value) { return value > 0 && value <= 1; },
            "above 0, up to 1");
        parameters.AddCount("groups", "number of random groups, from 1 to 1000000", m_groups)
            .InSmall("100");
    }

  private:
    void Prepare(ExperimentPlan&) override
    {
        CheckRange("next-hops", m_nextHops, 2, SIZES.front());
        CheckRange("groups", m_groups, 1, 1000000);
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        const auto dash = run.scenario.find('-');
        const auto size = static_cast<uint32_t>(std::stoul(run.scenario.substr(dash + 1)));
        const uint32_t nDegraded = run.scenario.substr(0, dash) == "one" ? 1 : m_nextHops;
        auto share = CreateObject<UniformRandomVariable>();
        share->SetStream(1);
        double oversubscription = 0;
        double mostOversubscription = 0;
        double error = 0;
        double mostError = 0;
        uint64_t nEntries = 0;
        for (uint32_t i = 0; i < m_groups; ++i)
        {
            std::vector<double> weights(m_nextHops, 1);
            for (uint32_t j = 0; j < nDegraded; ++j)
            {
                weights[j] = share->GetValue(m_least, 1);
            }
            const auto entries = MakeTable(run.scheme, weights, size);
            const double found = GetOversubscription(weights, entries);
            oversubscription += found / m_groups;
            mostOversubscription = std::max(mostOversubscription, found);
            const double foundError = GetShareError(weights, entries);
            error += foundError / m_groups;
            mostError = std::max(mostError, foundError);
            for (const uint32_t n : entries)
            {
                nEntries += n;
            }
        }
        ExperimentOutcome outcome;
        outcome.Add("oversubscription_max", mostOversubscription, "1");
        outcome.Add("oversubscription_mean", oversubscription, "1");
        outcome.Add("share_error_max", mostError, "1");
        outcome.Add("share_error_mean", error, "1");
        outcome.Add("entries_mean", static_cast<double>(nEntries) / m_groups, "1");
        return outcome;
    }

    uint32_t m_nextHops{8};  //!< next hops of a group
    double m_least{0.1};     //!< least share of its rate that a degraded link has
    uint32_t m_groups{1000}; //!< groups that are drawn
};

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::WeightTablesExperiment().Main(argc, argv);
}
