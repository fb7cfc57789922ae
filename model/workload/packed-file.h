/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PACKED_FILE_H
#define AIDC_PACKED_FILE_H

#include <string>

namespace ns3::aidc
{

/// Read all bytes of a file, and unpack them if gzip has packed them.
/// @param path the path of the file
/// @return the bytes
/// @throws AidcInputError if the file cannot be read, or is packed and damaged, or is packed and
///         this library has been built without zlib
std::string ReadPackedFile(const std::string& path);

} // namespace ns3::aidc

#endif // AIDC_PACKED_FILE_H
