/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PROTOBUF_READER_H
#define AIDC_PROTOBUF_READER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3::aidc
{

/// A field of a message of Protocol Buffers.
struct ProtobufField
{
    /// How the value is encoded.
    enum Type : uint8_t
    {
        VARINT = 0,  //!< a number of variable length
        FIXED64 = 1, //!< eight bytes
        BYTES = 2,   //!< bytes after their length
        FIXED32 = 5  //!< four bytes
    };

    uint32_t number{0};           //!< the number of the field
    Type type{VARINT};            //!< how the value is encoded
    uint64_t value{0};            //!< the value of a number
    const uint8_t* data{nullptr}; //!< where bytes begin
    std::size_t size{0};          //!< how many bytes

    /// @return the bytes as a text
    std::string GetText() const;
};

/// Reads the wire format of any message of Protocol Buffers.
class ProtobufReader
{
  public:
    /// @param data the bytes, which outlive the reader
    /// @param size how many
    ProtobufReader(const uint8_t* data, std::size_t size);

    /// @return whether all has been read
    bool IsAtEnd() const;

    /// @return the number of bytes that have been read
    std::size_t GetPosition() const
    {
        return m_next;
    }

    /// Read the next field. @throws std::invalid_argument if there is none, or its encoding is
    /// wrong
    ProtobufField ReadField();

    /// Read a number of variable length. @throws std::invalid_argument if it is cut off or has more
    /// than 64 bits
    uint64_t ReadVarint();

    /// Read bytes that follow their length. @return a field with the bytes
    /// @throws std::invalid_argument if they are cut off
    ProtobufField ReadBytes();

  private:
    /// Read a number of fixed length, lowest byte first.
    uint64_t ReadFixed(std::size_t nBytes);

    const uint8_t* m_data; //!< the bytes
    std::size_t m_size;    //!< how many
    std::size_t m_next{0}; //!< the next one
};

} // namespace ns3::aidc

#endif // AIDC_PROTOBUF_READER_H
