/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-streams.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

namespace ns3::aidc
{

namespace
{

/// The streams that are given
using Streams = std::array<int, 2>;

/// A message of one byte, with room for the streams
struct StreamsMessage
{
    /// Constructor of an empty message.
    StreamsMessage()
    {
        part = {&byte, 1};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        header.msg_control = room.data();
        header.msg_controllen = room.size();
    }

    char byte{0};                                                          //!< the byte
    iovec part{};                                                          //!< the byte
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(Streams))> room{}; //!< has the streams
    msghdr header{};                                                       //!< the message
};

} // namespace

sockaddr_un
GetSocketAddress(const std::string& path)
{
    sockaddr_un address{};
    if (path.size() >= sizeof(address.sun_path))
    {
        throw std::runtime_error("the path " + path +
                                 " is too long for a socket; expected TMPDIR to be a shorter one");
    }
    address.sun_family = AF_UNIX;
    std::copy(path.begin(), path.end(), address.sun_path);
    return address;
}

bool
GiveStreams(int end)
{
    const Streams streams{STDOUT_FILENO, STDERR_FILENO};
    StreamsMessage message;
    cmsghdr* const control = CMSG_FIRSTHDR(&message.header);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof(streams));
    std::memcpy(CMSG_DATA(control), streams.data(), sizeof(streams));
    return sendmsg(end, &message.header, 0) == 1;
}

bool
TakeStreams(int end)
{
    StreamsMessage message;
    ssize_t n = 0;
    do
    {
        n = recvmsg(end, &message.header, 0);
    } while (n < 0 && errno == EINTR);
    const cmsghdr* const control = CMSG_FIRSTHDR(&message.header);
    if (n != 1 || !control || control->cmsg_type != SCM_RIGHTS)
    {
        return false;
    }
    Streams streams{};
    std::memcpy(streams.data(), CMSG_DATA(control), sizeof(streams));
    dup2(streams[0], STDOUT_FILENO);
    dup2(streams[1], STDERR_FILENO);
    close(streams[0]);
    close(streams[1]);
    return true;
}

} // namespace ns3::aidc
