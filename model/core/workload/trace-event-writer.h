/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRACE_EVENT_WRITER_H
#define AIDC_TRACE_EVENT_WRITER_H

#include <cstdint>
#include <ostream>
#include <string>

namespace ns3::aidc
{

/// @brief Write a time as events have it.
/// @param nanoseconds a time in ns, 0 or more
/// @return the time in us, with three decimals
std::string FormatMicros(int64_t nanoseconds);

/// Values of an event, which a viewer shows when a user selects it.
class TraceArguments
{
  public:
    /// count: a whole number. @return this
    TraceArguments& AddCount(const std::string& name, uint64_t count);

    /// nanoseconds: a time in ns, written in us with three decimals. @return this
    TraceArguments& AddMicros(const std::string& name, int64_t nanoseconds);

    /// @return this
    TraceArguments& AddText(const std::string& name, const std::string& text);

    /// @return the values as a JSON object
    std::string GetJson() const
    {
        return "{" + m_members + "}";
    }

    /// @return whether there is no value
    bool IsEmpty() const
    {
        return m_members.empty();
    }

  private:
    TraceArguments& Add(const std::string& name, const std::string& json);

    std::string m_members; //!< the members of the object
};

/// Where an event is shown.
struct TracePlace
{
    uint32_t process{0}; //!< the number of a process
    uint32_t thread{0};  //!< the number of a thread, unique in its process
};

/**
 * @brief Writes a timeline in Chrome's trace event format, which Perfetto and Chrome open.
 *
 * It is the JSON Object Format of "Trace Event Format" (Duffy and others, Google), an event a line:
 * complete events (X), metadata (M), flows (s and f, bound to the enclosing slice), instants (i)
 * and counters (C). Times are given in ns and written in us with three decimals, so that no digit
 * is lost. What is written depends on the calls only.
 *
 * Slices of a thread must nest or be apart, and each end of a flow must lie in a slice of its
 * thread: the caller sees to it (AssignTracks()).
 */
class TraceEventWriter
{
  public:
    /// Begin a timeline. os: where it is written; notes: what is told of the whole timeline, as
    /// "otherData".
    explicit TraceEventWriter(std::ostream& os, const TraceArguments& notes = TraceArguments());

    /// Name a process. Viewers show processes by their numbers.
    void NameProcess(uint32_t process, const std::string& name);

    /// Name a thread. Viewers show threads by their numbers.
    void NameThread(const TracePlace& place, const std::string& name);

    /// Add a slice. place: the thread; begin: when it begins, in ns; duration: how long it takes,
    /// in ns, 0 or more; arguments: values to show.
    void AddSlice(const TracePlace& place,
                  const std::string& name,
                  const std::string& category,
                  int64_t begin,
                  int64_t duration,
                  const TraceArguments& arguments = TraceArguments());

    /// Add the begin of a flow, right after its slice. place: the thread of the slice; name: the
    /// name of the flow, the same at both ends, and its category; time: a time in the slice, in ns.
    void BeginFlow(const TracePlace& place, uint64_t id, const std::string& name, int64_t time);

    /// Add the end of a flow, right after its slice.
    /// @param place the thread of the slice
    /// @param id the number of the flow
    /// @param name the name of the flow, the same at both ends, and its category
    /// @param time a time in the slice, in ns, not before the begin of the flow
    void EndFlow(const TracePlace& place, uint64_t id, const std::string& name, int64_t time);

    /// Add an instant of a process. name: what has happened; time: when, in ns.
    void AddProcessInstant(uint32_t process, const std::string& name, int64_t time);

    /// Add an instant of all processes. name: what has happened; time: when, in ns.
    void AddGlobalInstant(const std::string& name, int64_t time);

    /// Add values of a counter of a process, which hold until its next ones. time: from when on
    /// they hold, in ns; values: the values, 0 or more.
    void AddCounter(uint32_t process,
                    const std::string& name,
                    int64_t time,
                    const TraceArguments& values);

    /// Write the end, once, when all is added.
    void End();

  private:
    /// Begin an event.
    void Begin(char phase, const std::string& name, uint32_t process);

    /// Write metadata.
    void AddMetadata(const char* kind, const TracePlace& place, const TraceArguments& arguments);

    std::ostream& m_os;   //!< where it is written
    bool m_isFirst{true}; //!< whether there is no event yet
};

} // namespace ns3::aidc

#endif // AIDC_TRACE_EVENT_WRITER_H
