/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "started-rank.h"

#include "job-messages.h"
#include "rank-streams.h"

#include "ns3/mpi-ranks.h"
#include "ns3/rank-environment.h"
#include "ns3/uncaught-error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace ns3::aidc
{

namespace
{

/// The time in which a rank leaves by itself after another one has failed.
constexpr auto LEAVE_WITHIN = std::chrono::seconds(2);

/// The number of a signal in the message of a handler, two digits.
constexpr std::size_t DIGITS = 2;

int g_end = -1;                             //!< where handlers of signals write to
std::array<char, 16> g_message;             //!< what they write, with room for the digits
std::size_t g_messageSize = 0;              //!< its size
volatile std::sig_atomic_t g_hasToldSignal; //!< whether one has written

/// Tell the other process which signal ends this rank. @param signal its number
extern "C" void
TellSignal(int signal)
{
    if (!g_hasToldSignal)
    {
        g_hasToldSignal = 1;
        g_message[g_messageSize - 2] = static_cast<char>('0' + signal / 10 % 10);
        g_message[g_messageSize - 1] = static_cast<char>('0' + signal % 10);
        const auto ignored = write(g_end, g_message.data(), g_messageSize);
        static_cast<void>(ignored);
    }
    if (signal == SIGTERM)
    {
        MpiRanks::Abandon(); // mpirun ends all ranks when one has ended; the first one tidies up
        return;
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

/// Have signals that end this process tell the other one. @param end where to write to
void
TellSignals(int end)
{
    const auto message = EncodeJobMessage({JobMessage::SIGNAL, std::string(DIGITS, '0')});
    g_end = end;
    g_messageSize = message.size();
    std::copy(message.begin(), message.end(), g_message.begin());
    struct sigaction action{};
    action.sa_handler = TellSignal;
    for (const int signal : {SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU})
    {
        sigaction(signal, &action, nullptr);
    }
}

} // namespace

StartedRank&
StartedRank::Get()
{
    // Never deleted, as its thread runs until the end of the program
    static auto* const rank = new StartedRank;
    return *rank;
}

StartedRank::StartedRank()
{
    const char* const path = std::getenv(RANK_STARTER);
    if (!path || !IsLaunchedAsRank())
    {
        return;
    }
    m_end = Connect(path);
    unsetenv(RANK_STARTER); // what this process starts is no rank
    if (!IsStarted())
    {
        _exit(1); // the other process has ended
    }
    const auto rank = std::to_string(GetLaunchedRank());
    SendJobMessage(m_end, {JobMessage::REPORT, rank + " " + std::to_string(getpid())});
    if (!TakeStreams(m_end))
    {
        _exit(1);
    }
    ThrowFatalErrors(); // whose messages so become the line of this rank
    TellSignals(m_end);
    std::thread([this] { Watch(); }).detach();
}

int
StartedRank::Connect(const std::string& path)
{
    const auto address = GetSocketAddress(path);
    const int end = socket(AF_UNIX, SOCK_STREAM, 0);
    if (end < 0)
    {
        return -1;
    }
    fcntl(end, F_SETFD, FD_CLOEXEC);
    if (connect(end, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    {
        close(end);
        return -1;
    }
    return end;
}

void
StartedRank::Watch()
{
    for (;;)
    {
        char letter = 0;
        const auto n = read(m_end, &letter, 1);
        if (n == 1)
        {
            m_mayCommit.set_value();
        }
        else if (n == 0 || errno != EINTR)
        {
            break;
        }
    }
    MpiRanks::Abandon();
    std::this_thread::sleep_for(LEAVE_WITHIN);
    _exit(1);
}

void
StartedRank::Fail(const std::string& text)
{
    if (IsStarted())
    {
        SendJobMessage(m_end, {JobMessage::ERROR, text});
    }
}

void
StartedRank::Leave()
{
    if (IsStarted())
    {
        SendJobMessage(m_end, {JobMessage::LEFT, ""});
    }
}

void
StartedRank::AwaitCommit()
{
    if (IsStarted())
    {
        SendJobMessage(m_end, {JobMessage::READY, ""});
        m_mayCommit.get_future().wait();
    }
}

void
StartedRank::Finish(bool hasFigures)
{
    if (IsStarted())
    {
        std::cout.flush();
        SendJobMessage(m_end, {JobMessage::RESULT, hasFigures ? "" : "no figures"});
    }
}

} // namespace ns3::aidc
