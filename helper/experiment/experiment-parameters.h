/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_PARAMETERS_H
#define AIDC_EXPERIMENT_PARAMETERS_H

#include "experiment-summary.h"

#include "ns3/command-line.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <istream>
#include <iterator>
#include <list>
#include <ostream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * What a user may set of an experiment.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Put words together.
 * @param words the words
 * @param separator what stands between two of them
 * @return the text
 */
std::string JoinWords(const std::vector<std::string>& words, const std::string& separator);

/**
 * @ingroup aidc
 * @brief Check what a user has set.
 * @param isValid whether it is as it should be
 * @param expected what was expected of which option
 * @throws std::runtime_error with what was expected, if it is not
 */
void CheckOption(bool isValid, const std::string& expected);

/**
 * @ingroup aidc
 * @brief What a user may set of an experiment: options of the command line on one side, values on
 *        the other, and parameters of the summary.
 *
 * Each parameter is added once, with the variable that has its default and gets its value, which
 * outlives this object. A text is read once, with its unit and its range; one that is wrong is
 * refused by a std::runtime_error that names the option, what was expected and what was found.
 */
class ExperimentParameters
{
  public:
    ExperimentParameters() = default;
    ExperimentParameters(const ExperimentParameters&) = delete;
    ExperimentParameters& operator=(const ExperimentParameters&) = delete;

    /**
     * @brief Add an option that is not a parameter of the summary: a switch that is on if named.
     * @param name its name
     * @param help what it does
     * @param value the variable
     */
    void AddFlag(const std::string& name, const std::string& help, bool& value);

    /**
     * @brief Add an option that is not a parameter of the summary: a text.
     * @param name its name
     * @param help what it is
     * @param value the variable
     */
    void AddWord(const std::string& name, const std::string& help, std::string& value);

    /**
     * @brief Add an option that is not a parameter of the summary: a whole number.
     * @param name its name
     * @param help what it is
     * @param value the variable
     */
    void AddCount(const std::string& name, const std::string& help, uint32_t& value);

    /**
     * @brief Add an option that is not a parameter of the summary: names, separated by commas.
     * @param name its name
     * @param help what it is
     * @param known what the names may be
     * @param value the variable; the names come in the order of the list
     */
    void AddNames(const std::string& name,
                  const std::string& help,
                  const std::vector<std::string>& known,
                  std::vector<std::string>& value);

    /**
     * @brief Add a text, such as the name of a file.
     * @param name its name
     * @param help what it is
     * @param value the variable
     * @param whenEmpty what the summary has for an empty text
     */
    void AddText(const std::string& name,
                 const std::string& help,
                 std::string& value,
                 const std::string& whenEmpty = "");

    /**
     * @brief Add a number.
     * @param name its name
     * @param help what it is
     * @param value the variable
     * @param isValid tells whether a number is in range
     * @param range the range, in words
     */
    void AddNumber(const std::string& name,
                   const std::string& help,
                   double& value,
                   const std::function<bool(double)>& isValid,
                   const std::string& range);

    /**
     * @brief Add a number of bytes, such as 12MB.
     * @param name its name
     * @param help what it is
     * @param value the variable
     * @param mayBeZero whether it may be 0
     * @param least the least number otherwise
     */
    void AddBytes(const std::string& name,
                  const std::string& help,
                  uint32_t& value,
                  bool mayBeZero = false,
                  uint32_t least = 1);

    /**
     * @brief Add a time, such as 100us, of at most 1000 s.
     * @param name its name
     * @param help what it is
     * @param value the variable
     * @param mayBeZero whether it may be 0
     */
    void AddTime(const std::string& name,
                 const std::string& help,
                 Time& value,
                 bool mayBeZero = false);

    /**
     * @brief Add a rate, such as 40Gbps.
     * @param name its name
     * @param help what it is
     * @param value the variable
     * @param mayBeZero whether it may be 0
     */
    void AddRate(const std::string& name,
                 const std::string& help,
                 DataRate& value,
                 bool mayBeZero = false);

    /**
     * @brief Let a command line take the texts of all options.
     * @param[in,out] cmd the command line, which this object outlives
     */
    void AddTo(CommandLine& cmd);

    /**
     * @brief Set the variables whose texts the command line has changed.
     * @throws std::runtime_error if a text is wrong
     */
    void Apply();

    /**
     * @brief Set one option.
     * @param name its name
     * @param text its text, as on the command line; "true" or "false" for a flag
     * @throws std::runtime_error if there is no such option, or the text is wrong
     */
    void Set(const std::string& name, const std::string& text);

    /**
     * @brief Tell whether there is an option.
     * @param name its name
     * @return whether there is one of that name
     */
    bool Has(const std::string& name) const;

    /**
     * @brief Tell whether an option is a flag.
     * @param name its name
     * @return whether there is a flag of that name
     */
    bool IsFlag(const std::string& name) const;

    /**
     * @brief Put the values of all parameters into a summary.
     * @param[in,out] summary the summary
     */
    void WriteTo(ExperimentSummary& summary) const;

  private:
    /// A text that CommandLine reads as a whole, where it reads the first word of a std::string.
    struct Text
    {
        std::string value; //!< the text

        /**
         * @brief Read all that there is.
         * @param is the stream
         * @param text what takes it
         * @return the stream
         */
        friend std::istream& operator>>(std::istream& is, Text& text)
        {
            text.value.assign(std::istreambuf_iterator<char>(is), {});
            return is;
        }

        /**
         * @brief Write a text.
         * @param os the stream
         * @param text the text
         * @return the stream
         */
        friend std::ostream& operator<<(std::ostream& os, const Text& text)
        {
            return os << text.value;
        }
    };

    /// An option.
    struct Option
    {
        std::string name;                              //!< its name
        std::string help;                              //!< what it is
        Text text;                                     //!< its text
        std::string applied;                           //!< the text that the variable has
        std::function<void(const std::string&)> read;  //!< sets the variable
        std::function<void(ExperimentSummary&)> write; //!< writes it; null to leave it out
        bool* flag{nullptr};                           //!< the variable of a flag
    };

    /**
     * @brief Add an option.
     * @param name its name
     * @param help what it is
     * @param text its text
     * @param read sets the variable
     * @param write writes it into the summary, or null
     */
    void Add(const std::string& name,
             const std::string& help,
             const std::string& text,
             const std::function<void(const std::string&)>& read,
             const std::function<void(ExperimentSummary&)>& write);

    std::list<Option> m_options; //!< the options; their texts stay where they are
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_PARAMETERS_H
