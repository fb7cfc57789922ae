/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trace-event-writer.h"

#include "json-string.h"

namespace ns3::aidc
{

std::string
FormatMicros(int64_t nanoseconds)
{
    const std::string decimals = std::to_string(nanoseconds % 1000);
    return std::to_string(nanoseconds / 1000) + "." + std::string(3 - decimals.size(), '0') +
           decimals;
}

TraceArguments&
TraceArguments::AddCount(const std::string& name, uint64_t count)
{
    return Add(name, std::to_string(count));
}

TraceArguments&
TraceArguments::AddMicros(const std::string& name, int64_t nanoseconds)
{
    return Add(name, FormatMicros(nanoseconds));
}

TraceArguments&
TraceArguments::AddText(const std::string& name, const std::string& text)
{
    return Add(name, FormatJsonString(text));
}

TraceArguments&
TraceArguments::Add(const std::string& name, const std::string& json)
{
    m_members += (m_members.empty() ? "" : ",") + FormatJsonString(name) + ":" + json;
    return *this;
}

TraceEventWriter::TraceEventWriter(std::ostream& os, const TraceArguments& notes)
    : m_os(os)
{
    m_os << R"({"displayTimeUnit":"ns",)";
    if (!notes.IsEmpty())
    {
        m_os << R"("otherData":)" << notes.GetJson() << ",\n";
    }
    m_os << R"("traceEvents":[)";
}

void
TraceEventWriter::Begin(char phase, const std::string& name, uint32_t process)
{
    m_os << (m_isFirst ? "\n" : ",\n") << R"({"ph":")" << phase << R"(","name":)"
         << FormatJsonString(name) << R"(,"pid":)" << std::to_string(process);
    m_isFirst = false;
}

void
TraceEventWriter::AddMetadata(const char* kind,
                              const TracePlace& place,
                              const TraceArguments& arguments)
{
    Begin('M', kind, place.process);
    m_os << R"(,"tid":)" << std::to_string(place.thread) << R"(,"args":)" << arguments.GetJson()
         << '}';
}

void
TraceEventWriter::NameProcess(uint32_t process, const std::string& name)
{
    AddMetadata("process_name", {process, 0}, TraceArguments().AddText("name", name));
    AddMetadata("process_sort_index",
                {process, 0},
                TraceArguments().AddCount("sort_index", process));
}

void
TraceEventWriter::NameThread(const TracePlace& place, const std::string& name)
{
    AddMetadata("thread_name", place, TraceArguments().AddText("name", name));
    AddMetadata("thread_sort_index", place, TraceArguments().AddCount("sort_index", place.thread));
}

void
TraceEventWriter::AddSlice(const TracePlace& place,
                           const std::string& name,
                           const std::string& category,
                           int64_t begin,
                           int64_t duration,
                           const TraceArguments& arguments)
{
    Begin('X', name, place.process);
    m_os << R"(,"tid":)" << std::to_string(place.thread) << R"(,"cat":)"
         << FormatJsonString(category) << R"(,"ts":)" << FormatMicros(begin) << R"(,"dur":)"
         << FormatMicros(duration);
    if (!arguments.IsEmpty())
    {
        m_os << R"(,"args":)" << arguments.GetJson();
    }
    m_os << '}';
}

void
TraceEventWriter::BeginFlow(const TracePlace& place,
                            uint64_t id,
                            const std::string& name,
                            int64_t time)
{
    Begin('s', name, place.process);
    m_os << R"(,"tid":)" << std::to_string(place.thread) << R"(,"cat":)" << FormatJsonString(name)
         << R"(,"id":)" << std::to_string(id) << R"(,"ts":)" << FormatMicros(time) << '}';
}

void
TraceEventWriter::EndFlow(const TracePlace& place,
                          uint64_t id,
                          const std::string& name,
                          int64_t time)
{
    Begin('f', name, place.process);
    m_os << R"(,"tid":)" << std::to_string(place.thread) << R"(,"bp":"e","cat":)"
         << FormatJsonString(name) << R"(,"id":)" << std::to_string(id) << R"(,"ts":)"
         << FormatMicros(time) << '}';
}

void
TraceEventWriter::AddProcessInstant(uint32_t process, const std::string& name, int64_t time)
{
    Begin('i', name, process);
    m_os << R"(,"tid":0,"s":"p","ts":)" << FormatMicros(time) << '}';
}

void
TraceEventWriter::AddGlobalInstant(const std::string& name, int64_t time)
{
    Begin('i', name, 1); // a process that there is; it is not shown
    m_os << R"(,"tid":0,"s":"g","ts":)" << FormatMicros(time) << '}';
}

void
TraceEventWriter::AddCounter(uint32_t process,
                             const std::string& name,
                             int64_t time,
                             const TraceArguments& values)
{
    Begin('C', name, process);
    m_os << R"(,"ts":)" << FormatMicros(time) << R"(,"args":)" << values.GetJson() << '}';
}

void
TraceEventWriter::End()
{
    m_os << "\n]}\n";
}

} // namespace ns3::aidc
