// SPDX-License-Identifier: GPL-2.0-only

#include "test/helper/test-switches.h"
#include "test/test-case.h"

#include "ns3/experiment-base.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/shared-buffer.h"

// What experiments are: options, switches, runs.
AIDC_TEST_SUITE("aidc-experiment-base", UNIT);

/// An experiment whose runs tell the settings of a switch with two links of 10 Gb/s and 1 us.
class SwitchExperiment : public ExperimentBase
{
  public:
    SwitchExperiment()
        : ExperimentBase("switch", "The settings of a switch.", {true, true})
    {
        GetPlan().scenarios = {"only"};
        GetPlan().schemes = {"static", "coupled"};
        m_switch.AddBufferTo(GetParameters());
        m_switch.AddStaticMarkingTo(GetParameters());
        m_switch.AddCoupledMarkingTo(GetParameters(), GetPlan());
    }

    mutable std::string told; //!< the settings by scheme, in words, if all runs are made here

  private:
    void Prepare(ExperimentPlan& plan) override
    {
        if (GetOptions().small)
        {
            plan.schemes = {"coupled"};
        }
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        auto node = MakeNode({{"10Gbps", "1us"}, {"10Gbps", "1us"}});
        const auto switches = m_switch.Make(run.scheme);
        const auto roots = switches.Install(node);
        Simulator::Run();
        told += run.scheme + ": " + GetText(node->GetObject<SharedBuffer>(), "Size");
        for (uint32_t i = 0; i < roots.GetN(); ++i)
        {
            const auto coupled = GetCoupled(roots.Get(i), 0);
            const auto share = coupled;
            told += " | " + GetText(share, "Alpha") + " " + GetText(share, "Cap") + " " +
                    GetText(coupled, "Mode") + " " + GetText(coupled, "Threshold") + " " +
                    std::to_string(coupled->GetEffectiveOffset()) + " " +
                    GetText(coupled, "EcnFloor");
        }
        told += "\n";
        Simulator::Destroy();
        return {};
    }

    ExperimentSwitchOptions m_switch; //!< the switch
};

/// How a command has ended.
struct Ended
{
    int status;         //!< what main() returns
    std::string output; //!< what was printed
    std::string errors; //!< the same of errors
};

/// Run an experiment with a command line, without letting it print.
Ended
RunCommand(ExperimentBase& experiment, const std::vector<std::string>& arguments)
{
    std::vector<std::string> command{"aidc-switch"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const CapturedStream out(std::cout);
    const CapturedStream err(std::cerr);
    const int status = experiment.RunCommand(command);
    return {status, out.GetText(), err.GetText()};
}

void
Expect(const std::vector<std::string>& arguments,
       const std::vector<std::string>& expected,
       const std::vector<std::string>& parameters)
{
    auto planned = arguments;
    planned.emplace_back("--plan");
    SwitchExperiment plan;
    const auto said = RunCommand(plan, planned);
    NS_TEST_EXPECT_MSG_EQ(said.status, 0, said.errors);
    for (const auto& parameter : parameters)
    {
        NS_TEST_EXPECT_MSG_NE(said.output.find(parameter),
                              std::string::npos,
                              parameter << " in " << said.output);
    }
    for (const auto& one : expected)
    {
        auto only = arguments;
        only.push_back("--only=" + one.substr(0, one.find(':')) + "@only");
        SwitchExperiment experiment;
        const auto ended = RunCommand(experiment, only);
        NS_TEST_EXPECT_MSG_EQ(ended.status, 0, ended.errors);
        NS_TEST_EXPECT_MSG_EQ(experiment.told, one, "the switch");
    }
}

// Values from the command line apply to the buffer, its queues and their queue discs, and to the
// plan. What is derived: Offset = rate * RTT / 8 + MTU, with the RTT of 4 us of the links 5,000 +
// 1,500, with 20 us 25,000 + 1,500; ECN_Floor is a seventh of rate * RTT / 8, but at least 30,000
// (sections 6.2 and 6.3), with 400 us 71,428.
AIDC_TEST_CASE("ExperimentBase: from the command line to the switch and the plan")
{
    const auto print =
        [](const std::string& scheme, const std::string& size, const std::string& port) {
            return scheme + ": " + size + " | " + port + " | " + port + "\n";
        };
    Expect({},
           {print("static", "12000000B", "1 0B StaticStep 200000B 6500 30000B"),
            print("coupled", "12000000B", "1 0B Coupled 200000B 6500 30000B")},
           {"\"pairs\": [[\"only\", \"static\"], [\"only\", \"coupled\"]]",
            "\"buffer\": {\"value\": 12000000, \"unit\": \"byte\"}",
            "\"alpha\": 1,",
            "\"cap\": {\"value\": 0, \"unit\": \"byte\"}",
            "\"marking\": {\"value\": 200000, \"unit\": \"byte\"}",
            "\"offset\": {\"value\": 0, \"unit\": \"byte\"}",
            "\"rtt\": {\"value\": 0, \"unit\": \"s\"}"});
    Expect({"--small", "--rtt=20us", "--alpha=0.25", "--cap=300kB", "--buffer", "6MB"},
           {print("coupled", "6000000B", "0.25 300000B Coupled 200000B 26500 30000B")},
           {"\"pairs\": [[\"only\", \"coupled\"]]",
            "\"buffer\": {\"value\": 6000000, \"unit\": \"byte\"}",
            "\"alpha\": 0.25,",
            "\"cap\": {\"value\": 300000, \"unit\": \"byte\"}"});
    Expect({"--small", "--offset", "77kB", "--rtt", "400us"},
           {print("coupled", "12000000B", "1 0B Coupled 200000B 77000 71428B")},
           {"\"offset\": {\"value\": 77000, \"unit\": \"byte\"}",
            "\"rtt\": {\"value\": 0.0004, \"unit\": \"s\"}"});
    Expect({"--marking=1MB", "--seed", "9"},
           {print("static", "12000000B", "1 0B StaticStep 1000000B 6500 30000B"),
            print("coupled", "12000000B", "1 0B Coupled 200000B 6500 30000B")},
           {});
}

// Errors of options end a command with a message and status 1, and are exceptions elsewhere.
AIDC_TEST_CASE("ExperimentBase: errors, options one by one")
{
    const std::vector<std::pair<std::string, std::string>> refused{
        {"--alpha=0", "--alpha to be from 1/65536 to 65536, found \"0\""},
        {"--alpha=8x", "--alpha to be from 1/65536 to 65536, found \"8x\""},
        {"--buffer=0B",
         "--buffer to be a size in B, kB, KB, KiB, MB or MiB, such as 200kB, found \"0B\""},
        {"--cap=10us",
         "--cap to be a size in B, kB, KB, KiB, MB or MiB, such as 200kB, found \"10us\""},
        {"--offset=5",
         "--offset to be a size in B, kB, KB, KiB, MB or MiB, such as 200kB, found \"5\""},
        {"--rtt=12", "--rtt to be a time with its unit, such as 100us, found \"12\""},
        {"--run=0", "--run to be at least 1"},
        {"--only=red@only", "--only to be SCHEME@SCENARIO of --plan, found \"red@only\""}};
    for (const auto& [argument, expected] : refused)
    {
        SwitchExperiment experiment;
        const auto ended = RunCommand(experiment, {argument});
        NS_TEST_EXPECT_MSG_EQ(ended.status, 1, argument);
        NS_TEST_EXPECT_MSG_EQ(ended.errors, "aidc-switch: expected " + expected + "\n", argument);
        NS_TEST_EXPECT_MSG_EQ(experiment.told, "", "nothing has run");
    }
    const std::vector<std::pair<std::string, std::string>> unknown{
        {"--alhpa=1", "--alhpa (did you mean --alpha?)"}, // two substitutions of five letters
        {"--bufer=1MB", "--bufer (did you mean --buffer?)"},
        {"--colour=red", "--colour"}};
    for (const auto& [argument, expected] : unknown)
    {
        SwitchExperiment experiment;
        NS_TEST_EXPECT_MSG_EQ(RunCommand(experiment, {argument}).errors,
                              "aidc-switch: there is no option " + expected +
                                  "; --help lists them\n",
                              argument);
    }

    SwitchExperiment experiment;
    const std::string error = MessageOf([&] { experiment.Set("alpha", "none"); });
    NS_TEST_EXPECT_MSG_EQ(error,
                          "expected --alpha to be from 1/65536 to 65536, found \"none\"",
                          "set one by one");
    experiment.Set("alpha", "4");
    experiment.Set("small", "true");
    const auto outcome = experiment.Run();
    NS_TEST_ASSERT_MSG_EQ(outcome.metrics.size(), 1, "what it has measured");
    NS_TEST_EXPECT_MSG_EQ(outcome.metrics[0].name, "wall_time", "what it has measured");
    NS_TEST_EXPECT_MSG_EQ(experiment.told,
                          "coupled: 12000000B | 4 0B Coupled 200000B 6500 30000B | "
                          "4 0B Coupled 200000B 6500 30000B\n",
                          "what was set");
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { experiment.Run(); }),
                          "expected an experiment to run once; make another one",
                          "a second time");
}
