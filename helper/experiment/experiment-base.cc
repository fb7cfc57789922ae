/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-base.h"

#include "experiment-names.h"
#include "rank-starter.h"
#include "results-folder.h"
#include "started-rank.h"

#include "ns3/command-line.h"
#include "ns3/global-value.h"
#include "ns3/interrupt-message.h"
#include "ns3/mpi-ranks.h"
#include "ns3/rank-environment.h"
#include "ns3/uncaught-error.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <new>
#include <set>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// @param name its name
/// @return whether all programs of ns-3 have it: it asks for help, or sets a global value
bool
IsOfNs3(const std::string& name)
{
    const auto isOfName = [&name](const GlobalValue* value) { return value->GetName() == name; };
    return name == "help" || name == "h" || name == "version" || name.rfind("Print", 0) == 0 ||
           std::any_of(GlobalValue::Begin(), GlobalValue::End(), isOfName);
}

/// Refuse those of ns-3's global values that options set.
/// @param name the name of an option of ns-3's
/// @throws std::runtime_error that names the experiment's option
void
CheckGlobalValue(const std::string& name)
{
    const std::map<std::string, std::string> OPTIONS{
        {"SimulatorImplementationType", "--simulator=windows or default"},
        {"RngSeed", "--seed"},
        {"RngRun", "--runs, which counts from run 1 on,"}};
    const auto option = OPTIONS.find(name);
    if (option != OPTIONS.end())
    {
        CheckOption(false, option->second + " in place of --" + name);
    }
}

/// @param name its name
/// @return whether it is the default of an attribute, by its form
bool
IsAttribute(const std::string& name)
{
    return name.find("::") != std::string::npos;
}

} // namespace

ExperimentBase::ExperimentBase(const std::string& name,
                               const std::string& usage,
                               const ExperimentAbilities& abilities)
    : m_usage(usage),
      m_abilities(abilities)
{
    m_plan.name = name;
    m_plan.command = "aidc-" + name;
    m_options.out = "results/" + name;
}

int
ExperimentBase::Main(int argc, char* argv[])
{
    StartedRank::Get();
    ThrowFatalErrors(); // or they would end by SIGABRT, and leave what is not whole
    std::vector<std::string> command(argv, argv + argc);
    m_program = command;
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
    try
    {
        const auto options = TakeOptions(arguments);
        CommandLine cmd(m_plan.name + ".cc");
        cmd.Usage(m_usage);
        m_parameters.AddTo(cmd);
        cmd.Parse(arguments);
        for (const auto& [name, text] : options)
        {
            Take(name, text);
        }
        m_options.isTerminal = isatty(STDERR_FILENO) == 1;
        // https://no-color.org
        m_options.hasColors = isatty(STDOUT_FILENO) == 1 && !std::getenv("NO_COLOR");
        TakeSmall(); // before the message, as the folder is another one
        const InterruptMessage message(command.front() + ": interrupted; " + m_options.out +
                                       " is as it was before");
        Run();
    }
    catch (const OtherRankFailed&)
    {
        return 1; // that one tells why
    }
    catch (const std::exception& error)
    {
        if (m_isChecked || GetLaunchedRank() == 0) // all ranks have the same options
        {
            std::cerr << command.front() << ": " << error.what() << std::endl;
        }
        return 1;
    }
    return m_hasFigures ? 0 : 1;
}

std::map<std::string, std::string>
ExperimentBase::TakeOptions(std::vector<std::string>& arguments) const
{
    std::map<std::string, std::string> options;
    std::set<std::string> given;
    std::vector<std::string> others{arguments.front()};
    for (std::size_t i = 1; i < arguments.size(); ++i)
    {
        const std::string& argument = arguments[i];
        const std::size_t begin = argument.find_first_not_of('-');
        if (begin == 0 || begin == std::string::npos)
        {
            throw std::runtime_error("expected options such as --name=value, found \"" + argument +
                                     "\"; a value with blanks needs quotes");
        }
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(begin, equals - begin);
        const bool isOwn = m_parameters.Has(name) || IsAttribute(name);
        if (!isOwn && !IsOfNs3(name))
        {
            const auto similar = FindSimilar(name, m_parameters.GetNames());
            throw std::runtime_error("there is no option --" + name +
                                     (similar.empty() ? "" : " (did you mean --" + similar + "?)") +
                                     "; --help lists them");
        }
        if (!given.insert(name).second)
        {
            throw std::runtime_error("--" + name + " is given twice");
        }
        if (!isOwn)
        {
            CheckGlobalValue(name);
            others.push_back(argument);
        }
        else if (equals == std::string::npos)
        {
            options[name] = m_parameters.IsFlag(name) ? "true" : "";
        }
        else
        {
            options[name] = argument.substr(equals + 1);
        }
    }
    arguments = others;
    return options;
}

void
ExperimentBase::Take(const std::string& name, const std::string& text)
{
    IsAttribute(name) ? m_defaults.Set(name, text) : m_parameters.Set(name, text);
}

void
ExperimentBase::Set(const std::string& name, const std::string& text)
{
    AddOptions();
    Take(name, text);
    m_plan.command += " --" + name + "=" + text;
}

void
ExperimentBase::Run()
{
    CheckOption(!m_hasRun, "an experiment to run once; make another one");
    m_hasRun = true;
    const AttributeDefaults defaults(std::move(m_defaults)); // restored however the run ends
    TakeSmall();
    m_options.Check(m_abilities);
    m_isChecked = true;
    if (m_options.ranks == 1)
    {
        RunHere();
    }
    else if (m_program.empty() || IsLaunchedAsRank() || !MpiRanks::IsAvailable())
    {
        RunAsRank();
    }
    else
    {
        StartRanks();
    }
}

void
ExperimentBase::TakeSmall()
{
    if (m_options.small)
    {
        m_parameters.TakeSmall();
    }
}

void
ExperimentBase::CheckParameters()
{
    Prepare(m_plan);
    m_parameters.Check();
}

void
ExperimentBase::RunHere()
{
    CheckParameters();
    ExperimentRunner runner(m_plan, m_options);
    m_parameters.WriteTo(runner.GetSummary());
    m_hasFigures = runner.Run([&](const ExperimentRun& run) { return MakeRun(run); });
}

void
ExperimentBase::RunAsRank()
{
    auto& started = StartedRank::Get();
    const MpiRanks ranks(m_options.ranks);
    try
    {
        RunHere();
        started.Finish(m_hasFigures);
    }
    catch (const OtherRankFailed&)
    {
        started.Leave();
        throw;
    }
    catch (const std::bad_alloc&)
    {
        TellFailure("out of memory");
    }
    catch (const std::exception& error)
    {
        TellFailure(error.what());
    }
}

void
ExperimentBase::TellFailure(const std::string& text)
{
    const auto& ranks = MpiRanks::Get();
    if (StartedRank::Get().IsStarted())
    {
        StartedRank::Get().Fail(text);
        MpiRanks::Abandon();
        throw OtherRankFailed(ranks.GetRank());
    }
    switch (ranks.Fail())
    {
    case MpiRanks::Failure::OF_ALL:
        throw std::runtime_error(text);
    case MpiRanks::Failure::FIRST:
        throw std::runtime_error("rank " + std::to_string(ranks.GetRank()) + ": " + text);
    default:
        throw OtherRankFailed();
    }
}

void
ExperimentBase::StartRanks()
{
    CheckParameters(); // before there are any
    RankStarter starter(m_options.ranks, m_program);
    m_hasFigures = starter.Run([this] { ResultsFolder::RemovePartial(m_options.out); });
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
        m_options.runs = m_plan.runs;
        m_options.AddTo(m_parameters, m_abilities);
        if (m_plan.runs > 1)
        {
            m_parameters.Get("runs").InSmall("1");
        }
    }
}

} // namespace ns3::aidc
