/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-step-file.h"

#include "json-object-reader.h"
#include "workload-file-reader.h"
#include "workload-operation-list.h"

#include "ns3/training-step-planner.h"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// Read a number, if it is there.
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
    /// @param name the name that errors give
    /// @param nSteps how often the step is done
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
            AddWorkloadOperations(reader.GetArray("operations", "a list in brackets"),
                                  m_name,
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
        try
        {
            step.Check();
        }
        catch (const std::invalid_argument& error)
        {
            throw std::runtime_error(m_name + ":" + std::to_string(value.line) + ": " +
                                     error.what());
        }
        return step;
    }

    /// Find what groups do. There must be such a member if they have more than one rank, and none
    /// if they have one, as it would have no effect. @return the value; null if groups have one
    /// rank
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

    /// Read the messages between stages.
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

    /// Read the attention over context groups.
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
        collective.bytes = object.GetUnsigned("bytes", 0, CollectiveSchedule::MAX_BYTES);
        const CollectiveScheduleSettings way = ReadCollectiveWay(object, collective.algorithm);
        collective.algorithm = way.algorithm;
        collective.nChunks = way.nChunks;
        collective.nPerServer = way.nPerServer;
        collective.nChannels = way.nChannels;
        collective.nSlots = way.nSlots;
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
