// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_BYTES_H
#define AIDC_BGP_BYTES_H

#include <cstddef>
#include <cstdint>
#include <vector>

/// @file
/// Bytes of BGP messages, read within their bounds and appended in network byte order.

namespace ns3::aidc
{

/// Bytes of a message or of a part of one.
using BgpBytes = std::vector<uint8_t>;

/// Tell whether two structures are equal that have a function Tie(), which gets all members.
template <typename T>
auto
operator==(const T& a, const T& b) -> decltype(a.Tie() == b.Tie())
{
    return a.Tie() == b.Tie();
}

/// Reads numbers in network byte order, and never beyond the end.
///
/// Numbers beyond the end read as 0, and IsWhole() is false from then on.
class BgpReader
{
  public:
    /// Constructor. data: the bytes, which outlive the reader; may be null if there are none.
    BgpReader(const uint8_t* data, std::size_t size)
        : m_data(data),
          m_size(size)
    {
    }

    /// @return how many bytes are left
    std::size_t GetSize() const
    {
        return m_size;
    }

    /// @return whether all reads were within the bounds; false once one was beyond the end
    bool IsWhole() const
    {
        return m_isWhole;
    }

    /// @return the address of the next byte, at which GetSize() bytes may be read
    const uint8_t* GetData() const
    {
        return m_data;
    }

    /// Read a number.
    template <typename T>
    T Read()
    {
        if (m_size < sizeof(T))
        {
            Skip(m_size);
            m_isWhole = false;
            return 0;
        }
        uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i)
        {
            value = value << 8 | m_data[i];
        }
        Skip(sizeof(T));
        return static_cast<T>(value);
    }

    /// Read some bytes as a whole. @return a reader of these bytes, or of all that are left if
    /// there are fewer
    BgpReader ReadPart(std::size_t size)
    {
        if (size > m_size)
        {
            size = m_size;
            m_isWhole = false;
        }
        const BgpReader part(m_data, size);
        Skip(size);
        return part;
    }

    /// @return a copy of the rest
    BgpBytes GetBytes() const
    {
        return m_size == 0 ? BgpBytes() : BgpBytes(m_data, m_data + m_size);
    }

  private:
    /// Skip bytes. @param size the number of bytes, at most GetSize()
    void Skip(std::size_t size)
    {
        if (size > 0)
        {
            m_data += size;
            m_size -= size;
        }
    }

    const uint8_t* m_data; //!< the next byte
    std::size_t m_size;    //!< how many bytes are left
    bool m_isWhole{true};  //!< all reads were within the bounds
};

/// Overwrite bytes by an unsigned integer in network byte order, whose size is the number of bytes.
template <typename T>
void
StoreBgp(uint8_t* bytes, T value)
{
    for (std::size_t i = 0; i < sizeof(T); ++i)
    {
        bytes[i] = static_cast<uint8_t>(value >> 8 * (sizeof(T) - 1 - i));
    }
}

/// Append an unsigned integer in network byte order, whose size is the number of bytes.
template <typename T>
void
AppendBgp(BgpBytes& bytes, T value)
{
    const std::size_t end = bytes.size();
    bytes.resize(end + sizeof(T));
    StoreBgp(&bytes[end], value);
}

/// Append bytes.
inline void
AppendBgpBytes(BgpBytes& bytes, const BgpBytes& more)
{
    bytes.insert(bytes.end(), more.begin(), more.end());
}

} // namespace ns3::aidc

#endif // AIDC_BGP_BYTES_H
