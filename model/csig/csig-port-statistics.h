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
 * @brief The counters of a port for CSIG tags.
 *
 * A tag that arrives is misplaced, discarded, untrusted, bad or stripped at once, or it continues.
 */
struct CsigPortStatistics
{
    uint64_t taggedIn{0};    //!< frames that arrived with a tag
    uint64_t taggedOut{0};   //!< frames that left with a tag
    uint64_t updated{0};     //!< tags into which this port put its value
    uint64_t stripped{0};    //!< tags removed by configuration, at ingress or egress
    uint64_t untrusted{0};   //!< tags from senders that are not trusted
    uint64_t unsupported{0}; //!< tags that ask for a signal that this port does not support
    uint64_t frozen{0};      //!< tags left alone because they forbid an update
    uint64_t bad{0};         //!< tags that cannot be read, and were removed
    uint64_t discarded{0};   //!< frames dropped for their tags, at the level Discard
    uint64_t misplaced{0};   //!< frames dropped because their tag is not the last one
    uint64_t foreign{0};     //!< packet tags that CsigHost has not made; removed
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PORT_STATISTICS_H
