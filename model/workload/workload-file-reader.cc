// SPDX-License-Identifier: GPL-2.0-only

#include "workload-file-reader.h"

#include "ns3/warning.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <system_error>

#ifdef AIDC_HAS_ZLIB
#include <zlib.h>
#endif

namespace ns3::aidc
{

std::ifstream
WorkloadFileReader::Open(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
        throw AidcInputError(path, 0, "a file that can be read", "a folder");
    }
    errno = 0;
    std::ifstream stream(path);
    if (!stream)
    {
        throw AidcInputError(path,
                             0,
                             "a file that can be opened",
                             errno ? std::strerror(errno) : "failure");
    }
    return stream;
}

void
WorkloadFileReader::SkipByteOrderMark(std::string& text)
{
    static const std::string MARK = "\xef\xbb\xbf";
    if (text.compare(0, MARK.size(), MARK) == 0)
    {
        text.erase(0, MARK.size());
    }
}

bool
WorkloadFileReader::Next()
{
    static constexpr char BLANKS[] = " \t\r\v\f";
    while (std::getline(m_stream, m_text))
    {
        ++m_line;
        if (m_line == 1)
        {
            SkipByteOrderMark(m_text);
        }
        m_fields.clear();
        for (std::size_t begin = m_text.find_first_not_of(BLANKS); begin != std::string::npos;)
        {
            const std::size_t end = m_text.find_first_of(BLANKS, begin);
            m_fields.emplace_back(m_text, begin, end == std::string::npos ? end : end - begin);
            begin = m_text.find_first_not_of(BLANKS, end);
        }
        if (!m_fields.empty() && m_fields[0][0] != '#')
        {
            if (m_text.back() == '\r')
            {
                m_text.pop_back();
            }
            return true;
        }
    }
    if (m_stream.bad())
    {
        throw AidcInputError(m_name, 0, "a file that can be read", "read error");
    }
    ++m_line;
    m_fields.clear();
    return false;
}

void
WorkloadFileReader::Require(std::size_t nFields, const std::string& expected)
{
    if (!Next())
    {
        Fail(expected, "end of file");
    }
    if (m_fields.size() != nFields)
    {
        Fail(expected, m_text);
    }
}

TrailingText
WorkloadFileReader::SkipRest(std::size_t nFields,
                             const std::string& expected,
                             const std::function<void()>& check)
{
    TrailingText rest;
    while (Next())
    {
        if (rest.lines == 0)
        {
            rest.line = m_line;
        }
        ++rest.lines;
        double value;
        if (!ParseNumber(m_fields[0], value))
        {
            continue; // text
        }
        if (m_fields.size() != nFields)
        {
            Fail(expected, m_text);
        }
        check();
        ++rest.records;
    }
    return rest;
}

uint64_t
WorkloadFileReader::GetUnsigned(std::size_t index,
                                uint64_t min,
                                uint64_t max,
                                const std::string& what)
{
    uint64_t value = 0;
    if (!ParseUnsigned(m_fields[index], value) || value < min || value > max)
    {
        Fail(what + " from " + std::to_string(min) + " to " + std::to_string(max), m_fields[index]);
    }
    return value;
}

double
WorkloadFileReader::GetNumber(std::size_t index, double min, double max, const std::string& what)
{
    double value = 0;
    if (!ParseNumber(m_fields[index], value) || value < min || value > max)
    {
        Fail(what, m_fields[index]);
    }
    return value;
}

void
NoteTrailingText(const std::string& file, const TrailingText& trailing)
{
    if (trailing.records > 0)
    {
        PrintUserLine("note: " + file + ":" + std::to_string(trailing.line) + ": " +
                      std::to_string(trailing.records) +
                      " records follow those that the first line announces; they are not used");
    }
}

namespace
{

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
