/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_PARAMETER_H
#define AIDC_EXPERIMENT_PARAMETER_H

#include <functional>
#include <istream>
#include <iterator>
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

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_PARAMETER_H
