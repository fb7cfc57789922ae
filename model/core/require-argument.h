// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_REQUIRE_ARGUMENT_H
#define AIDC_REQUIRE_ARGUMENT_H

#include <sstream>
#include <stdexcept>

/// Refuse what a user has set or called: NS_ABORT_MSG() as an exception, by which a program ends
/// with one line and not with SIGABRT.
/// @param text what was expected and found, as one would write it to a stream
/// @throws std::runtime_error with the text
#define AIDC_REFUSE(text)                                                                          \
    do                                                                                             \
    {                                                                                              \
        std::ostringstream aidcRefused;                                                            \
        aidcRefused << text; /* NOLINT(bugprone-macro-parentheses) */                              \
        throw std::runtime_error(aidcRefused.str());                                               \
    } while (false)

/// Refuse what a user has set or called, if a condition holds. @see AIDC_REFUSE
/// @param condition the condition
/// @param text what was expected and found
/// @throws std::runtime_error with the text
#define AIDC_REFUSED_IF(condition, text)                                                           \
    do                                                                                             \
    {                                                                                              \
        if (condition)                                                                             \
        {                                                                                          \
            AIDC_REFUSE(text);                                                                     \
        }                                                                                          \
    } while (false)

/// Refuse what a user has set or called, unless a condition holds. @see AIDC_REFUSED_IF
/// @param condition the condition
/// @param text what was expected and found
/// @throws std::runtime_error with the text
#define AIDC_REFUSED_UNLESS(condition, text) AIDC_REFUSED_IF(!(condition), text)

/// Throw unless a condition on a caller's argument holds. The text is made only then.
/// @param holds the condition
/// @param text the condition and the argument, for the error
/// @throws std::invalid_argument with the text
#define AIDC_REQUIRE(holds, text)                                                                  \
    do                                                                                             \
    {                                                                                              \
        if (!(holds))                                                                              \
        {                                                                                          \
            throw std::invalid_argument(text);                                                     \
        }                                                                                          \
    } while (false)

#endif // AIDC_REQUIRE_ARGUMENT_H
