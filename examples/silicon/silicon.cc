// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @experiment What real switch chips do, and what the module does, side by side
 *
 * The question: do switches here pause, drop and mark where real chips do?
 *
 *     tester's port 0 ----\
 *           ...            +---- switch of a chip ---- tester's port n    which blocks by PFC
 *     tester's port n-1 --/
 *
 * What is known: counts of frames at which chips pause, drop and go on, out of public tests of
 * hardware; headroom by rate and cable, out of public configurations; an incast of RoCEv2 through
 * a switch with measured latencies; and what tests of marking expect. Each number has its source,
 * in the files of the chips (examples/data/chips) and in rows.csv.
 *
 * Scenarios: thresholds (frames until a pause, a loss, a resume), headroom (our derivation next to
 * what is published), marking, kernel-tests (marks and scheduling as the Linux kernel tests them),
 * incast, line-rate, and busy-queues: from which number of busy queues on a static Kmax is above
 * Buf_Thrd, and what a coupled threshold does there.
 *
 * Schemes: the chips. With --chip, one of them, or own, the chip of a user's file.
 *
 * It prints how many rows are equal to the published numbers, within the tolerance, and not.
 */

#include "silicon-rows.h"

#include "ns3/experiment-base.h"
#include "ns3/experiment-results.h"
#include "ns3/nstime.h"
#include "ns3/switch-chip.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// The chip of the incast, of the line rate and of the marks that chips expect of any
constexpr const char* MEASURED_CHIP = "tomahawk-5";

/// The scheme of a chip that is not one of the module's
constexpr const char* OWN = "own";

/// Upper ends of marking bands: of Tomahawk 5's configuration, of SONiC's test and of its plan
const std::vector<uint32_t> KMAXS{262144, 900000, 2000000};

/// @return a text as a cell of CSV
std::string
Quote(const std::string& text)
{
    std::string quoted = "\"";
    for (const char c : text)
    {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

/// @return a number with up to 7 digits
std::string
Shorten(double number)
{
    std::ostringstream os;
    os.precision(7);
    os << number;
    return os.str();
}

/// @return equal, within, differs, or not known
std::string
GetVerdict(const SiliconRow& row)
{
    if (row.tolerance < 0)
    {
        return "not known";
    }
    const double difference = std::abs(row.ours - row.published);
    return difference == 0 ? "equal" : difference <= row.tolerance ? "within" : "differs";
}

/// @return the metrics of the rows of a run, and its lines of rows.csv
ExperimentOutcome
MakeOutcome(const std::vector<SiliconRow>& rows, const std::string& chip)
{
    ExperimentOutcome outcome;
    const auto count = [&rows](const std::string& verdict) {
        return static_cast<double>(std::count_if(rows.begin(), rows.end(), [&](const auto& row) {
            return GetVerdict(row) == verdict;
        }));
    };
    outcome.Add("rows", rows.size(), "1");
    outcome.Add("equal", count("equal"), "1");
    outcome.Add("within", count("within"), "1");
    outcome.Add("differs", count("differs"), "1");
    outcome.Add("not_known", count("not known"), "1");
    double most = 0;
    for (const auto& row : rows)
    {
        if (row.tolerance >= 0 && row.published != 0)
        {
            most = std::max(most, std::abs(row.ours / row.published - 1));
        }
    }
    outcome.Add("difference_max", most, "1");
    for (const auto& row : rows)
    {
        outcome.lines.push_back(
            {"rows.csv",
             "chip,quantity,how,published,ours,difference,tolerance,unit,verdict,note,source",
             chip + "," + Quote(row.quantity) + "," + Quote(row.how) + "," +
                 Shorten(row.published) + "," + Shorten(row.ours) + "," +
                 Shorten(row.ours - row.published) + "," +
                 (row.tolerance < 0 ? "" : Shorten(row.tolerance)) + "," + row.unit + "," +
                 GetVerdict(row) + "," + Quote(row.note) + "," + Quote(row.source)});
    }
    return outcome;
}

} // namespace

/// The experiment.
class SiliconExperiment : public ExperimentBase
{
  public:
    SiliconExperiment()
        : ExperimentBase(
              "silicon",
              "What real switch chips do and what the module does, side by side: pauses, "
              "losses, headroom, marks, and an incast with measured latencies.",
              {false, false})
    {
        auto& plan = GetPlan();
        plan.scenarios = {"thresholds",
                          "headroom",
                          "marking",
                          "kernel-tests",
                          "incast",
                          "line-rate",
                          "busy-queues"};
        plan.schemes = SwitchChip::GetNames();
        for (const std::string scenario : {"marking", "kernel-tests", "incast", "line-rate"})
        {
            plan.schemesOf[scenario] = {MEASURED_CHIP};
        }
        auto& parameters = GetParameters();
        parameters.AddNames("scenarios", "what is measured", plan.scenarios);
        auto schemes = plan.schemes;
        schemes.emplace_back(OWN);
        parameters.AddNames("schemes",
                            "chips: " + JoinWords(schemes, ", ") + "; own is the chip of --chip",
                            schemes,
                            plan.schemes);
        parameters.AddText(
            "chip",
            "the only chip: a name, or a file of your own; :PROFILE behind it chooses its "
            "configuration for headroom and busy-queues",
            m_chip,
            "all");
        parameters
            .AddCount("repeats",
                      "repetitions of a procedure of marking, from 1 to 10000",
                      m_repeats)
            .InSmall("20");
        parameters.AddTime("time", "simulated time that the incast counts", m_time).InSmall("5ms");
    }

  private:
    void Prepare(ExperimentPlan& plan) override
    {
        CheckRange("repeats", m_repeats, 1, 10000);
        if (m_chip.empty())
        {
            CheckOption(!plan.HasScheme({OWN}), "--chip with --schemes=" + std::string(OWN));
            return;
        }
        const auto names = SwitchChip::GetNames();
        const auto name = SwitchChip::Find(m_chip)->GetName();
        const bool isKnown = std::find(names.begin(), names.end(), name) != names.end();
        plan.schemes = {isKnown ? name : OWN};
        if (name != MEASURED_CHIP)
        {
            const auto isOfOne = [&plan](const auto& scenario) {
                return plan.schemesOf.count(scenario) > 0;
            };
            plan.scenarios.erase(
                std::remove_if(plan.scenarios.begin(), plan.scenarios.end(), isOfOne),
                plan.scenarios.end());
            CheckOption(!plan.scenarios.empty(),
                        "--scenarios with numbers of the chip: thresholds, headroom, busy-queues");
        }
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        const auto& options = GetOptions();
        const std::string chip = m_chip.empty() ? run.scheme : m_chip;
        const std::string name = SwitchChip::Find(chip)->GetName();
        run.Announce(1);
        const auto kmaxs = options.small ? std::vector<uint32_t>{KMAXS.back()} : KMAXS;
        const std::map<std::string, std::function<std::vector<SiliconRow>()>> measures{
            {"thresholds", [&] { return MeasureThresholds(options, chip); }},
            {"headroom", [&] { return DeriveHeadroom(options, chip); }},
            {"marking", [&] { return MeasureMarking(options, m_repeats); }},
            {"kernel-tests", [&] { return MeasureKernelTests(options); }},
            {"incast", [&] { return MeasureIncast(options, chip, m_time); }},
            {"line-rate", [&] { return MeasureLineRate(options, chip, MilliSeconds(2)); }},
            {"busy-queues", [&] { return MeasureBusyQueues(options, chip, kmaxs); }}};
        const bool isOfAny = run.scenario == "marking" || run.scenario == "kernel-tests";
        return MakeOutcome(measures.at(run.scenario)(), isOfAny ? "any" : name);
    }

    std::string m_chip;            //!< name or file of the only chip; empty for all
    uint32_t m_repeats{200};       //!< repetitions of a procedure of marking
    Time m_time{MilliSeconds(20)}; //!< simulated time of the incast
};

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::SiliconExperiment().Main(argc, argv);
}
