// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CATCH_MESSAGE_H
#define AIDC_CATCH_MESSAGE_H

#include <stdexcept>
#include <string>

// What functions throw, for the tests of the core.

namespace aidctest
{

/// Get the message of what a function throws as std::invalid_argument. Returns the message; empty
/// if it throws nothing.
template <typename F>
std::string
CatchMessage(F function)
{
    try
    {
        function();
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    return "";
}

} // namespace aidctest

#endif // AIDC_CATCH_MESSAGE_H
