// SPDX-License-Identifier: GPL-2.0-only

#include "chakra-json.h"

#include "json-value.h"
#include "text-reader.h"

#include <cstddef>
#include <limits>

namespace ns3::aidc
{

namespace
{

/// @return the text in a list of one, as Python or JSON writes it; all if there is no such list
std::string
GetInnerText(const std::string& values)
{
    const std::size_t begin = values.find_first_not_of(" \t\r\n");
    const std::size_t end = values.find_last_not_of(" \t\r\n");
    if (begin == std::string::npos || end < begin + 3 || values[begin] != '[' ||
        values[end] != ']' || (values[begin + 1] != '"' && values[begin + 1] != '\'') ||
        values[end - 1] != values[begin + 1])
    {
        return values;
    }
    std::string text;
    for (std::size_t i = begin + 2; i < end - 1; ++i)
    {
        const bool isEscape = values[i] == '\\' && i + 1 < end - 1;
        text += values[isEscape ? ++i : i];
    }
    return text;
}

uint64_t
ToNumber(const JsonValue& value)
{
    constexpr uint64_t MAX = std::numeric_limits<uint32_t>::max();
    uint64_t number = 0;
    if (value.type != JsonValue::Type::NUMBER || !ParseWholeNumber(value.text, number) ||
        number > MAX)
    {
        throw TextError(value.line, "numbers from 0 to " + std::to_string(MAX), value.Describe());
    }
    return number;
}

const JsonValue&
Require(const JsonValue& group, const std::string& key, JsonValue::Type type)
{
    const JsonValue* const value = group.Find(key);
    if (!value || value->type != type)
    {
        throw TextError(group.line,
                        "\"" + key + "\" in each process group",
                        value ? value->Describe() : "none");
    }
    return *value;
}

ChakraGroup
ReadGroup(const JsonValue& group)
{
    ChakraGroup read;
    for (const JsonValue& rank : Require(group, "ranks", JsonValue::Type::ARRAY).items)
    {
        read.ranks.push_back(static_cast<uint32_t>(ToNumber(rank)));
    }
    if (const JsonValue* const size = group.Find("group_size"))
    {
        read.size = ToNumber(*size);
    }
    return read;
}

} // namespace

std::map<std::string, ChakraGroup>
GetChakraGroups(uint32_t rank, const ChakraTrace& trace)
{
    std::map<std::string, ChakraGroup> groups;
    for (const ChakraNode& node : trace.nodes)
    {
        if (node.inputs.find("pg_name") == std::string::npos)
        {
            continue;
        }
        try
        {
            const JsonValue list = ParseJsonText(GetInnerText(node.inputs));
            if (list.type != JsonValue::Type::ARRAY)
            {
                throw TextError(list.line, "a list of objects", list.Describe());
            }
            for (const JsonValue& group : list.items)
            {
                groups[Require(group, "pg_name", JsonValue::Type::STRING).text] = ReadGroup(group);
            }
        }
        catch (const TextError& error)
        {
            throw ChakraError(rank,
                              node,
                              "tells process groups: expected " + error.GetExpected() + ", found " +
                                  error.GetFound());
        }
    }
    return groups;
}

namespace
{

/// The greatest number of a node, as in the binary format.
constexpr uint64_t MAX_NUMBER = std::numeric_limits<int64_t>::max();

/// Reads a node.
class NodeReader
{
  public:
    NodeReader(const JsonValue& value, std::size_t index)
        : m_value(value),
          m_name("node " + std::to_string(index) + " of \"workload_graph\"")
    {
        if (value.type != JsonValue::Type::OBJECT)
        {
            Fail(value, "an object as " + m_name);
        }
    }

    ChakraNode Read()
    {
        ChakraNode node;
        node.id = ToNumber(Require("Id"), "Id", std::numeric_limits<uint64_t>::max());
        const JsonValue& name = Require("Name");
        if (name.type != JsonValue::Type::STRING)
        {
            Fail(name, Describe("Name") + ", a text");
        }
        node.name = name.text;
        m_name = DescribeChakraNode(node);
        node.type = static_cast<ChakraNodeType>(
            ToNumber(Require("NodeType"), "NodeType", std::numeric_limits<uint32_t>::max()));
        const JsonValue& isCpu = Require("is_cpu_op");
        if (isCpu.type != JsonValue::Type::LITERAL || isCpu.text == "null")
        {
            Fail(isCpu, Describe("is_cpu_op") + ", true or false");
        }
        node.isCpuOperation = isCpu.text == "true" ? 1 : 0;
        node.dataDependencies = ToIds(Require("data_deps"), "data_deps");
        if (const JsonValue* const control = m_value.Find("ctrlDeps"))
        {
            node.controlDependencies = ToIds(*control, "ctrlDeps");
        }
        // Writers leave out a runtime of 0, as Protocol Buffers do
        node.durationMicros = static_cast<uint64_t>(FindNumber("runtime").value_or(0));
        switch (node.type)
        {
        case ChakraNodeType::COMPUTE:
            node.nOperations = FindNumber("num_ops");
            node.tensorSize = FindNumber("tensor_size");
            break;
        case ChakraNodeType::SEND:
        case ChakraNodeType::RECEIVE:
        case ChakraNodeType::COLLECTIVE:
            ReadCommunication(node);
            break;
        default:
            break;
        }
        return node;
    }

  private:
    [[noreturn]] static void Fail(const JsonValue& value, const std::string& expected)
    {
        throw TextError(value.line, expected, value.Describe());
    }

    /// @return what it is, for errors
    std::string Describe(const std::string& key) const
    {
        return "\"" + key + "\" of " + m_name;
    }

    /// Find a member that must be there.
    const JsonValue& Require(const std::string& key) const
    {
        const JsonValue* const value = m_value.Find(key);
        if (!value)
        {
            const std::string keys = JoinTexts(m_value.keys);
            throw TextError(m_value.line, Describe(key), keys.empty() ? "no key" : keys);
        }
        return *value;
    }

    uint64_t ToNumber(const JsonValue& value, const std::string& key, uint64_t max) const
    {
        uint64_t number = 0;
        if (value.type != JsonValue::Type::NUMBER || !ParseWholeNumber(value.text, number) ||
            number > max)
        {
            Fail(value, Describe(key) + ", a whole number from 0 to " + std::to_string(max));
        }
        return number;
    }

    std::optional<int64_t> FindNumber(const std::string& key) const
    {
        const JsonValue* const value = m_value.Find(key);
        if (!value)
        {
            return std::nullopt;
        }
        return static_cast<int64_t>(ToNumber(*value, key, MAX_NUMBER));
    }

    std::vector<uint64_t> ToIds(const JsonValue& value, const std::string& key) const
    {
        if (value.type != JsonValue::Type::ARRAY)
        {
            Fail(value, Describe(key) + ", a list of ids in brackets");
        }
        std::vector<uint64_t> ids;
        for (const JsonValue& id : value.items)
        {
            ids.push_back(ToNumber(id, key, std::numeric_limits<uint64_t>::max()));
        }
        return ids;
    }

    void ReadCommunication(ChakraNode& node) const
    {
        node.communicationType = FindNumber("comm_type");
        node.communicationSize = FindNumber("comm_size");
        node.tensorSize = FindNumber("tensor_size");
        node.source = FindNumber("comm_src");
        node.destination = FindNumber("comm_dst");
        node.tag = FindNumber("comm_tag");
        node.priority = FindNumber("comm_priority");
        ReadGroup(node);
    }

    /// Read which ranks take part.
    void ReadGroup(ChakraNode& node) const
    {
        for (const char* const key : {"pg_name", "comm_group"})
        {
            const JsonValue* const group = m_value.Find(key);
            if (!group)
            {
                continue;
            }
            if (group->type != JsonValue::Type::STRING && group->type != JsonValue::Type::NUMBER)
            {
                Fail(*group, Describe(key) + ", a text");
            }
            if (!node.group.empty() && node.group != group->text)
            {
                Fail(*group,
                     Describe(key) + ", the same as pg_name, " + GetPrintableName(node.group));
            }
            node.group = group->text;
        }
        const JsonValue* const dimensions = m_value.Find("involved_dim");
        if (dimensions && dimensions->type != JsonValue::Type::ARRAY)
        {
            Fail(*dimensions, Describe("involved_dim") + ", a list of true and false");
        }
        for (std::size_t i = 0; dimensions && i < dimensions->items.size(); ++i)
        {
            const JsonValue& item = dimensions->items[i];
            if (item.type != JsonValue::Type::LITERAL || item.text == "null")
            {
                Fail(item, Describe("involved_dim") + ", a list of true and false");
            }
            node.dimensions.push_back(item.text == "true");
        }
    }

    const JsonValue& m_value; //!< the node
    std::string m_name;       //!< its name, for errors
};

} // namespace

ChakraTrace
DecodeChakraJson(const std::string& text)
{
    static constexpr char EXPECTED[] = "an object with \"workload_graph\", a list of nodes";
    const auto has = [&text](const char* key) { return text.find(key) != std::string::npos; };
    const bool isOther = !has("\"workload_graph\"");
    // A trace of the host (ExecutionTraceObserver) or of the profiler (Kineto)
    if (isOther && ((has("\"schema\"") && has("\"nodes\"")) || has("\"traceEvents\"")))
    {
        throw TextError(1,
                        std::string(EXPECTED) +
                            "; chakra_trace_link and chakra_converter make a trace of this text",
                        "what PyTorch or its profiler has written");
    }
    // Messages of Protocol Buffers in JSON, one after another
    if (isOther && (has("_NODE\"") || has("\"durationMicros\"") || has("\"dataDeps\"")))
    {
        throw TextError(
            1,
            std::string(EXPECTED) +
                "; the .et file of which chakra_jsonizer has made this text can be read",
            "a dump of chakra_jsonizer");
    }
    const JsonValue value = ParseJsonText(text);
    const JsonValue* const graph = value.Find("workload_graph");
    if (value.type != JsonValue::Type::OBJECT || !graph || graph->type != JsonValue::Type::ARRAY)
    {
        throw TextError(graph ? graph->line : value.line,
                        EXPECTED,
                        graph ? graph->Describe() : value.Describe());
    }
    ChakraTrace trace;
    for (const JsonValue& item : graph->items)
    {
        trace.nodes.push_back(NodeReader(item, trace.nodes.size()).Read());
    }
    return trace;
}

} // namespace ns3::aidc
