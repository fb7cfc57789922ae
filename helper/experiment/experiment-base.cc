/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-base.h"

#include "interrupt-message.h"

#include "ns3/command-line.h"

#include <exception>
#include <iostream>

namespace ns3::aidc
{

ExperimentBase::ExperimentBase(const std::string& name,
                               const std::string& usage,
                               const std::string& ranksHelp)
    : m_usage(usage),
      m_ranksHelp(ranksHelp)
{
    m_plan.name = name;
    m_plan.command = "aidc-" + name;
    m_options.out = "results/" + name;
}

int
ExperimentBase::Main(int argc, char* argv[])
{
    std::vector<std::string> command(argv, argv + argc);
    command.at(0) = "aidc-" + m_plan.name;
    return RunCommand(command);
}

int
ExperimentBase::RunCommand(const std::vector<std::string>& command)
{
    AddOptions();
    m_plan.command = JoinWords(command, " ");
    std::vector<std::string> arguments;
    for (const auto& word : command)
    {
        // There are no arguments without a name, so that this one is the value of the option
        // before it.
        const bool isValue = arguments.size() > 1 && word.rfind('-', 0) != 0 &&
                             arguments.back().rfind("--", 0) == 0 &&
                             arguments.back().find('=') == std::string::npos &&
                             !m_parameters.IsFlag(arguments.back().substr(2));
        if (isValue)
        {
            arguments.back() += "=" + word;
        }
        else
        {
            arguments.push_back(word);
        }
    }
    CommandLine cmd(m_plan.name + ".cc");
    cmd.Usage(m_usage);
    m_parameters.AddTo(cmd);
    cmd.Parse(arguments);
    try
    {
        m_parameters.Apply();
        const InterruptMessage message(command.front() + ": interrupted; " + m_options.out +
                                       " is as it was before");
        Run();
    }
    catch (const std::exception& error)
    {
        std::cerr << command.front() << ": " << error.what() << std::endl;
        return 1;
    }
    return 0;
}

void
ExperimentBase::Set(const std::string& name, const std::string& text)
{
    AddOptions();
    m_parameters.Set(name, text);
    m_plan.command += " --" + name + "=" + text;
}

void
ExperimentBase::Run()
{
    CheckOption(!m_hasRun, "an experiment to run once; make another one");
    m_hasRun = true;
    m_options.Check();
    Prepare(m_plan);
    const MpiRanks ranks(m_options.ranks);
    ExperimentRunner runner(m_plan, m_options, ranks);
    m_parameters.WriteTo(runner.GetSummary());
    runner.Run([&](const ExperimentRun& run) { return MakeRun(run, ranks); });
}

std::string
ExperimentBase::GetFolder() const
{
    return m_options.out;
}

ExperimentPlan&
ExperimentBase::GetPlan()
{
    return m_plan;
}

ExperimentParameters&
ExperimentBase::GetParameters()
{
    return m_parameters;
}

const ExperimentOptions&
ExperimentBase::GetOptions() const
{
    return m_options;
}

void
ExperimentBase::Prepare(ExperimentPlan&)
{
}

void
ExperimentBase::AddOptions()
{
    if (!m_hasOptions)
    {
        m_hasOptions = true;
        m_options.AddTo(m_parameters, m_ranksHelp);
    }
}

} // namespace ns3::aidc
