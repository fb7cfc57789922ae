// SPDX-License-Identifier: GPL-2.0-only

#include "experiment-parameters.h"

#include "experiment-run.h"

#include "ns3/fabric-helper.h"
#include "ns3/user-default.h"

#include <algorithm>
#include <locale>
#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// How each message on a wrong option begins.
const std::string EXPECTED = "expected ";

} // namespace

ExperimentParameter&
ExperimentParameter::UseIf(const std::function<bool()>& isUsed, const std::string& expected)
{
    m_isUsed = isUsed;
    m_expected = expected;
    return *this;
}

ExperimentParameter&
ExperimentParameter::UseIn(const ExperimentPlan& plan, const std::vector<std::string>& scenarios)
{
    return UseIf([&plan, scenarios] { return plan.HasScenario(scenarios); },
                 "--scenarios=" + JoinChoices(scenarios));
}

ExperimentParameter&
ExperimentParameter::UseWith(const ExperimentPlan& plan, const std::vector<std::string>& schemes)
{
    return UseIf([&plan, schemes] { return plan.HasScheme(schemes); },
                 "--schemes=" + JoinChoices(schemes));
}

void
ExperimentParameter::Read(const std::string& value)
{
    try
    {
        m_read(value);
    }
    catch (const std::runtime_error& error)
    {
        // "expected X" becomes "expected --name to be X".
        const std::string what = error.what();
        throw std::runtime_error(EXPECTED + "--" + m_name + " to be " +
                                 what.substr(EXPECTED.size()));
    }
    m_text.value = value;
}

void
ExperimentParameter::Check() const
{
    if (m_isGiven && m_isUsed && !m_isUsed())
    {
        throw std::runtime_error(EXPECTED + m_expected + " with --" + m_name +
                                 ", which is not used otherwise");
    }
    for (const auto& attribute : m_attributes)
    {
        if (HasUserDefault(attribute))
        {
            throw std::runtime_error(EXPECTED + "--" + m_name + " in place of --" + attribute);
        }
    }
}

namespace
{

/// A number with its SI unit as JSON
std::string
PrintQuantity(double value, const std::string& unit)
{
    return "{\"value\": " + ToJson(value) + ", \"unit\": " + ToJson(unit) + "}";
}

} // namespace

ExperimentParameter&
ExperimentParameters::Add(const std::string& name,
                          const std::string& help,
                          const std::string& text,
                          const std::function<void(const std::string&)>& read,
                          const std::function<std::string()>& write)
{
    m_options.emplace_back();
    auto& option = m_options.back();
    option.m_name = name;
    option.m_help = help;
    option.m_text.value = text;
    option.m_read = read;
    option.m_write = write;
    return option;
}

ExperimentParameter&
ExperimentParameters::AddFlag(const std::string& name, const std::string& help, bool& value)
{
    const auto read = [&value](const std::string& text) { value = ReadOptionFlag(text); };
    auto& option = Add(name, help, "", read, nullptr);
    option.m_flag = &value;
    return option;
}

ExperimentParameter&
ExperimentParameters::AddWord(const std::string& name, const std::string& help, std::string& value)
{
    return Add(name, help, value, [&value](const std::string& text) { value = text; }, nullptr);
}

ExperimentParameter&
ExperimentParameters::AddCount(const std::string& name, const std::string& help, uint32_t& value)
{
    const auto read = [&value](const std::string& text) { value = ReadOptionCount(text); };
    return Add(name, help, std::to_string(value), read, nullptr);
}

ExperimentParameter&
ExperimentParameters::AddNames(const std::string& name,
                               const std::string& help,
                               const std::vector<std::string>& known,
                               std::vector<std::string>& value)
{
    const auto read = [&value, known](const std::string& text) {
        value = ReadOptionNames(text, known);
    };
    return Add(name, help, JoinWords(value, ","), read, nullptr);
}

ExperimentParameter&
ExperimentParameters::AddText(const std::string& name,
                              const std::string& help,
                              std::string& value,
                              const std::string& whenEmpty)
{
    const auto write = [&value, whenEmpty] { return ToJson(value.empty() ? whenEmpty : value); };
    auto& option = AddWord(name, help, value);
    option.m_write = write;
    return option;
}

ExperimentParameter&
ExperimentParameters::AddNumber(const std::string& name,
                                const std::string& help,
                                double& value,
                                const std::function<bool(double)>& isValid,
                                const std::string& range)
{
    const auto read = [&value, isValid, range](const std::string& text) {
        value = ReadOptionNumber(text, isValid, range);
    };
    const auto write = [&value] { return ToJson(value); };
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << value;
    return Add(name, help, text.str(), read, write);
}

ExperimentParameter&
ExperimentParameters::AddBytes(const std::string& name,
                               const std::string& help,
                               uint32_t& value,
                               bool mayBeZero,
                               uint32_t least)
{
    const auto read = [&value, mayBeZero, least](const std::string& text) {
        value = ReadOptionBytes(text, mayBeZero, least);
    };
    const auto write = [&value] { return PrintQuantity(value, "byte"); };
    return Add(name, help, PrintOption(value), read, write);
}

ExperimentParameter&
ExperimentParameters::AddTime(const std::string& name,
                              const std::string& help,
                              Time& value,
                              bool mayBeZero)
{
    const auto read = [&value, mayBeZero](const std::string& text) {
        value = ReadOptionTime(text, mayBeZero);
    };
    const auto write = [&value] {
        // GetSeconds() makes 9.999999999999999e-05 s of 100 us.
        return PrintQuantity(static_cast<double>(value.GetNanoSeconds()) / 1e9, "s");
    };
    return Add(name, help, PrintOption(value), read, write);
}

ExperimentParameter&
ExperimentParameters::AddRate(const std::string& name,
                              const std::string& help,
                              DataRate& value,
                              bool mayBeZero)
{
    const auto read = [&value, mayBeZero](const std::string& text) {
        value = ReadOptionRate(text, mayBeZero);
    };
    const auto write = [&value] {
        return PrintQuantity(static_cast<double>(value.GetBitRate()), "bit/s");
    };
    return Add(name, help, PrintOption(value), read, write);
}

void
ExperimentParameters::AddTo(CommandLine& cmd)
{
    for (auto& option : m_options)
    {
        const std::string small = option.m_small ? "; " + *option.m_small + " with --small" : "";
        if (option.m_flag)
        {
            cmd.AddValue(option.m_name, option.m_help, *option.m_flag);
        }
        else
        {
            cmd.AddValue(option.m_name, option.m_help + small, option.m_text);
        }
    }
}

ExperimentParameter&
ExperimentParameters::Get(const std::string& name)
{
    for (auto& option : m_options)
    {
        if (option.m_name == name)
        {
            return option;
        }
    }
    throw std::runtime_error("expected an option, one of " + JoinWords(GetNames(), ", ") +
                             ", found \"" + name + "\"");
}

std::vector<std::string>
ExperimentParameters::GetNames() const
{
    std::vector<std::string> names;
    for (const auto& option : m_options)
    {
        names.push_back(option.m_name);
    }
    return names;
}

void
ExperimentParameters::Set(const std::string& name, const std::string& text)
{
    auto& option = Get(name);
    option.Read(text);
    option.m_isGiven = true;
}

void
ExperimentParameters::TakeDefaults(std::optional<std::string> ExperimentParameter::* value)
{
    for (auto& option : m_options)
    {
        if (option.*value && !option.m_isGiven)
        {
            option.Read(*(option.*value));
        }
    }
}

void
ExperimentParameters::Check() const
{
    for (const auto& option : m_options)
    {
        option.Check();
    }
}

const ExperimentParameter*
ExperimentParameters::Find(const std::string& name) const
{
    const auto found = std::find_if(m_options.begin(),
                                    m_options.end(),
                                    [&name](const auto& option) { return option.m_name == name; });
    return found == m_options.end() ? nullptr : &*found;
}

bool
ExperimentParameters::IsFlag(const std::string& name) const
{
    const auto* const option = Find(name);
    return option && option->m_flag;
}

std::string
ExperimentParameters::PrintJson() const
{
    std::string json;
    for (const auto& option : m_options)
    {
        if (option.m_write)
        {
            json += (json.empty() ? "" : ", ") + ToJson(option.m_name) + ": " + option.m_write();
        }
    }
    return json;
}

bool
ExperimentParameters::IsGiven(const std::string& name) const
{
    const auto* const option = Find(name);
    return option && option->m_isGiven;
}

void
ExperimentOptions::AddTo(ExperimentParameters& parameters, const ExperimentAbilities& abilities)
{
    parameters.AddWord("devices",
                       "devices of the links: " + std::string(abilities.hasPointToPoint
                                                                  ? "ethernet, point-to-point"
                                                                  : "ethernet only"),
                       devices);
    parameters
        .AddWord("datapath",
                 "how packets get through switches with Ethernet: fast, stack",
                 datapath)
        .UseIf([this] { return devices == "ethernet"; }, "--devices=ethernet")
        .Sets({"ns3::aidc::SwitchDatapath::Mode"});
    parameters
        .AddWord("simulator",
                 "what runs the events: windows (node by node in time windows), default "
                 "(ns-3's)" +
                     std::string(abilities.isParallel ? "; several processes have windows" : ""),
                 simulator)
        .UseIf([this] { return processes == 1; }, "--processes=1");
    parameters.AddCount("seed", "seed of the random number generators", seed);
    parameters.AddCount("run", "number of the run, which draws other numbers from the seed", run);
    parameters.AddCount("processes",
                        abilities.isParallel ? "processes of a parallel simulation" : "1 only",
                        processes);
    parameters.AddFlag("small", "a variant that takes seconds", small);
    parameters.AddWord("out", "folder of series and records, which exists; none by default", out);
    parameters.AddWord("only", "SCHEME@SCENARIO to run; the first ones by default", only);
    parameters.AddFlag("plan", "print what may be run as JSON, and run nothing", plan);
    parameters.AddFlag("json", "print progress and results as JSON, a line each", json);
}

void
ExperimentOptions::Check(const ExperimentAbilities& abilities) const
{
    CheckOption(devices == "ethernet" || (abilities.hasPointToPoint && devices == "point-to-point"),
                "--devices to be ethernet" +
                    std::string(abilities.hasPointToPoint ? " or point-to-point" : "") +
                    ", found \"" + devices + "\"");
    CheckOption(datapath == "fast" || datapath == "stack",
                "--datapath to be fast or stack, found \"" + datapath + "\"");
    CheckOption(simulator == "windows" || simulator == "default",
                "--simulator to be windows or default, found \"" + simulator + "\"");
    CheckOption(seed > 0, "--seed to be at least 1");
    CheckOption(run > 0, "--run to be at least 1");
    CheckOption(processes > 0, "--processes to be at least 1");
    CheckOption(processes == 1 || abilities.isParallel,
                "--processes to be 1, as this experiment is not parallel, found " +
                    std::to_string(processes));
}

void
ExperimentOptions::Configure(FabricHelper& network) const
{
    network.SetDeviceKind(devices == "ethernet" ? FabricHelper::ETHERNET
                                                : FabricHelper::POINT_TO_POINT);
    network.SetDatapath(datapath == "fast" ? SwitchDatapath::FAST : SwitchDatapath::STACK);
}

} // namespace ns3::aidc
