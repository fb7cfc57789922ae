/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packed-file.h"

#include "aidc-input-error.h"
#include "workload-file-reader.h"

#include <iterator>
#include <memory>
#include <vector>

#ifdef AIDC_HAS_ZLIB
#include <zlib.h>
#endif

namespace ns3::aidc
{

namespace
{

/// Unpack a file.
std::string
Unpack(const std::string& path)
{
#ifdef AIDC_HAS_ZLIB
    static constexpr char EXPECTED[] = "a file that gzip can unpack";
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose_r);
    std::vector<char> block(1 << 16);
    std::string bytes;
    for (int n = 1; n > 0;)
    {
        n = file ? gzread(file.get(), block.data(), static_cast<unsigned>(block.size())) : -1;
        bytes.append(block.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
    }
    int error = Z_ERRNO;
    const char* const text = file ? gzerror(file.get(), &error) : "cannot be opened";
    if (error != Z_OK)
    {
        throw AidcInputError(path, 0, EXPECTED, error == Z_BUF_ERROR ? "end of file" : text);
    }
    return bytes;
#else
    throw AidcInputError(path,
                         0,
                         "an uncompressed file, as aidc was built without zlib",
                         "gzip-compressed bytes");
#endif
}

} // namespace

std::string
ReadPackedFile(const std::string& path)
{
    auto stream = WorkloadFileReader::Open(path);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    if (stream.bad())
    {
        throw AidcInputError(path, 0, "a file that can be read", "read error");
    }
    const bool isPacked = bytes.compare(0, 2, "\x1f\x8b") == 0;
    return isPacked ? Unpack(path) : bytes;
}

} // namespace ns3::aidc
