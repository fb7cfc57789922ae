// SPDX-License-Identifier: GPL-2.0-only

#include "experiment-base.h"

#include "../../model/aidc-compat.h"
#include "aidc-version.h"
#include "experiment-values.h"

#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/mpi-processes.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/time-window-helper.h"
#include "ns3/type-id.h"
#include "ns3/user-default.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::aidc
{

namespace
{

/// @return the insertions, deletions and substitutions that it takes (Wagner and Fischer, 1974)
std::size_t
GetEditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1); // distances of the beginnings of b
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j)
        {
            const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

/// @return the known name of the least edit distance; empty if all take over a third of its letters
std::string
FindSimilar(const std::string& name, const std::vector<std::string>& known)
{
    std::string similar;
    std::size_t least = 0;
    for (const auto& candidate : known)
    {
        const std::size_t distance = GetEditDistance(name, candidate);
        if (distance <= (candidate.size() + 2) / 3 && (similar.empty() || distance < least))
        {
            similar = candidate;
            least = distance;
        }
    }
    return similar;
}

/// Let a child process try a text for an attribute, as many of ns-3's values end the program.
bool
IsTaken(const std::string& name, const std::string& text)
{
    std::cout.flush();
    const pid_t child = fork();
    if (child == 0)
    {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        const bool isSilent = std::freopen("/dev/null", "w", stderr) != nullptr;
        _exit(isSilent && Config::SetDefaultFailSafe(name, StringValue(text)) ? EXIT_SUCCESS
                                                                              : EXIT_FAILURE);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
    {
        throw std::runtime_error("--" + name + " cannot be tried: no process could be made");
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

/// @return whether a text lacks the unit that a type of values has; a 0 needs none
bool
LacksUnit(const std::string& type, const std::string& text)
{
    return (type == "TimeValue" || type == "DataRateValue") &&
           text.find_first_not_of("+-0123456789.eE") == std::string::npos &&
           text.find_first_of("123456789") != std::string::npos;
}

} // namespace

AttributeDefaults::~AttributeDefaults()
{
    for (; !m_before.empty(); m_before.pop_back())
    {
        ReplaceDefault(m_before.back().first, m_before.back().second);
    }
}

void
AttributeDefaults::Set(const std::string& name, const std::string& text)
{
    const auto end = name.rfind("::");
    TypeId tid;
    TypeId::AttributeInformation attribute;
    if (!TypeId::LookupByNameFailSafe(name.substr(0, end), &tid) ||
        !tid.LookupAttributeByName(name.substr(end + 2), &attribute))
    {
        throw std::runtime_error("there is no attribute " + name +
                                 "; --PrintAttributes=CLASS prints the attributes of a class");
    }
    const auto type = GetValueType(*attribute.checker);
    CheckOption(!LacksUnit(type, text), "--" + name + " to have a unit, found \"" + text + "\"");
    auto kind = attribute.checker->HasUnderlyingTypeInformation()
                    ? attribute.checker->GetUnderlyingTypeInformation()
                    : type;
    if (type == "QueueSizeValue")
    {
        kind = "a size in B, kB, KB, KiB, MB or MiB";
    }
    CheckOption(IsTaken(name, text),
                "--" + name + " to be " + attribute.help + " Its type is " + kind + ", found \"" +
                    text + "\"");
    Config::SetDefault(name, StringValue(text));
    m_before.emplace_back(name, attribute.initialValue);
}

namespace
{

/// @return whether all programs of ns-3 have it: it asks for help, or sets a global value
bool
IsOfNs3(const std::string& name)
{
    const auto isOfName = [&name](const GlobalValue* value) { return value->GetName() == name; };
    return name == "help" || name == "h" || name == "version" || name.rfind("Print", 0) == 0 ||
           std::any_of(GlobalValue::Begin(), GlobalValue::End(), isOfName);
}

/// Refuse the global values of ns-3 that options set. @throws std::runtime_error
void
CheckGlobalValue(const std::string& name)
{
    const std::map<std::string, std::string> OPTIONS{
        {"SimulatorImplementationType", "--simulator=windows or default"},
        {"RngSeed", "--seed"},
        {"RngRun", "--run"}};
    const auto option = OPTIONS.find(name);
    if (option != OPTIONS.end())
    {
        CheckOption(false, option->second + " in place of --" + name);
    }
}

/// @return whether it is the default of an attribute, by its form
bool
IsAttribute(const std::string& name)
{
    return name.find("::") != std::string::npos;
}

/// Write the files of a run that are not series: its flows, and lines that it adds to files
void
WriteFiles(const ExperimentRun& run, const ExperimentOutcome& outcome)
{
    if (!outcome.records.empty())
    {
        WriteFlowRecords(run.GetSeriesPath("flows"), run.number, outcome.records);
    }
    std::set<std::string> begun;
    for (const auto& line : outcome.lines)
    {
        const auto path = std::filesystem::path(run.out) / line.file;
        const bool isNew = begun.insert(line.file).second;
        ResultFile file(path.string(), line.header, isNew ? std::ios::trunc : std::ios::app);
        file << line.line << '\n';
        file.Close();
    }
}

/// Tells the user how far a run is: a line of JSON, or a line that is written anew on a terminal
RunProgress::Tell
MakeTell(bool isJson)
{
    if (isJson && MpiProcesses::Get().IsFirst())
    {
        return [](const std::string& text, double share) {
            std::cout << "{\"progress\": " << ToJson(share) << ", \"text\": " << ToJson(text) << "}"
                      << std::endl;
        };
    }
    if (!isJson && MpiProcesses::Get().IsFirst() && isatty(STDERR_FILENO) == 1)
    {
        return
            [](const std::string& text, double) { std::cerr << "\r\033[K" << text << std::flush; };
    }
    return [](const std::string&, double) {};
}

} // namespace

ExperimentBase::ExperimentBase(const std::string& name,
                               const std::string& usage,
                               const ExperimentAbilities& abilities)
    : m_usage(usage),
      m_abilities(abilities)
{
    if (!std::regex_match(name, std::regex("[a-z0-9]+(-[a-z0-9]+)*")))
    {
        throw std::invalid_argument("experiment '" + name + "': expected kebab-case");
    }
    m_plan.name = name;
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
        Print();
    }
    catch (const OtherProcessFailed&)
    {
        return 0; // at an error, mpirun would end the other one, which may not have told why yet
    }
    catch (const std::exception& error)
    {
        if (m_isChecked || GetLaunchedProcess() == 0) // all have the same options
        {
            // In one piece, since mpirun may write between pieces.
            std::cerr << command.front() + ": " + error.what() + "\n" << std::flush;
        }
        return 1;
    }
    return 0;
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
        std::string name = argument.substr(begin, equals - begin);
        if (name == "scheme" || name == "scenario")
        {
            name += 's'; // of which a run has one
        }
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
ExperimentBase::Check()
{
    if (m_isChecked)
    {
        return;
    }
    if (m_options.small)
    {
        m_parameters.TakeSmall();
    }
    m_options.Check(m_abilities);
    m_isChecked = true;
    Prepare(m_plan);
    m_parameters.Check();
}

ExperimentRun
ExperimentBase::Choose() const
{
    const auto pairs = m_plan.GetPairs();
    CheckOption(!pairs.empty(), "a scheme that there is in a scenario");
    std::size_t chosen = 0;
    if (m_options.only.empty())
    {
        const bool isGiven = m_parameters.IsGiven("schemes") && m_parameters.IsGiven("scenarios");
        CheckOption(!isGiven || pairs.size() == 1,
                    "one scheme and one scenario; ./aidc run " + m_plan.name +
                        " makes several runs");
    }
    else
    {
        const auto found = std::find_if(pairs.begin(), pairs.end(), [this](const auto& pair) {
            return pair.second + "@" + pair.first == m_options.only;
        });
        CheckOption(found != pairs.end(),
                    "--only to be SCHEME@SCENARIO of --plan, found \"" + m_options.only + "\"");
        chosen = static_cast<std::size_t>(found - pairs.begin());
    }
    ExperimentRun run;
    std::tie(run.scenario, run.scheme) = pairs[chosen];
    run.number = m_options.run;
    run.out = m_options.out;
    run.isFirst = run.number == 1 && !run.out.empty();
    return run;
}

ExperimentOutcome
ExperimentBase::Run()
{
    CheckOption(!m_hasRun, "an experiment to run once; make another one");
    m_hasRun = true;
    AddOptions();
    const AttributeDefaults defaults(std::move(m_defaults)); // restored however the run ends
    Check();
    ExperimentRun run = Choose();
    RunProgress progress(MakeTell(m_options.json));
    std::optional<LongestWait> longestWait;
    run.progress = &progress;
    run.longestWait = &longestWait;
    RngSeedManager::SetSeed(m_options.seed);
    RngSeedManager::SetRun(run.number);
    m_options.simulator == "windows" ? TimeWindowHelper::Enable() : TimeWindowHelper::Disable();
    const auto started = std::chrono::steady_clock::now();
    ExperimentOutcome outcome;
    try
    {
        outcome = MakeRun(run);
        MpiProcesses::Get().PrintLines();
    }
    catch (const OtherProcessFailed&)
    {
        throw;
    }
    catch (const std::bad_alloc&)
    {
        throw std::runtime_error("out of memory (" + run.GetName() + ")");
    }
    catch (const std::exception& error)
    {
        throw std::runtime_error(std::string(error.what()) + " (" + run.GetName() + ")");
    }
    outcome.longestWait = longestWait;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
    outcome.Add("wall_time", wall.count(), "s");
    if (MpiProcesses::Get().IsFirst() && !run.out.empty())
    {
        WriteFiles(run, outcome);
    }
    return outcome;
}

void
ExperimentBase::Print()
{
    if (m_options.plan)
    {
        const AttributeDefaults defaults(std::move(m_defaults));
        Check();
        std::cout << PrintPlan() << std::endl;
        return;
    }
    std::optional<MpiProcesses> processes;
    if (m_options.processes > 1)
    {
        processes.emplace(m_options.processes);
    }
    try
    {
        const auto outcome = Run();
        MpiProcesses::Get().GetLeast({}); // results appear only if each process has come so far
        if (!MpiProcesses::Get().IsFirst())
        {
            return;
        }
        if (m_options.json)
        {
            std::cout << outcome.PrintJson() << std::endl;
            return;
        }
        const auto run = Choose();
        std::cerr << (isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "") << std::flush;
        std::cout << m_plan.name << ": ns-3 " << GetNs3Release() << ", " << run.scheme << "@"
                  << run.scenario << ", seed " << m_options.seed << ", run " << run.number
                  << "\n\n";
        outcome.Print(std::cout);
    }
    catch (const OtherProcessFailed&)
    {
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

std::string
ExperimentBase::PrintPlan() const
{
    std::string json = "{\"experiment\": " + ToJson(m_plan.name) + ", \"pairs\": [";
    auto separator = "";
    for (const auto& [scenario, scheme] : m_plan.GetPairs())
    {
        json += separator + ("[" + ToJson(scenario)) + ", " + ToJson(scheme) + "]";
        separator = ", ";
    }
    json += "], \"ns3\": " + ToJson(GetNs3Release()) +
            ", \"parameters\": {\"aidc\": " + ToJson(GetAidcVersion()) +
            ", \"devices\": " + ToJson(m_options.devices) +
            ", \"datapath\": " + ToJson(m_options.datapath) +
            ", \"simulator\": " + ToJson(m_options.simulator);
    const auto parameters = m_parameters.PrintJson();
    return json + (parameters.empty() ? "" : ", ") + parameters + "}}";
}

void
ExperimentBase::TellFailure(const std::string& text)
{
    const auto& processes = MpiProcesses::Get();
    switch (processes.Fail())
    {
    case MpiProcesses::Failure::OF_ALL:
        throw std::runtime_error(text);
    case MpiProcesses::Failure::FIRST:
        throw std::runtime_error("process " + std::to_string(processes.GetIndex()) + ": " + text);
    default:
        throw OtherProcessFailed();
    }
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
        m_options.AddTo(m_parameters, m_abilities);
    }
}

} // namespace ns3::aidc
