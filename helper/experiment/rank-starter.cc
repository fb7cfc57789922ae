/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-starter.h"

#include "held-signals.h"
#include "rank-streams.h"
#include "started-rank.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <poll.h>
#include <set>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace ns3::aidc
{

namespace
{

namespace fs = std::filesystem;

/// How long the others have to leave after a rank has failed, longer than they need (StartedRank).
constexpr auto TIME_TO_LEAVE = std::chrono::seconds(3);

/// How long mpirun has to end after its ranks.
constexpr auto TIME_TO_END = std::chrono::seconds(3);

/// How often signals and mpirun are looked at.
constexpr auto PERIOD = std::chrono::milliseconds(100);

/// @return the path of mpirun or mpiexec; empty if there is none
std::string
FindLauncher()
{
    const char* const path = std::getenv("PATH");
    for (const char* const name : {"mpirun", "mpiexec"})
    {
        std::istringstream folders(path ? path : "");
        for (std::string folder; std::getline(folders, folder, ':');)
        {
            const auto file = fs::path(folder) / name;
            if (access(file.c_str(), X_OK) == 0)
            {
                return file.string();
            }
        }
    }
    return "";
}

/// @param called the program as it was called
/// @return its path
std::string
GetProgram(const std::string& called)
{
    std::error_code error;
    const auto path = fs::read_symlink("/proc/self/exe", error);
    return error ? called : path.string();
}

/// Set what mpirun needs to know, unless the user has set it: what root has to confirm, and that
/// there may be more ranks than processors, each on any processor. MPICH needs nothing.
void
SetEnvironment()
{
    const auto set = [](const char* name, const char* value) { setenv(name, value, 0); };
    if (geteuid() == 0)
    {
        set("OMPI_ALLOW_RUN_AS_ROOT", "1");
        set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    set("OMPI_MCA_rmaps_base_oversubscribe", "1");
    set("OMPI_MCA_hwloc_base_binding_policy", "none");
    set("OMPI_MCA_opal_signal", ""); // no traces of the stack; ranks tell their signals
}

} // namespace

RankStarter::RankStarter(uint32_t n, const std::vector<std::string>& arguments)
    : m_n(n),
      m_arguments(arguments)
{
}

RankStarter::~RankStarter()
{
    End();
}

bool
RankStarter::Run(const std::function<void()>& tidy)
{
    const HeldSignals held;
    bool isInterrupted = false;
    Start();
    while (!IsOver())
    {
        if (!isInterrupted && !m_isCommitted && HeldSignals::IsPending())
        {
            isInterrupted = true;
            HaveAllLeave();
        }
        Listen();
        CheckLauncher();
    }
    End();
    if (!m_isDone && !HasTidied())
    {
        tidy();
    }
    if (m_isDone)
    {
        HeldSignals::Drop();
    }
    else if (!isInterrupted)
    {
        throw std::runtime_error(Describe());
    }
    return m_hasFigures;
}

void
RankStarter::Start()
{
    const std::string option = "--ranks=" + std::to_string(m_n);
    const char* const nMachines = std::getenv("SLURM_JOB_NUM_NODES");
    if (nMachines && std::strtoul(nMachines, nullptr, 10) > 1)
    {
        throw std::runtime_error(option +
                                 ": a program starts ranks on one machine only, and this "
                                 "job of Slurm has " +
                                 nMachines + "; expected srun -n " + std::to_string(m_n) +
                                 " in front of it");
    }
    const auto launcher = FindLauncher();
    if (launcher.empty())
    {
        throw std::runtime_error(option + ": found no mpirun or mpiexec, which starts the ranks; "
                                          "expected the package openmpi-bin (Debian and Ubuntu), "
                                          "openmpi (Fedora) or open-mpi (Homebrew), or --ranks=1");
    }
    auto name = (fs::temp_directory_path() / "aidc-ranks-XXXXXX").string();
    if (!mkdtemp(name.data()))
    {
        ThrowSystemError("cannot make the folder " + name);
    }
    m_folder = name;
    const auto address = GetSocketAddress((fs::path(m_folder) / "socket").string());
    m_listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (m_listener < 0 || fcntl(m_listener, F_SETFD, FD_CLOEXEC) != 0 ||
        bind(m_listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
        listen(m_listener, static_cast<int>(m_n)) != 0)
    {
        ThrowSystemError("cannot listen to ranks");
    }
    JobPipe output;
    m_launcher = fork();
    if (m_launcher < 0)
    {
        ThrowSystemError("cannot start " + launcher);
    }
    if (m_launcher == 0)
    {
        dup2(output.GetIn(), STDOUT_FILENO);
        dup2(output.GetIn(), STDERR_FILENO);
        setenv(RANK_STARTER, address.sun_path, 1);
        Become(launcher);
    }
    m_output = output.TakeOut();
}

void
RankStarter::Become(const std::string& launcher)
{
    setsid(); // Ctrl-C is for the process that watches
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    std::signal(SIGPIPE, SIG_DFL);
    const int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    SetEnvironment();
    std::vector<std::string> words{launcher, "-n", std::to_string(m_n), GetProgram(m_arguments[0])};
    words.insert(words.end(), std::next(m_arguments.begin()), m_arguments.end());
    std::vector<char*> pointers;
    std::transform(words.begin(), words.end(), std::back_inserter(pointers), [](auto& word) {
        return word.data();
    });
    pointers.push_back(nullptr);
    execv(launcher.c_str(), pointers.data());
    _exit(127); // as shells have it
}

void
RankStarter::Listen()
{
    std::vector<pollfd> ends{{m_listener, POLLIN, 0}, {m_output, POLLIN, 0}};
    const std::size_t nRanks = m_ranks.size();
    for (const auto& rank : m_ranks)
    {
        ends.push_back({rank.end, POLLIN, 0}); // -1 is left out
    }
    if (poll(ends.data(), ends.size(), static_cast<int>(PERIOD.count())) <= 0)
    {
        return;
    }
    if (ends[1].revents != 0)
    {
        ReadSome(m_output, m_said);
    }
    for (std::size_t i = 0; i < nRanks; ++i)
    {
        if (ends[2 + i].revents != 0)
        {
            Take(m_ranks[i]);
        }
    }
    Commit(); // after all have been listened to
    if (ends[0].revents != 0)
    {
        Accept();
    }
}

void
RankStarter::Accept()
{
    const int end = accept(m_listener, nullptr, nullptr);
    if (end < 0)
    {
        return;
    }
    fcntl(end, F_SETFD, FD_CLOEXEC);
    m_ranks.emplace_back().end = end;
    if (m_ranks.size() == m_n)
    {
        Unlink();
    }
}

void
RankStarter::Unlink()
{
    if (!m_folder.empty())
    {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
        m_folder.clear();
    }
    if (m_listener >= 0)
    {
        close(std::exchange(m_listener, -1));
    }
}

void
RankStarter::Take(Rank& rank)
{
    ReadSome(rank.end, rank.received);
    while (const auto message = TakeJobMessage(rank.received))
    {
        TakeMessage(rank, *message);
    }
    if (rank.end < 0 && rank.pid == 0)
    {
        HaveAllLeave(); // Describe() finds out which one it was
    }
    else if (rank.end < 0 && !rank.hasEnded)
    {
        Blame(rank, {rank.number, "was killed; systems do so when memory is too small"});
    }
}

void
RankStarter::TakeMessage(Rank& rank, const JobMessage& message)
{
    switch (message.kind)
    {
    case JobMessage::REPORT:
        std::istringstream(message.text) >> rank.number >> rank.pid;
        if (!GiveStreams(rank.end))
        {
            return; // it has ended, which is read next
        }
        if (m_deadline)
        {
            shutdown(rank.end, SHUT_WR);
        }
        return;
    case JobMessage::READY:
        rank.isReady = true;
        return;
    case JobMessage::RESULT:
        m_isDone = m_isDone || rank.number == 0;
        m_hasFigures = m_hasFigures && message.text.empty();
        if (m_isDone && !m_deadline)
        {
            m_deadline = Clock::now() + TIME_TO_END;
        }
        break;
    case JobMessage::ERROR:
        Blame(rank, {rank.number, message.text, true});
        break;
    case JobMessage::SIGNAL:
        TakeSignal(rank, std::stoi(message.text));
        return; // it may still tidy up
    case JobMessage::LEFT:
        break;
    }
    rank.hasEnded = true;
}

void
RankStarter::TakeSignal(const Rank& rank, int signal)
{
    // mpirun ends ranks by SIGTERM when another one has ended.
    const std::string text =
        "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
    Blame(rank, {rank.number, text, false, signal == SIGTERM});
}

void
RankStarter::Commit()
{
    const bool isReady =
        std::any_of(m_ranks.begin(), m_ranks.end(), [](const Rank& rank) { return rank.isReady; });
    if (!isReady || m_isCommitted || m_deadline)
    {
        return;
    }
    m_isCommitted = true;
    for (const auto& rank : m_ranks)
    {
        if (rank.isReady && write(rank.end, "c", 1) != 1)
        {
            m_isCommitted = false; // it has ended, which is read next
        }
    }
}

void
RankStarter::Blame(const Rank& rank, const Cause& cause)
{
    const bool isKnown = std::any_of(m_causes.begin(), m_causes.end(), [&rank](const Cause& one) {
        return one.rank == rank.number;
    });
    if (!isKnown && !m_isDone && !(m_isCommitted && rank.number != 0))
    {
        m_causes.push_back(cause);
        HaveAllLeave();
    }
}

void
RankStarter::HaveAllLeave()
{
    if (m_deadline)
    {
        return;
    }
    m_deadline = Clock::now() + TIME_TO_LEAVE;
    for (const auto& rank : m_ranks)
    {
        if (rank.end >= 0)
        {
            shutdown(rank.end, SHUT_WR);
        }
    }
}

void
RankStarter::CheckLauncher()
{
    if (m_launcher > 0 && waitpid(m_launcher, &m_status, WNOHANG) == m_launcher)
    {
        m_launcher = -1;
        HaveAllLeave();
    }
}

bool
RankStarter::IsOver() const
{
    const bool hasEnded =
        std::all_of(m_ranks.begin(), m_ranks.end(), [](const Rank& rank) { return rank.end < 0; });
    return (m_launcher < 0 && hasEnded) || (m_deadline && Clock::now() >= *m_deadline);
}

void
RankStarter::End()
{
    for (auto& rank : m_ranks)
    {
        if (rank.end >= 0)
        {
            close(std::exchange(rank.end, -1));
            if (rank.pid > 0 && !m_isDone)
            {
                kill(rank.pid, SIGKILL);
            }
        }
    }
    // It removes its files after its ranks.
    const auto begin = Clock::now();
    for (int signal = SIGTERM; m_launcher > 0; CheckLauncher())
    {
        if (Clock::now() - begin > TIME_TO_END)
        {
            kill(m_launcher, signal);
            signal = SIGKILL;
        }
        std::this_thread::sleep_for(PERIOD);
    }
    if (m_output >= 0)
    {
        close(std::exchange(m_output, -1));
    }
    Unlink();
}

bool
RankStarter::HasTidied() const
{
    return std::any_of(m_ranks.begin(), m_ranks.end(), [](const Rank& rank) {
        return rank.number == 0 && rank.hasEnded;
    });
}

std::string
RankStarter::Describe() const
{
    const auto name = [](uint32_t rank) { return "rank " + std::to_string(rank); };
    const auto isConsequence = [](const Cause& cause) { return cause.isConsequence; };
    if (std::all_of(m_causes.begin(), m_causes.end(), isConsequence))
    {
        std::set<uint32_t> heard;
        for (const auto& rank : m_ranks)
        {
            rank.pid > 0 ? void(heard.insert(rank.number)) : void();
        }
        for (uint32_t rank = 0; !heard.empty() && rank < m_n; ++rank)
        {
            if (heard.count(rank) == 0)
            {
                return name(rank) + " has ended before it began";
            }
        }
        if (heard.empty())
        {
            return "cannot start " + std::to_string(m_n) + " ranks; mpirun says:\n" + m_said;
        }
    }
    if (m_causes.empty())
    {
        return "mpirun has ended before its ranks";
    }
    const auto isSame = [this](const Cause& cause) { return cause.text == m_causes[0].text; };
    if (m_causes[0].isError && m_causes.size() == m_n &&
        std::all_of(m_causes.begin(), m_causes.end(), isSame))
    {
        return m_causes[0].text;
    }
    const auto cause = *std::min_element( // the first one of those that are alike
        m_causes.begin(),
        m_causes.end(),
        [](const Cause& a, const Cause& b) { return a.isConsequence < b.isConsequence; });
    return name(cause.rank) + (cause.isError ? ": " : " ") + cause.text;
}

} // namespace ns3::aidc
