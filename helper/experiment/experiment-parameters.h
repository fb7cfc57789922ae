/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

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

/**
 * @ingroup aidc
 * @brief An option of an experiment. ExperimentParameters makes it, and the experiment says when it
 *        is used and which attributes it sets:
 * @code
 *   parameters.AddBytes("t1", "lower threshold", t1)
 *       .InSmall("1MB")
 *       .Sets({"ns3::aidc::PreEcnQueueDisc::T1"})
 *       .UseIf([&plan] { return plan.HasScheme({"two-threshold"}); },
 *              "--schemes=two-threshold");
 * @endcode
 */
class ExperimentParameter
{
  public:
    /// Have a run refuse the option if it does not use it.
    /// @param isUsed tells whether it does, once all options are known and prepared
    /// @param expected the options with which it does, as in "expected --transport=dcqcn or swift
    ///        with --recovery"
    /// @return the option
    ExperimentParameter& UseIf(const std::function<bool()>& isUsed, const std::string& expected);

    /// Give it another default with --small.
    /// @param value the text
    /// @return the option
    ExperimentParameter& InSmall(const std::string& value);

    /// Give it another default in the large variant of an experiment that has one
    /// (ExperimentParameters::TakeLarge()).
    /// @param value the text
    /// @return the option
    ExperimentParameter& InLarge(const std::string& value);

    /// Tell which attributes it sets, which a user then cannot.
    /// @param names the names of attributes with those of their classes
    /// @return the option
    ExperimentParameter& Sets(const std::vector<std::string>& names);

  private:
    friend class ExperimentParameters;

    /// A text that CommandLine reads as a whole, where it reads the first word of a std::string.
    struct Text
    {
        std::string value; //!< the text

        /// Read all that there is.
        /// @param is the stream
        /// @param text what takes it
        /// @return the stream
        friend std::istream& operator>>(std::istream& is, Text& text)
        {
            text.value.assign(std::istreambuf_iterator<char>(is), {});
            return is;
        }

        /// @param os the stream
        /// @param text the text
        /// @return the stream
        friend std::ostream& operator<<(std::ostream& os, const Text& text)
        {
            return os << text.value;
        }
    };

    /// Read a text, or leave all as it is. @throws std::runtime_error with the name of the option,
    /// if the text is wrong
    void Read(const std::string& value);

    /// Check that the run uses it, if it is given, and that a user has set no attribute of its own.
    /// @throws std::runtime_error with what was expected
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

/**
 * @ingroup aidc
 * @brief The options of an experiment: it reads their texts from a command line, sets variables of
 *        the experiment, and writes them into the summary as parameters.
 *
 * Each parameter is added once, with a variable that has its default and gets its value. The
 * variable outlives this object. A text is read once, with its unit and its range. A wrong text is
 * refused by a std::runtime_error that names the option, what was expected and what was found, and
 * so is an option that the run would not use (ExperimentParameter::UseIf()).
 */
class ExperimentParameters
{
  public:
    ExperimentParameters() = default;
    ExperimentParameters(const ExperimentParameters&) = delete;
    ExperimentParameters& operator=(const ExperimentParameters&) = delete;

    /// Add an option that is not a parameter of results: a switch that is on if named.
    /// @param name its name
    /// @param help what it does
    /// @param value the variable
    /// @return the option
    ExperimentParameter& AddFlag(const std::string& name, const std::string& help, bool& value);

    /// Add an option that is not a parameter of results: a text.
    /// @param name its name
    /// @param help what it is
    /// @param value the variable
    /// @return the option
    ExperimentParameter& AddWord(const std::string& name,
                                 const std::string& help,
                                 std::string& value);

    /// Add an option that is not a parameter of results: a whole number.
    /// @param name its name
    /// @param help what it is
    /// @param value the variable
    /// @return the option
    ExperimentParameter& AddCount(const std::string& name,
                                  const std::string& help,
                                  uint32_t& value);

    /// Add an option that is not a parameter of results: names, separated by commas. All of them
    /// are chosen by default.
    /// @param name its name
    /// @param help what it is; the names are added to it
    /// @param value the variable, with all names; the names come in the order of the list
    /// @return the option
    ExperimentParameter& AddNames(const std::string& name,
                                  const std::string& help,
                                  std::vector<std::string>& value)
    {
        return AddNames(name, help + ": " + JoinWords(value, ", "), value, value);
    }

    /// Add an option that is not a parameter of results: names, separated by commas.
    /// @param name its name
    /// @param help what it is
    /// @param known what the names may be
    /// @param value the variable; the names come in the order of the list
    /// @return the option
    ExperimentParameter& AddNames(const std::string& name,
                                  const std::string& help,
                                  const std::vector<std::string>& known,
                                  std::vector<std::string>& value);

    /// Add a text, such as the name of a file.
    /// @param name its name
    /// @param help what it is
    /// @param value the variable
    /// @param whenEmpty what the summary has for an empty text
    /// @return the option
    ExperimentParameter& AddText(const std::string& name,
                                 const std::string& help,
                                 std::string& value,
                                 const std::string& whenEmpty = "");

    /// @param name its name
    /// @param help what it is
    /// @param value the variable
    /// @param isValid tells whether a number is in range
    /// @param range the range, in words
    /// @return the option
    ExperimentParameter& AddNumber(const std::string& name,
                                   const std::string& help,
                                   double& value,
                                   const std::function<bool(double)>& isValid,
                                   const std::string& range);

    /// Add a number of bytes, such as 12MB.
    /// @param name its name
    /// @param help what it is
    /// @param value the variable
    /// @param mayBeZero whether it may be 0
    /// @param least the least number otherwise
    /// @return the option
    ExperimentParameter& AddBytes(const std::string& name,
                                  const std::string& help,
                                  uint32_t& value,
                                  bool mayBeZero = false,
                                  uint32_t least = 1);

    /// Add a time, such as 100us, of at most 1000 s.
    /// @param name its name
    /// @param help what it is
    /// @param value the variable
    /// @param mayBeZero whether it may be 0
    /// @return the option
    ExperimentParameter& AddTime(const std::string& name,
                                 const std::string& help,
                                 Time& value,
                                 bool mayBeZero = false);

    /// Add a rate, such as 40Gbps.
    /// @param name its name
    /// @param help what it is
    /// @param value the variable
    /// @param mayBeZero whether it may be 0
    /// @return the option
    ExperimentParameter& AddRate(const std::string& name,
                                 const std::string& help,
                                 DataRate& value,
                                 bool mayBeZero = false);

    /// Let a command line take the texts of all options.
    /// @param [in,out] cmd the command line, which this object outlives
    void AddTo(CommandLine& cmd);

    /// Get an option, to say more of it.
    /// @param name its name
    /// @return the option
    /// @throws std::runtime_error if there is no such option
    ExperimentParameter& Get(const std::string& name);

    /// Give the options that the user has not given their defaults of --small.
    void TakeSmall();

    /// Give the options that the user has not given their defaults of the large variant.
    void TakeLarge();

    /// Check that what the user has set has an effect.
    /// @throws std::runtime_error with what was expected, if a given option is not used, or an
    ///         attribute has been set that is an option's
    void Check() const;

    /// @param name its name
    /// @param text its text, as on the command line; "true" or "false" for a flag
    /// @throws std::runtime_error if there is no such option, or the text is wrong
    void Set(const std::string& name, const std::string& text);

    /// @param name the name of an option
    /// @return whether there is one of that name
    bool Has(const std::string& name) const;

    /// @param name the name of an option
    /// @return whether there is a flag of that name
    bool IsFlag(const std::string& name) const;

    /// @return the names of all options
    std::vector<std::string> GetNames() const;

    /// @return the members of a JSON object that has the values of all parameters, in SI units
    std::string PrintJson() const;

    /// @param name the name of an option
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

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_PARAMETERS_H
