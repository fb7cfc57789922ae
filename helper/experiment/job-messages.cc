/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-messages.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/types.h>
#include <unistd.h>

namespace ns3::aidc
{

namespace
{

/// Bytes of a message before its text: its kind and the size of its text
constexpr std::size_t HEADER = 1 + sizeof(uint64_t);

} // namespace

JobPipe::JobPipe()
{
    if (pipe(m_ends.data()) != 0)
    {
        ThrowSystemError("cannot make a pipe to a run");
    }
    for (const int end : m_ends)
    {
        fcntl(end, F_SETFD, FD_CLOEXEC);
    }
}

JobPipe::~JobPipe()
{
    for (const int end : m_ends)
    {
        if (end >= 0)
        {
            close(end);
        }
    }
}

void
ThrowSystemError(const std::string& what)
{
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

std::string
EncodeJobMessage(const JobMessage& message)
{
    const uint64_t size = message.text.size();
    std::string bytes(HEADER, message.kind);
    std::memcpy(bytes.data() + 1, &size, sizeof(size));
    return bytes + message.text;
}

void
SendJobMessage(int end, const JobMessage& message)
{
    const std::string bytes = EncodeJobMessage(message);
    for (std::size_t sent = 0; sent < bytes.size();)
    {
        const auto n = write(end, bytes.data() + sent, bytes.size() - sent);
        if (n < 0 && errno != EINTR)
        {
            _exit(1);
        }
        sent += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
    }
}

void
ReadSome(int& end, std::string& text)
{
    std::array<char, 65536> bytes;
    const auto n = read(end, bytes.data(), bytes.size());
    if (n > 0)
    {
        text.append(bytes.data(), static_cast<std::size_t>(n));
    }
    else if (n == 0 || errno != EINTR)
    {
        close(std::exchange(end, -1));
    }
}

std::optional<JobMessage>
TakeJobMessage(std::string& bytes)
{
    uint64_t size = 0;
    if (bytes.size() < HEADER)
    {
        return std::nullopt;
    }
    std::memcpy(&size, bytes.data() + 1, sizeof(size));
    if (bytes.size() - HEADER < size)
    {
        return std::nullopt;
    }
    JobMessage message{static_cast<JobMessage::Kind>(bytes.front()), bytes.substr(HEADER, size)};
    bytes.erase(0, HEADER + size);
    return message;
}

} // namespace ns3::aidc
