/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_JSON_OBJECT_READER_H
#define AIDC_JSON_OBJECT_READER_H

#include "../core/workload/json-value.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Read JSON from a file, as ParseJsonText() does from a text. name: the name for errors.
/// @throws AidcInputError if the text is not JSON, or a key stands twice in an object
JsonValue ParseJson(std::istream& stream, const std::string& name);

/**
 * @brief Reads the members of an object, and refuses members that nobody reads.
 *
 * A member "comment" is always allowed. Each error has the line of the value.
 */
class JsonObjectReader
{
  public:
    /// @param name the name of the file
    /// @param value the value, which outlives the reader
    /// @param what the value, as the error names it
    /// @throws AidcInputError if it is no object
    JsonObjectReader(std::string name, const JsonValue& value, const std::string& what);

    /// Find a member. @return the value; null if there is none
    const JsonValue* Find(const std::string& key);

    /// Find a member that must be there.
    const JsonValue& Require(const std::string& key);

    /// Read a whole number. It may have an exponent, as in 64e6. min: the least one allowed; max:
    /// the greatest one allowed, at most 2^60.
    uint64_t GetUnsigned(const std::string& key, uint64_t min, uint64_t max);

    /// Read a whole number, if it is there. min: the least one allowed; max: the greatest one
    /// allowed, at most 2^60; otherwise: what it is if it is not there.
    uint64_t GetUnsigned(const std::string& key, uint64_t min, uint64_t max, uint64_t otherwise);

    /// Read a time in seconds, if it is there. otherwise: the nanoseconds if it is not there.
    /// @return the seconds in nanoseconds, rounded
    uint64_t GetNanoseconds(const std::string& key, uint64_t otherwise);

    /// Read true or false, if it is there. otherwise: what it is if it is not there. @return which
    /// one
    bool GetBoolean(const std::string& key, bool otherwise);

    /// expected: what it should be. @return the string
    const std::string& GetString(const std::string& key, const std::string& expected);

    /// expected: what it should be. @return the items
    const std::vector<JsonValue>& GetArray(const std::string& key, const std::string& expected);

    /// Read an item of an array, or any value, as a whole number. min: the least one allowed; max:
    /// the greatest one allowed.
    uint64_t ToUnsigned(const JsonValue& value,
                        uint64_t min,
                        uint64_t max,
                        const std::string& what) const;

    /// Read a value as a number. min: the least one allowed; max: the greatest one allowed;
    /// expected: what it should be.
    double ToNumber(const JsonValue& value,
                    double min,
                    double max,
                    const std::string& expected) const;

    /// Refuse members that have not been asked for.
    void Finish() const;

    /// @param value the value
    /// @param expected what was expected
    [[noreturn]] void Fail(const JsonValue& value, const std::string& expected) const;

    /// @param value the value
    /// @param expected what was expected
    /// @param found what was found
    [[noreturn]] void Fail(const JsonValue& value,
                           const std::string& expected,
                           const std::string& found) const;

  private:
    std::string m_name;               //!< the name of the file
    const JsonValue& m_value;         //!< the object
    std::vector<std::string> m_asked; //!< the keys that have been asked for
};

} // namespace ns3::aidc

#endif // AIDC_JSON_OBJECT_READER_H
