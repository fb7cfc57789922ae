/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANK_STREAMS_H
#define AIDC_RANK_STREAMS_H

#include <string>
#include <sys/un.h>

/**
 * @file
 * @ingroup aidc
 * How RankStarter gives its ranks its own standard streams: by a local socket (unix(7)).
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @param path the path of a socket
/// @return its address
/// @throws std::runtime_error if the path is too long for one
sockaddr_un GetSocketAddress(const std::string& path);

/// @ingroup aidc
/// Give the other end of a connection the standard output and error streams of this process.
/// @param end the connection
/// @return whether the other end is there
bool GiveStreams(int end);

/// @ingroup aidc
/// Take streams that the other end of a connection gives as the standard ones of this process.
/// @param end the connection
/// @return whether the other end has given them
bool TakeStreams(int end);

} // namespace ns3::aidc

#endif // AIDC_RANK_STREAMS_H
