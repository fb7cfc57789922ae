/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_PORT_STATISTICS_H
#define AIDC_CSIG_PORT_STATISTICS_H

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What a port has done with CSIG tags so far.
 *
 * What came in is misplaced, discarded, untrusted, bad or stripped at once, or goes on.
 */
struct CsigPortStatistics
{
    uint64_t taggedIn{0};    //!< frames that came in with a tag
    uint64_t taggedOut{0};   //!< frames that left with a tag
    uint64_t updated{0};     //!< tags of frames that left into which this port put its value
    uint64_t stripped{0};    //!< tags taken off by configuration, at ingress or egress
    uint64_t untrusted{0};   //!< tags from senders that are not trusted
    uint64_t unsupported{0}; //!< tags that ask for what this port does not support
    uint64_t frozen{0};      //!< tags left alone because they forbid an update
    uint64_t bad{0};         //!< tags that cannot be read, and were taken off
    uint64_t discarded{0};   //!< frames dropped for their tags, as the level Discard does
    uint64_t misplaced{0};   //!< frames dropped because their tag is not the last one
    uint64_t foreign{0};     //!< packet tags that CsigHost has not made; taken off
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PORT_STATISTICS_H
