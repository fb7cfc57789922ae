// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_DEATH_TEST_H
#define AIDC_DEATH_TEST_H

#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Tests of configuration errors, which end the program.

namespace aidctest
{

/// How a call in a process of its own ended.
struct Ending
{
    bool died{false};     //!< ended by a signal, as an ns-3 fatal error does, or by an exception
    bool isThrown{false}; //!< ended by an exception
    std::string errors;   //!< what it wrote to the standard error output

    /// Tell whether it ended by an exception whose message has a text in it.
    bool Says(const std::string& text) const
    {
        return isThrown && errors.find(text) != std::string::npos;
    }

    /// Tell whether it ended by a fatal error of ns-3 whose message has a text in it.
    bool Aborts(const std::string& text) const
    {
        return died && !isThrown && errors.find(text) != std::string::npos;
    }
};

/// Make a call in a process of its own. The process is a fork, so that it begins with the state of
/// the test and leaves no trace in it.
inline Ending
RunInChild(const std::function<void()>& call)
{
    Ending ending;
    int ends[2];
    if (pipe(ends) != 0)
    {
        ending.errors = "pipe failed";
        return ending;
    }
    const pid_t child = fork();
    if (child < 0)
    {
        close(ends[0]);
        close(ends[1]);
        ending.errors = "fork failed";
        return ending;
    }
    if (child == 0)
    {
        // Neither a core file nor a second copy of what the test runner has yet to write.
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        dup2(ends[1], STDERR_FILENO);
        close(STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        try
        {
            call();
        }
        catch (const std::exception& error)
        {
            std::cerr << error.what() << std::endl;
            _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    char text[256];
    ssize_t n = 0;
    while ((n = read(ends[0], text, sizeof(text))) > 0)
    {
        ending.errors.append(text, static_cast<std::size_t>(n));
    }
    close(ends[0]);
    int status = 0;
    ending.died = waitpid(child, &status, 0) == child && status != 0;
    ending.isThrown = ending.died && WIFEXITED(status) && WEXITSTATUS(status) == 1;
    return ending;
}

} // namespace aidctest

#endif // AIDC_DEATH_TEST_H
