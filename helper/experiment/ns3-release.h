/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NS3_RELEASE_H
#define AIDC_NS3_RELEASE_H

#include <string>

namespace ns3::aidc
{

/// @ingroup aidc
/// The release of ns-3 that this module was compiled against.
///
/// A build that knows the release says so by defining AIDC_NS3_RELEASE as a string when it compiles
/// ns3-release.cc, and that is what is returned. Otherwise the release is read off the deprecation
/// macros of ns-3: each release from 3.37 to 3.48 defines one of its own number. That is exact for
/// these releases. A development snapshot reads as the release that it leads to, a later release as
/// "3.48", and an earlier one as "unknown".
/// @return the release, such as "3.44"
std::string GetNs3Release();

} // namespace ns3::aidc

#endif // AIDC_NS3_RELEASE_H
