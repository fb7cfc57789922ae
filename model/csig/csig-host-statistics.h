/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_HOST_STATISTICS_H
#define AIDC_CSIG_HOST_STATISTICS_H

#include <cstdint>

namespace ns3::aidc
{

/// @ingroup aidc
/// The counters of a CsigHost.
struct CsigHostStatistics
{
    uint64_t tagsSent{0};             //!< packets tagged
    uint64_t tagsReceived{0};         //!< packets that arrived with a tag
    uint64_t untaggedReceived{0};     //!< packets with data of a CSIG flow that arrived without one
    uint64_t reflectionsSent{0};      //!< with data fields
    uint64_t emptySent{0};            //!< without: packets came untagged
    uint64_t reflectionsReceived{0};  //!< with data fields
    uint64_t emptyReceived{0};        //!< without
    uint64_t noRoom{0};               //!< options put off because the header was full
    uint64_t overMtu{0};              //!< options put off because of the MTU
    uint64_t foreignTags{0};          //!< tags taken from packets of the transport (section 9)
    uint64_t malformedOptions{0};     //!< CSIG options of impossible content; removed
    uint64_t unexpectedOptions{0};    //!< CSIG options without an agreement; removed
    uint64_t malformedSegments{0};    //!< TCP segments of impossible lengths; dropped
    uint64_t corruptSegments{0};      //!< TCP segments of a wrong checksum; TCP drops them
    uint64_t malformedReflections{0}; //!< reflection headers that are too short
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_HOST_STATISTICS_H
