// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EXPERIMENT_PARAMETERS_H
#define AIDC_EXPERIMENT_PARAMETERS_H

#include "experiment-values.h"

#include "ns3/command-line.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <istream>
#include <iterator>
#include <list>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::aidc
{

class FabricHelper;
struct ExperimentPlan;

/// An option of an experiment. ExperimentParameters makes it, and the experiment says when it
/// is used and which attributes it sets:
/// @code
///   parameters.AddBytes("t1", "lower threshold", t1)
///       .InSmall("1MB")
///       .Sets({"ns3::aidc::PreEcnQueueDisc::T1"})
///       .UseWith(plan, {"two-threshold"});
/// @endcode
class ExperimentParameter
{
  public:
    /// Have a run refuse the option if it does not use it. isUsed: tells whether it does, once all
    /// options are known and prepared; expected: the options with which it does, as in "expected
    /// --transport=dcqcn or swift with --recovery". @return the option
    ExperimentParameter& UseIf(const std::function<bool()>& isUsed, const std::string& expected);

    /// Have a run refuse the option if the plan, which outlives it, has none of some scenarios.
    /// @return the option
    ExperimentParameter& UseIn(const ExperimentPlan& plan,
                               const std::vector<std::string>& scenarios);

    /// The same for schemes. @return the option
    ExperimentParameter& UseWith(const ExperimentPlan& plan,
                                 const std::vector<std::string>& schemes);

    /// Give it another default with --small. @return the option
    ExperimentParameter& InSmall(const std::string& value)
    {
        m_small = value;
        return *this;
    }

    /// Give it another default in the large variant of an experiment that has one
    /// (ExperimentParameters::TakeLarge()). @return the option
    ExperimentParameter& InLarge(const std::string& value)
    {
        m_large = value;
        return *this;
    }

    /// Tell which attributes it sets, by their names with their classes. A user then cannot set
    /// them. @return the option
    ExperimentParameter& Sets(const std::vector<std::string>& names)
    {
        m_attributes.insert(m_attributes.end(), names.begin(), names.end());
        return *this;
    }

  private:
    friend class ExperimentParameters;

    /// A text that CommandLine reads as a whole, where it reads the first word of a std::string.
    struct Text
    {
        std::string value; //!< the text

        /// Read all that there is. @return the stream
        friend std::istream& operator>>(std::istream& is, Text& text)
        {
            text.value.assign(std::istreambuf_iterator<char>(is), {});
            return is;
        }

        /// @return the stream, with the text
        friend std::ostream& operator<<(std::ostream& os, const Text& text)
        {
            return os << text.value;
        }
    };

    /// Read a text, or leave all as it is. @throws std::runtime_error with the name of the option
    void Read(const std::string& value);

    /// Check that a run uses what is given. @throws std::runtime_error with what was expected
    void Check() const;

    std::string m_name;                             //!< its name
    std::string m_help;                             //!< what it is
    Text m_text;                                    //!< its text
    std::function<void(const std::string&)> m_read; //!< sets the variable
    std::function<std::string()> m_write;           //!< its value as JSON; null to leave it out
    bool* m_flag{nullptr};                          //!< the variable of a flag
    bool m_isGiven{false};                          //!< whether the user has given it
    std::function<bool()> m_isUsed;                 //!< UseIf()
    std::string m_expected;                         //!< UseIf()
    std::optional<std::string> m_small;             //!< InSmall()
    std::optional<std::string> m_large;             //!< InLarge()
    std::vector<std::string> m_attributes;          //!< Sets()
};

/// The options of an experiment: it reads their texts from a command line, sets variables of
/// the experiment, and writes them into the summary as parameters.
///
/// Each parameter is added once, with its name, what it is (for the help), and a variable that has
/// its default and gets its value; the option is returned. The variable outlives this object. A
/// text is read once, with its unit and its range. A wrong text is refused by a std::runtime_error
/// that names the option, what was expected and what was found, and so is an option that the run
/// would not use (ExperimentParameter::UseIf()).
class ExperimentParameters
{
  public:
    ExperimentParameters() = default;
    ExperimentParameters(const ExperimentParameters&) = delete;
    ExperimentParameters& operator=(const ExperimentParameters&) = delete;

    /// Add an option that is not a parameter of results: a switch that is on if named.
    ExperimentParameter& AddFlag(const std::string& name, const std::string& help, bool& value);

    /// Add an option that is not a parameter of results: a text.
    ExperimentParameter& AddWord(const std::string& name,
                                 const std::string& help,
                                 std::string& value);

    /// Add an option that is not a parameter of results: a whole number.
    ExperimentParameter& AddCount(const std::string& name,
                                  const std::string& help,
                                  uint32_t& value);

    /// Add an option that is not a parameter of results: names, separated by commas, which come in
    /// the order of the list. known: what they may be.
    ExperimentParameter& AddNames(const std::string& name,
                                  const std::string& help,
                                  const std::vector<std::string>& known,
                                  std::vector<std::string>& value);

    /// Add the same, where all names are chosen by default, and added to the help. value: the
    /// variable, with all names.
    ExperimentParameter& AddNames(const std::string& name,
                                  const std::string& help,
                                  std::vector<std::string>& value)
    {
        return AddNames(name, help + ": " + JoinWords(value, ", "), value, value);
    }

    /// Add a text, such as the name of a file. whenEmpty: what the summary has for an empty text.
    ExperimentParameter& AddText(const std::string& name,
                                 const std::string& help,
                                 std::string& value,
                                 const std::string& whenEmpty = "");

    /// Add a number. isValid: tells whether a number is in range; range: the range, in words.
    ExperimentParameter& AddNumber(const std::string& name,
                                   const std::string& help,
                                   double& value,
                                   const std::function<bool(double)>& isValid,
                                   const std::string& range);

    /// Add a number of bytes, such as 12MB: 0, if it may be, or at least so many.
    ExperimentParameter& AddBytes(const std::string& name,
                                  const std::string& help,
                                  uint32_t& value,
                                  bool mayBeZero = false,
                                  uint32_t least = 1);

    /// Add a time, such as 100us, of at most 1000 s, and above 0 unless it may be 0.
    ExperimentParameter& AddTime(const std::string& name,
                                 const std::string& help,
                                 Time& value,
                                 bool mayBeZero = false);

    /// Add a rate, such as 40Gbps, above 0 unless it may be 0.
    ExperimentParameter& AddRate(const std::string& name,
                                 const std::string& help,
                                 DataRate& value,
                                 bool mayBeZero = false);

    /// Let a command line take the texts of all options.
    /// @param [in,out] cmd the command line, which this object outlives
    void AddTo(CommandLine& cmd);

    /// Get an option, to say more about it. @return the option
    /// @throws std::runtime_error if there is no such option
    ExperimentParameter& Get(const std::string& name);

    /// Give the options that the user has not given their defaults of --small.
    void TakeSmall()
    {
        TakeDefaults(&ExperimentParameter::m_small);
    }

    /// Give the options that the user has not given their defaults of the large variant.
    void TakeLarge()
    {
        TakeDefaults(&ExperimentParameter::m_large);
    }

    /// Check that what the user has set has an effect.
    /// @throws std::runtime_error with what was expected, if a given option is not used, or an
    ///         attribute has been set that an option sets
    void Check() const;

    /// @param name its name
    /// @param text its text, as on the command line; "true" or "false" for a flag
    /// @throws std::runtime_error if there is no such option, or the text is wrong
    void Set(const std::string& name, const std::string& text);

    /// @return whether there is an option of that name
    bool Has(const std::string& name) const
    {
        return Find(name) != nullptr;
    }

    /// @return whether there is a flag of that name
    bool IsFlag(const std::string& name) const;

    /// @return the names of all options
    std::vector<std::string> GetNames() const;

    /// @return the members of a JSON object that has the values of all parameters, in SI units
    std::string PrintJson() const;

    /// @return whether the user has given it
    bool IsGiven(const std::string& name) const;

  private:
    /// Give the options that the user has not given other defaults.
    void TakeDefaults(std::optional<std::string> ExperimentParameter::* value);

    /// Add an option. What writes it gives its value as JSON, and may be null.
    ExperimentParameter& Add(const std::string& name,
                             const std::string& help,
                             const std::string& text,
                             const std::function<void(const std::string&)>& read,
                             const std::function<std::string()>& write);

    /// @return the option, null if there is none
    const ExperimentParameter* Find(const std::string& name) const;

    std::list<ExperimentParameter> m_options; //!< the options; their texts stay where they are
};

/// Abilities that not all experiments have.
struct ExperimentAbilities
{
    bool isParallel{false};      //!< run as several processes, by mpirun
    bool hasPointToPoint{false}; //!< run over ns-3's point-to-point links, too
};

/// The options that all experiments have.
struct ExperimentOptions
{
    uint32_t seed{1};      //!< of the random number generators
    uint32_t run{1};       //!< number of the run, which draws other numbers with the same seed
    uint32_t processes{1}; //!< processes of a parallel run
    std::string out;       //!< folder of series and records; empty for none
    bool small{false};     //!< a variant that takes seconds
    std::string only{};    //!< SCHEME\@SCENARIO to run; empty for the first one
    bool plan{false};      //!< print what may be run, and run nothing
    bool json{false};      //!< print progress and results as JSON, a line each

    std::string devices{"ethernet"};  //!< of the links: ethernet or point-to-point
    std::string datapath{"fast"};     //!< of switches with Ethernet: fast or stack
    std::string simulator{"windows"}; //!< what runs the events of one process: windows or default

    /// Let a user set the options.
    /// @param [in,out] parameters what the user may set
    /// @param abilities what the experiment can do
    void AddTo(ExperimentParameters& parameters, const ExperimentAbilities& abilities);

    /// Check the options.
    /// @param abilities what the experiment can do
    /// @throws std::runtime_error with what was expected, if one is not as it should be
    void Check(const ExperimentAbilities& abilities) const;

    /// Give a network the devices and the datapath of the options.
    /// @param [in,out] network the network, before it is built
    void Configure(FabricHelper& network) const;
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_PARAMETERS_H
