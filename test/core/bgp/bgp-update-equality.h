// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_UPDATE_EQUALITY_H
#define AIDC_BGP_UPDATE_EQUALITY_H

#include "model/core/bgp/bgp-update.h"

namespace aidctest
{

/// Whether two UPDATEs say the same.
inline bool
IsSame(const ns3::aidc::BgpUpdate& a, const ns3::aidc::BgpUpdate& b)
{
    const bool hasSameReach = a.mpReach.has_value() == b.mpReach.has_value() &&
                              (!a.mpReach || (a.mpReach->nextHop == b.mpReach->nextHop &&
                                              a.mpReach->prefixes == b.mpReach->prefixes));
    return a.withdrawn == b.withdrawn && a.attributes == b.attributes &&
           a.announced == b.announced && hasSameReach && a.mpUnreach == b.mpUnreach;
}

} // namespace aidctest

#endif // AIDC_BGP_UPDATE_EQUALITY_H
