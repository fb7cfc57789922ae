/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-operation-list.h"

#include "../core/workload/dependency-order.h"
#include "aidc-input-error.h"
#include "workload-file-reader.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// The names of all algorithms, for errors.
constexpr char ALGORITHMS[] =
    "ring, halving-doubling, recursive-doubling, pairwise, binomial-tree, chain, double-tree, "
    "hierarchical, direct or nvls";

/// An operation of the list.
struct ListedOperation
{
    /// What it is.
    enum class Type
    {
        COMPUTE,   //!< a computation
        SEND,      //!< a message
        COLLECTIVE //!< a collective
    };

    const JsonValue* value{nullptr};       //!< where it stands
    std::string id;                        //!< its id
    Type type{Type::COMPUTE};              //!< what it is
    std::vector<uint32_t> ranks;           //!< the ranks, in the order of the file
    uint64_t nanoseconds{0};               //!< of a computation
    uint64_t bytes{0};                     //!< of a message
    bool hasCredit{false};                 //!< of a message, whether it waits for one
    CollectiveScheduleSettings collective; //!< the collective
    std::string group;                     //!< of a collective: which group of its ranks, by name
    std::vector<uint32_t> after;           //!< the operations that it waits for
    std::map<uint32_t, uint32_t> numbers;  //!< by rank, the number in its program
};

/// Reads a list of operations.
class OperationListReader
{
  public:
    /// @param name the name that errors give
    explicit OperationListReader(const std::string& name)
        : m_name(name)
    {
    }

    void Read(const std::vector<JsonValue>& items, WorkloadPlan& plan) const
    {
        std::vector<ListedOperation> operations;
        for (const JsonValue& item : items)
        {
            operations.push_back(ReadOperation(item, plan.GetNRanks()));
        }
        Groups groups;
        for (const uint32_t i : Resolve(operations))
        {
            try
            {
                Add(operations, operations[i], groups, plan);
            }
            catch (const std::invalid_argument& error)
            {
                throw std::runtime_error(m_name + ":" + std::to_string(operations[i].value->line) +
                                         ": " + error.what());
            }
        }
    }

  private:
    /// @return the operation, without what it waits for
    ListedOperation ReadOperation(const JsonValue& value, uint32_t nRanks) const
    {
        using Type = ListedOperation::Type;
        JsonObjectReader reader(m_name, value, "an operation");
        ListedOperation operation;
        operation.value = &value;
        operation.id = reader.GetString("id", "a name");
        const std::string expected =
            "compute, send, all-reduce, all-gather, reduce-scatter, all-to-all or broadcast";
        const std::string& type = reader.GetString("type", expected);
        operation.ranks = ReadRanks(reader, nRanks);
        reader.Find("after");
        if (type == "compute")
        {
            reader.Require("seconds");
            operation.nanoseconds = reader.GetNanoseconds("seconds", 0);
            reader.Finish();
            return operation;
        }
        if (type == "send")
        {
            operation.type = Type::SEND;
            operation.bytes = reader.GetUnsigned("bytes", 0, CollectiveScheduleSettings::MAX_BYTES);
            operation.hasCredit = reader.GetBoolean("rendezvous", false);
            if (operation.ranks.size() != 2)
            {
                reader.Fail(value,
                            "two ranks: the one that sends and the one that receives",
                            std::to_string(operation.ranks.size()));
            }
            reader.Finish();
            return operation;
        }
        operation.type = Type::COLLECTIVE;
        CollectiveKind kind = CollectiveKind::ALL_REDUCE;
        if (!ParseCollectiveKind(type, kind))
        {
            reader.Fail(reader.Require("type"), "\"type\": " + expected);
        }
        operation.collective = ReadCollective(reader, operation.ranks, kind);
        if (reader.Find("group"))
        {
            operation.group = reader.GetString("group", "a name");
        }
        reader.Finish();
        return operation;
    }

    /// Read a list of ranks.
    static std::vector<uint32_t> ReadRanks(JsonObjectReader& reader, uint32_t nRanks)
    {
        const std::string expected = "\"ranks\": \"all\", or a list of ranks from 0 to " +
                                     std::to_string(nRanks - 1) +
                                     " and of texts as \"0-7\" or \"0-62:2\"";
        const JsonValue& value = reader.Require("ranks");
        std::vector<uint32_t> ranks;
        const auto add = [&](const JsonValue& item, uint64_t first, uint64_t last, uint64_t step) {
            if (first > last || last >= nRanks || step == 0)
            {
                reader.Fail(item, expected);
            }
            for (uint64_t rank = first; rank <= last; rank += step)
            {
                ranks.push_back(static_cast<uint32_t>(rank));
            }
            if (ranks.size() > nRanks)
            {
                reader.Fail(item, "each rank once");
            }
        };
        if (value.type == JsonValue::Type::STRING && value.text == "all")
        {
            add(value, 0, nRanks - 1, 1);
            return ranks;
        }
        if (value.type != JsonValue::Type::ARRAY || value.items.empty())
        {
            reader.Fail(value, expected);
        }
        for (const JsonValue& item : value.items)
        {
            if (item.type == JsonValue::Type::NUMBER)
            {
                const uint64_t rank = reader.ToUnsigned(item, 0, nRanks - 1, "a rank");
                add(item, rank, rank, 1);
                continue;
            }
            const std::string& text = item.text;
            const std::size_t dash = text.find('-');
            const std::size_t colon = std::min(text.find(':'), text.size());
            uint64_t first = 0;
            uint64_t last = 0;
            uint64_t step = 1;
            if (item.type != JsonValue::Type::STRING || dash == std::string::npos || dash > colon ||
                !WorkloadFileReader::ParseUnsigned(text.substr(0, dash), first) ||
                !WorkloadFileReader::ParseUnsigned(text.substr(dash + 1, colon - dash - 1), last) ||
                (colon < text.size() &&
                 !WorkloadFileReader::ParseUnsigned(text.substr(colon + 1), step)) ||
                step > nRanks)
            {
                reader.Fail(item, expected);
            }
            add(item, first, last, step);
        }
        std::vector<uint32_t> sorted = ranks;
        std::sort(sorted.begin(), sorted.end());
        const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
        if (twice != sorted.end())
        {
            reader.Fail(value, "each rank once", std::to_string(*twice));
        }
        return ranks;
    }

    CollectiveScheduleSettings ReadCollective(JsonObjectReader& reader,
                                              const std::vector<uint32_t>& ranks,
                                              CollectiveKind kind) const
    {
        CollectiveScheduleSettings settings =
            ReadCollectiveWay(reader, GetCollectiveAlgorithms(kind).front());
        settings.kind = kind;
        settings.nMembers = static_cast<uint32_t>(ranks.size());
        if (kind == CollectiveKind::ALL_TO_ALL)
        {
            if (const JsonValue* const sizes = reader.Find("sizes"))
            {
                settings.sizes = ReadSizes(reader, *sizes, ranks.size());
                settings.bytes = settings.sizes->GetBytes();
                return settings;
            }
        }
        settings.bytes = reader.GetUnsigned("bytes", 0, CollectiveScheduleSettings::MAX_BYTES);
        if (kind == CollectiveKind::BROADCAST)
        {
            const uint64_t root = reader.GetUnsigned("root", 0, WorkloadPlan::MAX_RANKS, ranks[0]);
            const auto found = std::find(ranks.begin(), ranks.end(), root);
            if (found == ranks.end())
            {
                reader.Fail(reader.Require("root"), "\"root\": one of the ranks");
            }
            settings.root = static_cast<uint32_t>(found - ranks.begin());
        }
        return settings;
    }

    std::shared_ptr<const CollectiveSizes> ReadSizes(const JsonObjectReader& reader,
                                                     const JsonValue& value,
                                                     std::size_t nMembers) const
    {
        const std::string expected =
            "\"sizes\": " + std::to_string(nMembers) +
            " lists, one for each rank that sends, of the bytes for each of " +
            std::to_string(nMembers) + " ranks";
        const auto require = [&](const JsonValue& list) {
            if (list.type != JsonValue::Type::ARRAY)
            {
                reader.Fail(list, expected);
            }
            if (list.items.size() != nMembers)
            {
                reader.Fail(list, expected, "a list of " + std::to_string(list.items.size()));
            }
        };
        require(value);
        std::vector<std::vector<uint64_t>> rows;
        for (const JsonValue& list : value.items)
        {
            require(list);
            std::vector<uint64_t>& row = rows.emplace_back();
            for (const JsonValue& item : list.items)
            {
                row.push_back(
                    reader.ToUnsigned(item, 0, CollectiveScheduleSettings::MAX_BYTES, "bytes"));
            }
        }
        try
        {
            return std::make_shared<const CollectiveSizes>(rows);
        }
        catch (const std::invalid_argument& error)
        {
            throw std::runtime_error(m_name + ":" + std::to_string(value.line) + ": " +
                                     error.what());
        }
    }

    /// Find what operations wait for, and check it. @return the order in which they can be added
    std::vector<uint32_t> Resolve(std::vector<ListedOperation>& operations) const
    {
        std::map<std::string, uint32_t> byId;
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            if (!byId.emplace(operations[i].id, i).second)
            {
                throw AidcInputError(m_name,
                                     operations[i].value->line,
                                     "an id that no other operation has",
                                     operations[i].id);
            }
        }
        std::vector<std::vector<uint32_t>> after(operations.size());
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            ListedOperation& operation = operations[i];
            JsonObjectReader reader(m_name, *operation.value, "an operation");
            if (!reader.Find("after"))
            {
                continue;
            }
            std::vector<uint32_t> own = operation.ranks;
            std::sort(own.begin(), own.end());
            for (const JsonValue& id : reader.GetArray("after", "a list of ids in brackets"))
            {
                const auto found =
                    id.type == JsonValue::Type::STRING ? byId.find(id.text) : byId.end();
                if (found == byId.end())
                {
                    reader.Fail(id, "\"after\": the id of an operation");
                }
                const auto& others = operations[found->second].ranks;
                if (std::none_of(others.begin(), others.end(), [&own](uint32_t rank) {
                        return std::binary_search(own.begin(), own.end(), rank);
                    }))
                {
                    reader.Fail(
                        id,
                        "\"after\": an operation of one of the same ranks, since ranks hear of "
                        "others by messages only");
                }
                after[i].push_back(found->second);
            }
            operation.after = after[i];
        }
        std::vector<uint32_t> cycle;
        auto order = SortByDependencies(after, cycle);
        if (!cycle.empty())
        {
            std::string text;
            for (const uint32_t i : cycle)
            {
                text += operations[i].id + " after ";
            }
            throw AidcInputError(m_name,
                                 operations[cycle[0]].value->line,
                                 "operations that do not wait for each other in a circle",
                                 text + operations[cycle[0]].id);
        }
        return order;
    }

    /// Groups, by name and ranks.
    using Groups = std::map<std::pair<std::string, std::vector<uint32_t>>, RankGroup>;

    /// Add an operation to the programs of its ranks. operations: all operations; those that it
    /// waits for have been added.
    static void Add(const std::vector<ListedOperation>& operations,
                    ListedOperation& operation,
                    Groups& groups,
                    WorkloadPlan& plan)
    {
        const auto getAfter = [&operations, &operation](uint32_t rank) {
            std::vector<uint32_t> after;
            for (const uint32_t other : operation.after)
            {
                const auto found = operations[other].numbers.find(rank);
                if (found != operations[other].numbers.end())
                {
                    after.push_back(found->second);
                }
            }
            return after;
        };
        const auto& ranks = operation.ranks;
        switch (operation.type)
        {
        case ListedOperation::Type::COMPUTE: {
            const uint32_t item = plan.AddItem(operation.id);
            for (const uint32_t rank : ranks)
            {
                operation.numbers[rank] =
                    plan.GetProgram(rank).AddCompute(operation.nanoseconds, getAfter(rank), item);
            }
            break;
        }
        case ListedOperation::Type::SEND: {
            const auto [send, receive] = plan.AddMessage(plan.AddItem(operation.id),
                                                         ranks[0],
                                                         ranks[1],
                                                         operation.bytes,
                                                         plan.TakeTags(1),
                                                         getAfter(ranks[0]),
                                                         getAfter(ranks[1]),
                                                         operation.hasCredit);
            operation.numbers[ranks[0]] = send;
            operation.numbers[ranks[1]] = receive;
            break;
        }
        case ListedOperation::Type::COLLECTIVE: {
            const CollectiveSchedule schedule(operation.collective);
            std::vector<std::vector<uint32_t>> after;
            for (const uint32_t rank : ranks)
            {
                after.push_back(getAfter(rank));
            }
            RankGroup& group = groups[{operation.group, ranks}];
            if (!group)
            {
                group = std::make_shared<const std::vector<uint32_t>>(ranks);
            }
            const auto numbers = plan.AddCollective(operation.id, schedule, group, after);
            for (std::size_t i = 0; i < ranks.size(); ++i)
            {
                operation.numbers[ranks[i]] = numbers[i];
            }
            break;
        }
        }
    }

    const std::string& m_name; //!< the name that errors give
};

} // namespace

CollectiveScheduleSettings
ReadCollectiveWay(JsonObjectReader& reader, CollectiveAlgorithm algorithm)
{
    CollectiveScheduleSettings way;
    way.algorithm = algorithm;
    if (const JsonValue* const value = reader.Find("algorithm"))
    {
        if (value->type != JsonValue::Type::STRING ||
            !ParseCollectiveAlgorithm(value->text, way.algorithm))
        {
            reader.Fail(*value, std::string("\"algorithm\": ") + ALGORITHMS);
        }
    }
    const auto read = [&reader](const char* key, uint32_t max) {
        return static_cast<uint32_t>(reader.GetUnsigned(key, 1, max, 1));
    };
    way.nChunks = read("chunks", CollectiveScheduleSettings::MAX_CHUNKS);
    way.nChannels = read("channels", CollectiveScheduleSettings::MAX_CHANNELS);
    way.nSlots = static_cast<uint16_t>(
        reader.GetUnsigned("slots", 0, CollectiveScheduleSettings::MAX_SLOTS, 0));
    way.nPerServer = read("server", WorkloadPlan::MAX_RANKS);
    return way;
}

void
AddWorkloadOperations(const std::vector<JsonValue>& items,
                      const std::string& name,
                      WorkloadPlan& plan)
{
    OperationListReader(name).Read(items, plan);
}

} // namespace ns3::aidc
