// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_AIDC_VERSION_H
#define AIDC_AIDC_VERSION_H

#include <string>

namespace ns3::aidc
{

/// The version of this module that the library was built from.
///
/// Each build asks git (cmake/write-version.cmake), and compiles the answer again if it has
/// changed.
/// @return the commit, after a tag if there is one, such as "e7dc189" or "v1.0-3-ge7dc189";
///         "-dirty" follows if files differ from it. "unknown" if the sources are not a git
///         repository of their own.
std::string GetAidcVersion();

/// The release of ns-3 that this module was compiled against.
///
/// A build that knows the release says so by defining AIDC_NS3_RELEASE as a string when it compiles
/// aidc-version.cc, and that is what is returned. Otherwise the release is read off the deprecation
/// macros of ns-3: each release from 3.37 to 3.48 defines one of its own number. That is exact for
/// these releases. A development snapshot reads as the release that it leads to, a later release as
/// "3.48", and an earlier one as "unknown".
/// @return the release, such as "3.44"
std::string GetNs3Release();

} // namespace ns3::aidc

#endif // AIDC_AIDC_VERSION_H
