// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WORKLOAD_FILE_READER_H
#define AIDC_WORKLOAD_FILE_READER_H

#include "../core/workload/text-reader.h"
#include "aidc-input-error.h"

#include <cstdint>
#include <fstream>
#include <functional>
#include <istream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The lines of a file after the last one that its header announces.
///
/// The format puts remarks there. Simulators have always stopped reading at the announced number,
/// so a file may also keep records there. A reader accepts both, and tells its caller.
struct TrailingText
{
    uint32_t line{0};    //!< the first such line that is neither blank nor a comment; 0 if none
    uint32_t lines{0};   //!< the number of lines that are neither blank nor comments
    uint32_t records{0}; //!< how many of them look like records that were meant to be read
};

/// Tell the user if a file has more records than its first line announces.
void NoteTrailingText(const std::string& file, const TrailingText& trailing);

/// Reads a text file line by line, splits lines into fields, and checks them.
///
/// Fields are separated by blanks or tabs. Blank lines, and lines whose first field begins with
/// `#`, are skipped, and so is a byte-order mark. Lines end with LF or CRLF. Numbers never depend
/// on the locale. Every failure is an AidcInputError with file and line; an end of file counts as
/// the line after the last one.
class WorkloadFileReader
{
  public:
    /// @return the stream of a file
    /// @throws AidcInputError if the file cannot be opened, or is a folder
    static std::ifstream Open(const std::string& path);

    /// Remove the mark of UTF-8 that some editors put at the beginning of a text.
    static void SkipByteOrderMark(std::string& text);

    /// @param stream the text; it must outlive the reader
    /// @param name the name for errors
    WorkloadFileReader(std::istream& stream, std::string name)
        : m_stream(stream),
          m_name(std::move(name))
    {
    }

    /// Go to the next line that is neither blank nor a comment.
    /// @return false at the end of the file
    bool Next();

    /// Go to the next line that is neither blank nor a comment, which must exist and have a given
    /// number of fields. expected: what the line should be, for the error.
    void Require(std::size_t nFields, const std::string& expected);

    /// Count the lines after the last announced one: text, and more records.
    /// @param nFields the number of fields of a record
    /// @param expected what a line that begins with a number should be, for the error
    /// @param check checks the fields of a record, and fails if one is wrong
    /// @return what was found
    /// @throws AidcInputError if a line begins with a number but is no record
    TrailingText SkipRest(std::size_t nFields,
                          const std::string& expected,
                          const std::function<void()>& check);

    /// @return the number of the current line, counted from 1
    uint32_t GetLine() const
    {
        return m_line;
    }

    /// @return the current line
    const std::string& GetText() const
    {
        return m_text;
    }

    /// @return the fields of the current line
    const std::vector<std::string>& GetFields() const
    {
        return m_fields;
    }

    /// Read a field of the current line as an unsigned integer from min to max. what: the field, as
    /// errors name it.
    uint64_t GetUnsigned(std::size_t index, uint64_t min, uint64_t max, const std::string& what);

    /// Read a field of the current line as a number from min to max. what: the field with its
    /// range, as errors name it.
    double GetNumber(std::size_t index, double min, double max, const std::string& what);

    /// Throw an error of the current line.
    [[noreturn]] void Fail(const std::string& expected, const std::string& found) const
    {
        throw AidcInputError(m_name, m_line, expected, found);
    }

  private:
    std::istream& m_stream;            //!< the text
    std::string m_name;                //!< the name for errors
    uint32_t m_line{0};                //!< the number of the current line
    std::string m_text;                //!< the current line
    std::vector<std::string> m_fields; //!< its fields
};

/// Read all bytes of a file, and unpack them if gzip has packed them.
/// @throws AidcInputError if the file cannot be read, or is packed and damaged, or is packed and
///         this library has been built without zlib
std::string ReadPackedFile(const std::string& path);

} // namespace ns3::aidc

#endif // AIDC_WORKLOAD_FILE_READER_H
