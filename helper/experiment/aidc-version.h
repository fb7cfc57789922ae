/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_AIDC_VERSION_H
#define AIDC_AIDC_VERSION_H

#include <string>

namespace ns3::aidc
{

/// @ingroup aidc
/// The version of this module that the library was built from.
///
/// Each build asks git (cmake/write-version.cmake), and compiles the answer again if it has
/// changed.
/// @return the commit, after a tag if there is one, such as "e7dc189" or "v1.0-3-ge7dc189";
///         "-dirty" follows if files differ from it. "unknown" if the sources are not a git
///         repository of their own.
std::string GetAidcVersion();

} // namespace ns3::aidc

#endif // AIDC_AIDC_VERSION_H
