// SPDX-License-Identifier: GPL-2.0-only

#include "aidc/python-process.h"

#include "ns3/fatal-impl.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// @return the name by which a user calls this program, without its folder
const char*
GetProgramName()
{
#if defined(__GLIBC__)
    return program_invocation_short_name;
#elif defined(__APPLE__) || defined(__FreeBSD__)
    return getprogname();
#else
    return "aidc";
#endif
}

/// How the messages of ns-3's fatal errors begin; see fatal-error.h, abort.h and assert.h of ns-3
constexpr std::array<std::string_view, 4> BEGINNINGS{"msg=\"", "aborted. ", "NS_ASSERT", "file="};

constexpr std::size_t MAX_MESSAGE = 1 << 16; //!< bytes that are held back at most

/// The buffer of std::cerr and std::clog, which holds back the message of a fatal error until it is
/// an exception's. All else passes at once.
class FatalMessageBuffer : public std::streambuf
{
  public:
    /// @param target what shows the text
    explicit FatalMessageBuffer(std::streambuf* target)
        : m_target(target)
    {
    }

    /// @return the message held back; if there is none, the last line
    std::string Take()
    {
        m_nShown = 0;
        std::string text = std::exchange(m_text, "");
        text.erase(text.find_last_not_of('\n') + 1);
        return text;
    }

    /// Show what is held back.
    void Show()
    {
        m_target->sputn(m_text.data() + m_nShown,
                        static_cast<std::streamsize>(m_text.size() - m_nShown));
        m_nShown = m_text.size();
        m_target->pubsync();
    }

  protected:
    std::streamsize xsputn(const char* text, std::streamsize size) override
    {
        const bool isShown = m_nShown == m_text.size();
        if (isShown && !m_text.empty() && m_text.back() == '\n')
        {
            Take();
        }
        m_text.append(text, static_cast<std::size_t>(size));
        const auto isBeginning = [this](std::string_view begin) {
            const std::size_t size = std::min(begin.size(), m_text.size());
            return begin.substr(0, size) == std::string_view(m_text).substr(0, size);
        };
        if (m_nShown > 0 || m_text.size() > MAX_MESSAGE ||
            std::none_of(BEGINNINGS.begin(), BEGINNINGS.end(), isBeginning))
        {
            Show();
        }
        return size;
    }

    int overflow(int character) override
    {
        const char text = traits_type::to_char_type(character);
        return xsputn(&text, 1) == 1 ? character : traits_type::eof();
    }

    int sync() override
    {
        return 0; // std::cerr asks for it after every word
    }

  private:
    std::streambuf* m_target; //!< shows the text
    std::string m_text;       //!< the line under way, or the message
    std::size_t m_nShown{0};  //!< its bytes that have been shown
};

/// What has the messages, once fatal errors are exceptions
FatalMessageBuffer* g_messages = nullptr;

struct sigaction g_atFault; //!< what SIGSEGV did before ns-3 flushes its streams

/// ns-3 flushes the streams that it knows before a fatal error ends the program. An exception that
/// is being handled then is not what ends it.
class FatalErrorNotice : public std::streambuf
{
  public:
    /// Have ns-3 flush a stream, once, which gives notice. It is never deleted, as a destructor at
    /// the end of the program may meet a fatal error, too.
    static void Register()
    {
        auto* const stream = new std::ostream(new FatalErrorNotice);
        stream->exceptions(std::ios::badbit); // passes the exception on
        FatalImpl::RegisterStream(stream);
    }

  protected:
    int sync() override
    {
        if (!g_messages)
        {
            return 0;
        }
        Register(); // for the next error
        sigaction(SIGSEGV, &g_atFault, nullptr);
        throw FatalError(g_messages->Take());
    }
};

/// A std::terminate_handler for exceptions that no handler can get.
void
HandleAll()
{
    g_messages->Show();
    g_messages = nullptr; // nothing that is flushed now throws
    try
    {
        if (const auto error = std::current_exception())
        {
            std::rethrow_exception(error);
        }
    }
    catch (const std::exception& e)
    {
        std::cout.flush(); // before the line, where both go to one file
        std::cerr << GetProgramName() << ": " << e.what() << std::endl;
    }
    catch (...)
    {
        // says nothing
    }
    FatalImpl::FlushStreams(); // what was printed before is not lost
    std::fflush(nullptr);
    std::_Exit(1); // no destructors, as something may throw again
}

std::string g_atInterrupt; //!< what a signal handler shows, which can only look at what is there

/// Handles a signal that ends the program. @param signal its number
extern "C" void
ShowInterrupt(int signal)
{
    constexpr int INTERRUPTED = 128; // as shells have it, and the number of the signal
    const auto ignored = write(STDERR_FILENO, g_atInterrupt.data(), g_atInterrupt.size());
    static_cast<void>(ignored);
    _exit(INTERRUPTED + signal);
}

} // namespace

void
ThrowFatalErrors()
{
    if (g_messages)
    {
        return;
    }
    sigaction(SIGSEGV, nullptr, &g_atFault);
    // Never deleted, as std::cerr is used until the end of the program.
    g_messages = new FatalMessageBuffer(std::cerr.rdbuf());
    if (std::clog.rdbuf() == std::cerr.rdbuf())
    {
        std::clog.rdbuf(g_messages); // has the time and the node of a message
    }
    std::cerr.rdbuf(g_messages);
    FatalErrorNotice::Register();
    std::set_terminate(HandleAll);
}

void
RunUntilInterrupt(const std::string& text)
{
    static constexpr std::array<int, 3> SIGNALS{SIGINT, SIGTERM, SIGHUP};
    g_atInterrupt = "\n" + text + "\n";
    struct sigaction action{};
    action.sa_handler = ShowInterrupt;
    sigfillset(&action.sa_mask); // one is enough
    std::array<struct sigaction, SIGNALS.size()> before{};
    for (std::size_t i = 0; i < SIGNALS.size(); ++i)
    {
        sigaction(SIGNALS[i], nullptr, &before[i]);
        // Others have a handler where somebody else watches this process, and none after nohup.
        if (SIGNALS[i] == SIGINT || before[i].sa_handler == SIG_DFL)
        {
            sigaction(SIGNALS[i], &action, nullptr);
        }
    }
    const auto restore = [&before] {
        for (std::size_t i = 0; i < SIGNALS.size(); ++i)
        {
            sigaction(SIGNALS[i], &before[i], nullptr);
        }
    };
    try
    {
        Simulator::Run();
    }
    catch (...)
    {
        restore();
        throw;
    }
    restore();
}

} // namespace ns3::aidc
