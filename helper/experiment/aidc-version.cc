// SPDX-License-Identifier: GPL-2.0-only

#include "aidc-version.h"

#include "ns3/deprecated.h"

namespace ns3::aidc
{

std::string
GetNs3Release()
{
    // Old deprecation macros are dropped over time, so the highest one defined is the release
#if defined(AIDC_NS3_RELEASE)
    return AIDC_NS3_RELEASE;
#elif defined(NS_DEPRECATED_3_48)
    return "3.48";
#elif defined(NS_DEPRECATED_3_47)
    return "3.47";
#elif defined(NS_DEPRECATED_3_46)
    return "3.46";
#elif defined(NS_DEPRECATED_3_45)
    return "3.45";
#elif defined(NS_DEPRECATED_3_44)
    return "3.44";
#elif defined(NS_DEPRECATED_3_43)
    return "3.43";
#elif defined(NS_DEPRECATED_3_42)
    return "3.42";
#elif defined(NS_DEPRECATED_3_41)
    return "3.41";
#elif defined(NS_DEPRECATED_3_40)
    return "3.40";
#elif defined(NS_DEPRECATED_3_39)
    return "3.39";
#elif defined(NS_DEPRECATED_3_38)
    return "3.38";
#elif defined(NS_DEPRECATED_3_37)
    return "3.37";
#else
    return "unknown";
#endif
}

} // namespace ns3::aidc
