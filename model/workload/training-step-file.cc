// SPDX-License-Identifier: GPL-2.0-only

#include "training-step-file.h"

#include "../core/workload/dependency-order.h"
#include "aidc-input-error.h"
#include "json-object-reader.h"
#include "workload-file-reader.h"

#include "ns3/training-step-planner.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// The names of all algorithms, for errors.
constexpr char ALGORITHMS[] =
    "ring, halving-doubling, recursive-doubling, pairwise, binomial-tree, chain, double-tree, "
    "hierarchical, direct or nvls";

/// @return algorithm (the given one if there is none), chunks, channels and members of a server
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

/// Call a function, to whose errors file and line are added. @return what it returns
template <typename F>
auto
CallAt(const std::string& name, const JsonValue& value, F function)
{
    try
    {
        return function();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::runtime_error(name + ":" + std::to_string(value.line) + ": " + error.what());
    }
}

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
            CallAt(m_name, *operations[i].value, [&] {
                Add(operations, operations[i], groups, plan);
            });
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
                !ParseUnsigned(text.substr(0, dash), first) ||
                !ParseUnsigned(text.substr(dash + 1, colon - dash - 1), last) ||
                (colon < text.size() && !ParseUnsigned(text.substr(colon + 1), step)) ||
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
        return CallAt(m_name, value, [&rows] {
            return std::make_shared<const CollectiveSizes>(rows);
        });
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

    /// Add an operation, after the operations that it waits for, to the programs of its ranks.
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

void
ReadFraction(JsonObjectReader& reader,
             const std::string& key,
             const std::string& expected,
             double& number)
{
    if (const JsonValue* const value = reader.Find(key))
    {
        constexpr double MOST = std::numeric_limits<double>::max();
        number = reader.ToNumber(*value, -MOST, MOST, "\"" + key + "\": " + expected);
    }
}

/// Reads a training step.
class TrainingStepReader
{
  public:
    TrainingStepReader(std::string name, uint32_t nSteps)
        : m_name(std::move(name)),
          m_nSteps(nSteps)
    {
    }

    WorkloadPlan Read(const JsonValue& value)
    {
        JsonObjectReader reader(m_name, value, "a training step");
        const JsonValue* const training = reader.Find("training");
        const JsonValue* const operations = reader.Find("operations");
        if (!training && !operations)
        {
            reader.Require("training");
        }
        if (operations && m_nSteps > 1)
        {
            reader.Fail(*operations, "no \"operations\" with several passes");
        }
        TrainingStep step;
        uint32_t nRanks = 0;
        if (training)
        {
            step = ReadStep(*training);
            nRanks = static_cast<uint32_t>(step.GetNRanks());
            nRanks = static_cast<uint32_t>(
                reader.GetUnsigned("ranks", nRanks, WorkloadPlan::MAX_RANKS, nRanks));
        }
        else
        {
            nRanks = static_cast<uint32_t>(reader.GetUnsigned("ranks", 1, WorkloadPlan::MAX_RANKS));
        }
        WorkloadPlan plan(nRanks);
        if (training)
        {
            AddTrainingStep(plan, step, m_nSteps);
        }
        if (operations)
        {
            OperationListReader(m_name).Read(reader.GetArray("operations", "a list in brackets"),
                                             plan);
        }
        reader.Finish();
        return plan;
    }

  private:
    TrainingStep ReadStep(const JsonValue& value) const
    {
        constexpr uint32_t MAX = WorkloadPlan::MAX_RANKS;
        JsonObjectReader reader(m_name, value, "sizes of a training step");
        TrainingStep step;
        const auto read = [&reader](const char* key, uint32_t& size) {
            size = static_cast<uint32_t>(reader.GetUnsigned(key, 1, MAX, size));
        };
        read("dp", step.dp);
        read("tp", step.tp);
        read("cp", step.cp);
        read("pp", step.pp);
        read("ep", step.ep);
        step.nLayers = step.pp;
        read("layers", step.nLayers);
        read("microbatches", step.nMicrobatches);
        step.forwardNs = reader.GetNanoseconds("forward_seconds", 0);
        step.backwardNs = reader.GetNanoseconds("backward_seconds", 0);
        step.optimizerNs = reader.GetNanoseconds("optimizer_seconds", 0);
        ReadCollective(reader, "tensor", step.tp, step.tensor, [&step](JsonObjectReader& tensor) {
            step.nTensor = static_cast<uint32_t>(tensor.GetUnsigned("per_layer", 1, 1024, 1));
        });
        ReadCollective(reader, "expert", step.ep, step.expert, [&step](JsonObjectReader& expert) {
            ReadFraction(expert, "load", "a number from 1 to \"ep\"", step.expertLoad);
        });
        const uint64_t nReplicas = step.GetNReplicas();
        ReadCollective(reader, "data", nReplicas, step.data, [&step](JsonObjectReader& data) {
            step.isSharded = data.GetBoolean("sharded", false);
            step.overlaps = data.GetBoolean("overlap", true);
        });
        if (reader.Find("expert_data"))
        {
            const uint64_t nSame = step.ep > 1 ? nReplicas / step.ep : 1;
            ReadCollective(reader,
                           "expert_data",
                           nSame,
                           step.expertData.emplace(),
                           [](JsonObjectReader&) {});
        }
        ReadContext(reader, step);
        ReadPipeline(reader, step);
        reader.Finish();
        CallAt(m_name, value, [&step] { step.Check(); });
        return step;
    }

    /// @return what groups do, which must be there unless they have one rank, and then must not
    static const JsonValue* Find(JsonObjectReader& reader,
                                 const std::string& key,
                                 uint64_t nMembers)
    {
        if (nMembers > 1)
        {
            return &reader.Require(key);
        }
        if (const JsonValue* const value = reader.Find(key))
        {
            reader.Fail(*value, "no \"" + key + "\", as its groups have one rank each");
        }
        return nullptr;
    }

    void ReadPipeline(JsonObjectReader& reader, TrainingStep& step) const
    {
        const JsonValue* const value = Find(reader, "pipeline", step.pp);
        if (!value)
        {
            return;
        }
        JsonObjectReader pipeline(m_name, *value, "the pipeline");
        step.pipelineBytes = pipeline.GetUnsigned("bytes", 0, CollectiveSchedule::MAX_BYTES);
        if (const JsonValue* const schedule = pipeline.Find("schedule"))
        {
            if (schedule->type != JsonValue::Type::STRING ||
                !ParsePipelineOrder(schedule->text, step.order))
            {
                pipeline.Fail(*schedule, "\"schedule\": gpipe, 1f1b or interleaved");
            }
        }
        if (step.order == PipelineOrder::INTERLEAVED)
        {
            step.nChunks =
                static_cast<uint32_t>(pipeline.GetUnsigned("chunks", 2, WorkloadPlan::MAX_RANKS));
        }
        pipeline.Finish();
    }

    void ReadContext(JsonObjectReader& reader, TrainingStep& step) const
    {
        if (const JsonValue* const value = Find(reader, "context", step.cp))
        {
            JsonObjectReader context(m_name, *value, "the attention over context groups");
            step.context.bytes = context.GetUnsigned("bytes", 0, CollectiveSchedule::MAX_BYTES / 2);
            ReadFraction(context, "share", "a number from 0 to 1", step.context.share);
            context.Finish();
        }
    }

    /// Read the collectives of a step.
    template <typename F>
    void ReadCollective(JsonObjectReader& reader,
                        const std::string& key,
                        uint64_t nMembers,
                        TrainingCollective& collective,
                        F more) const
    {
        const JsonValue* const value = Find(reader, key, nMembers);
        if (!value)
        {
            return;
        }
        JsonObjectReader object(m_name, *value, "the collectives \"" + key + "\"");
        const uint64_t bytes = object.GetUnsigned("bytes", 0, CollectiveSchedule::MAX_BYTES);
        static_cast<CollectiveScheduleSettings&>(collective) =
            ReadCollectiveWay(object, collective.algorithm);
        collective.bytes = bytes;
        more(object);
        object.Finish();
    }

    std::string m_name; //!< the name that errors give
    uint32_t m_nSteps;  //!< how often the step is done
};

} // namespace

WorkloadPlan
ReadTrainingStepFile(const std::string& path)
{
    auto stream = WorkloadFileReader::Open(path);
    return ParseTrainingStepFile(stream, path);
}

WorkloadPlan
ParseTrainingStepFile(std::istream& stream, const std::string& name, uint32_t nSteps)
{
    const JsonValue value = ParseJson(stream, name);
    return TrainingStepReader(name, nSteps).Read(value);
}

} // namespace ns3::aidc
