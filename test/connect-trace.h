// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CONNECT_TRACE_H
#define AIDC_CONNECT_TRACE_H

#include "ns3/abort.h"
#include "ns3/callback.h"

#include <string>

namespace aidctest
{

/// The type of the callback that calls a lambda.
template <typename Lambda>
struct CallbackOf : CallbackOf<decltype(&Lambda::operator())>
{
};

template <typename Lambda, typename R, typename... Args>
struct CallbackOf<R (Lambda::*)(Args...) const>
{
    using Type = ns3::Callback<R, Args...>;
};

template <typename Lambda, typename R, typename... Args>
struct CallbackOf<R (Lambda::*)(Args...)> : CallbackOf<R (Lambda::*)(Args...) const>
{
};

/// Make a callback of a lambda, without its types once more.
template <typename Lambda>
typename CallbackOf<Lambda>::Type
ToCallback(Lambda lambda)
{
    return typename CallbackOf<Lambda>::Type(lambda);
}

/// Have a trace source call a lambda. A name that is none ends the program.
template <typename Pointer, typename Lambda>
void
ConnectTrace(const Pointer& object, const std::string& name, Lambda lambda)
{
    NS_ABORT_MSG_UNLESS(object->TraceConnectWithoutContext(name, ToCallback(lambda)),
                        "no trace source " << name << " with these arguments");
}

} // namespace aidctest

#endif // AIDC_CONNECT_TRACE_H
