// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_RECORDING_H
#define AIDC_FABRIC_RECORDING_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::aidc
{

/// Series at the ports and nodes of a network, all at the same times, in bounded memory.
///
/// If there are too many times, every second one is forgotten: a counter loses nothing but its
/// value then, and a level keeps the higher one of both values.
class FabricRecording
{
  public:
    /// A node.
    struct Node
    {
        std::string name;             //!< its name
        std::string tier;             //!< its place in the network, such as leaf
        std::optional<uint32_t> site; //!< its data center; none if there is one only
        std::optional<uint32_t> pod;  //!< its pod
        uint32_t index{0};            //!< its number among the nodes of its tier and pod
    };

    /// A link. Its port 0 is at node a.
    struct Link
    {
        uint32_t a{0};    //!< the number of the node at one end
        uint32_t b{0};    //!< the number of the node at the other end
        uint64_t rate{0}; //!< bit/s in each direction
        int64_t delay{0}; //!< one-way propagation delay in ns
    };

    /// What the values of a series are.
    enum Kind
    {
        COUNTER, //!< a number that only grows; it is written as its growth since the time before
        SHARE,   //!< the same, written in 1/1000 of what it could have grown by
        LEVEL    //!< a number of that time
    };

    /// What is sampled.
    struct Source
    {
        std::function<uint64_t()> read; //!< reads it
        Kind kind{COUNTER};             //!< what it is
        uint64_t perSecond{0};          //!< of a SHARE: what it can grow by in a second
    };

    /// @return its number
    uint32_t AddNode(const Node& node)
    {
        m_nodes.push_back(node);
        return static_cast<uint32_t>(m_nodes.size() - 1);
    }

    /// @return its name
    const std::string& GetNodeName(uint32_t node) const
    {
        return m_nodes.at(node).name;
    }

    /// @return its number
    uint32_t AddLink(const Link& link)
    {
        m_links.push_back(link);
        return static_cast<uint32_t>(m_links.size() - 1);
    }

    /// Add a series of a port, or replace it. end: the end of the link that sends, 0 or 1; name:
    /// the name of the series, in snake_case; source: what is sampled.
    void AddPortSeries(uint32_t link, uint32_t end, const std::string& name, const Source& source);

    /// Add a series of a node, or replace it. name: the name of the series, in snake_case; source:
    /// what is sampled.
    void AddNodeSeries(uint32_t node, const std::string& name, const Source& source);

    /// Add something that happened once. Beyond MAX_EVENTS, only the earliest are kept. time: when,
    /// in ns.
    void AddEvent(int64_t time, const std::string& name, uint32_t link);

    /// Sample all series. @param time the present time in ns, later than at the sample before
    /// @return whether the samples were too many, so that every second one was forgotten
    bool Sample(int64_t time);

    /// @return the time of the newest sample in ns; none before the first one
    std::optional<int64_t> GetNewest() const
    {
        return m_times.empty() ? std::nullopt : std::make_optional(m_times.back());
    }

    /// Write everything; see FabricRecorder::Write(). With several processes (MpiProcesses), each
    /// one has the same nodes and links, and series and events of its own; the file has the series
    /// and events of all processes.
    /// @param path the file, written anew
    /// @throws std::runtime_error if it cannot be written
    void Write(const std::string& path) const;

    /// The most events.
    static constexpr std::size_t MAX_EVENTS = 1000;

  private:
    /// A series.
    struct Series
    {
        Source source;                //!< what is sampled
        std::vector<uint64_t> values; //!< the samples, by time
    };

    /// Series by name.
    using SeriesByName = std::map<std::string, Series>;

    /// @return the most intervals between samples, an even number
    std::size_t GetMaxIntervals() const;

    /// Forget every second sample. @param [in,out] series the series
    static void Halve(Series& series);

    /// @return its series, without values at the times so far
    Series MakeSeries(const Source& source) const;

    /// @return a number for each interval
    std::vector<uint64_t> GetIntervals(const Series& series) const;

    /// @return series other than 0 as members of a JSON object, each with a comma before it
    std::string ToText(const SeriesByName& all) const;

    /// @return the series of all processes that have another number than 0, by place
    std::map<uint32_t, std::string> JoinSeries(
        const std::map<uint32_t, SeriesByName>& series) const;

    /// What happened: time, link, what.
    using Events = std::set<std::tuple<int64_t, uint32_t, std::string>>;

    /// @return the events of all processes
    Events JoinEvents() const;

    std::vector<Node> m_nodes;                     //!< the nodes
    std::vector<Link> m_links;                     //!< the links
    std::map<uint32_t, SeriesByName> m_ports;      //!< by 2 * link + end
    std::map<uint32_t, SeriesByName> m_nodeSeries; //!< by node
    std::vector<int64_t> m_times;                  //!< the times of samples, ns
    Events m_events;                               //!< what happened
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_RECORDING_H
