/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-outcome.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <type_traits>

namespace ns3::aidc
{

namespace
{

/// Writes values as bytes
class ByteWriter
{
  public:
    /// @param value a number
    template <typename T>
    void Visit(const T& value)
    {
        static_assert(std::is_arithmetic_v<T>);
        m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }

    /// @param text a text
    void Visit(const std::string& text)
    {
        Visit(static_cast<uint64_t>(text.size()));
        m_bytes += text;
    }

    /// @param time a time
    void Visit(const Time& time)
    {
        Visit(time.GetTimeStep());
    }

    /// @param list the list whose size is written
    template <typename T>
    void VisitSize(const std::vector<T>& list)
    {
        Visit(static_cast<uint64_t>(list.size()));
    }

    /// @param value the value, whose existence is written
    template <typename T>
    void VisitHas(const std::optional<T>& value)
    {
        Visit(static_cast<uint8_t>(value.has_value() ? 1 : 0));
    }

    /// @return the bytes
    const std::string& GetBytes() const
    {
        return m_bytes;
    }

  private:
    std::string m_bytes; //!< what was written
};

/// Reads values from bytes
class ByteReader
{
  public:
    /// @param bytes the bytes
    explicit ByteReader(const std::string& bytes)
        : m_bytes(bytes)
    {
    }

    /// @param value a number
    template <typename T>
    void Visit(T& value)
    {
        static_assert(std::is_arithmetic_v<T>);
        std::memcpy(&value, Take(sizeof(value)), sizeof(value));
    }

    /// @param text a text
    void Visit(std::string& text)
    {
        uint64_t size = 0;
        Visit(size);
        text.assign(Take(size), size);
    }

    /// @param time a time
    void Visit(Time& time)
    {
        int64_t steps = 0;
        Visit(steps);
        time = TimeStep(static_cast<uint64_t>(steps));
    }

    /// @param list a list, which gets its size
    template <typename T>
    void VisitSize(std::vector<T>& list)
    {
        uint64_t size = 0;
        Visit(size);
        Check(size <= m_bytes.size()); // an element has a byte at least
        list.resize(size);
    }

    /// @param value the value, which exists if it did
    template <typename T>
    void VisitHas(std::optional<T>& value)
    {
        uint8_t has = 0;
        Visit(has);
        Check(has <= 1);
        if (has == 1)
        {
            value.emplace();
        }
    }

    /// Check that all was read.
    void CheckEnd() const
    {
        Check(m_place == m_bytes.size());
    }

  private:
    /// @param isValid whether the bytes are as they should be
    static void Check(bool isValid)
    {
        if (!isValid)
        {
            throw std::logic_error("the results of a run are not whole");
        }
    }

    /// @param size how many bytes are read
    /// @return the first of them
    const char* Take(std::size_t size)
    {
        Check(size <= m_bytes.size() - m_place);
        m_place += size;
        return m_bytes.data() + m_place - size;
    }

    const std::string& m_bytes; //!< what is read
    std::size_t m_place{0};     //!< how much was read
};

/// Write or read an outcome, member by member.
/// @tparam Visitor ByteWriter or ByteReader
/// @tparam Outcome ExperimentOutcome, constant to write it
/// @param visitor writes or reads
/// @param outcome the outcome
template <typename Visitor, typename Outcome>
void
VisitAll(Visitor& visitor, Outcome& outcome)
{
    visitor.VisitSize(outcome.metrics);
    for (auto& metric : outcome.metrics)
    {
        visitor.Visit(metric.name);
        visitor.Visit(metric.value);
        visitor.Visit(metric.unit);
    }
    visitor.VisitSize(outcome.records);
    for (auto& record : outcome.records)
    {
        visitor.Visit(record.spec.source.value);
        visitor.Visit(record.spec.destination.value);
        visitor.Visit(record.spec.priority);
        visitor.Visit(record.spec.port);
        visitor.Visit(record.spec.bytes);
        visitor.Visit(record.spec.start);
        visitor.Visit(record.spec.line);
        visitor.Visit(record.receivedBytes);
        visitor.Visit(record.isDone);
        visitor.Visit(record.finish);
        visitor.Visit(record.fct);
        visitor.Visit(record.idealFct);
        visitor.Visit(record.slowdown);
    }
    visitor.VisitSize(outcome.lines);
    for (auto& line : outcome.lines)
    {
        visitor.Visit(line.file);
        visitor.Visit(line.header);
        visitor.Visit(line.line);
    }
    visitor.VisitHas(outcome.longestWait);
    if (outcome.longestWait)
    {
        auto& wait = *outcome.longestWait;
        visitor.Visit(wait.queuePair);
        visitor.Visit(wait.cause);
        visitor.Visit(wait.waited);
        visitor.Visit(wait.since);
        visitor.Visit(wait.longest);
    }
}

} // namespace

void
ExperimentOutcome::Add(const std::string& name, double value, const std::string& unit)
{
    metrics.push_back({name, value, unit});
}

void
ExperimentOutcome::Add(const std::vector<ResultMetric>& some)
{
    metrics.insert(metrics.end(), some.begin(), some.end());
}

std::string
ExperimentOutcome::Encode() const
{
    ByteWriter writer;
    VisitAll(writer, *this);
    return writer.GetBytes();
}

ExperimentOutcome
ExperimentOutcome::Decode(const std::string& bytes)
{
    ExperimentOutcome outcome;
    ByteReader reader(bytes);
    VisitAll(reader, outcome);
    reader.CheckEnd();
    return outcome;
}

} // namespace ns3::aidc
