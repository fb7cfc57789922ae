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
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// Reads a training step.
class TrainingStepReader
{
  public:
    /// @param name the name that errors give
    explicit TrainingStepReader(std::string name)
        : m_name(std::move(name))
    {
    }

    /// @param value the file
    /// @return the plan
    WorkloadPlan Read(const JsonValue& value);

  private:
    /// @param value the object
    /// @return the step
    TrainingStep ReadStep(const JsonValue& value) const;

    /// Read the collectives of a step.
    /// @param reader where they are
    /// @param key their key
    /// @param nMembers the members of a group; there must be such collectives if it is above 1
    /// @param collective where they go
    /// @param more reads what else the object has
    template <typename F>
    void ReadCollective(JsonObjectReader& reader,
                        const std::string& key,
                        uint32_t nMembers,
                        TrainingCollective& collective,
                        F more) const;

    std::string m_name; //!< the name that errors give
};

WorkloadPlan
TrainingStepReader::Read(const JsonValue& value)
{
    JsonObjectReader reader(m_name, value, "a training step");
    const JsonValue* const training = reader.Find("training");
    const JsonValue* const operations = reader.Find("operations");
    if (!training && !operations)
    {
        reader.Require("training");
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
        AddTrainingStep(plan, step);
    }
    if (operations)
    {
        AddWorkloadOperations(reader.GetArray("operations", "a list in brackets"), m_name, plan);
    }
    reader.Finish();
    return plan;
}

TrainingStep
TrainingStepReader::ReadStep(const JsonValue& value) const
{
    constexpr uint32_t MAX = WorkloadPlan::MAX_RANKS;
    JsonObjectReader reader(m_name, value, "sizes of a training step");
    TrainingStep step;
    const auto read = [&reader](const char* key, uint32_t& size) {
        size = static_cast<uint32_t>(reader.GetUnsigned(key, 1, MAX, size));
    };
    read("dp", step.dp);
    read("tp", step.tp);
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
        const JsonValue* const load = expert.Find("load");
        if (load && (load->type != JsonValue::Type::NUMBER ||
                     !WorkloadFileReader::ParseNumber(load->text, step.expertLoad)))
        {
            expert.Fail(*load, "\"load\": a number from 1 to \"ep\"");
        }
    });
    ReadCollective(reader, "data", step.dp, step.data, [&step](JsonObjectReader& data) {
        step.isSharded = data.GetBoolean("sharded", false);
        step.overlaps = data.GetBoolean("overlap", true);
    });
    if (step.pp > 1 || reader.Find("pipeline"))
    {
        JsonObjectReader pipeline(m_name, reader.Require("pipeline"), "the pipeline's messages");
        step.pipelineBytes = pipeline.GetUnsigned("bytes", 0, CollectiveSchedule::MAX_BYTES);
        pipeline.Finish();
    }
    reader.Finish();
    try
    {
        step.Check();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::runtime_error(m_name + ":" + std::to_string(value.line) + ": " + error.what());
    }
    return step;
}

template <typename F>
void
TrainingStepReader::ReadCollective(JsonObjectReader& reader,
                                   const std::string& key,
                                   uint32_t nMembers,
                                   TrainingCollective& collective,
                                   F more) const
{
    if (nMembers == 1 && !reader.Find(key))
    {
        return;
    }
    JsonObjectReader object(m_name, reader.Require(key), "the collectives \"" + key + "\"");
    collective.bytes = object.GetUnsigned("bytes", 0, CollectiveSchedule::MAX_BYTES);
    const CollectiveScheduleSettings way = ReadCollectiveWay(object, collective.algorithm);
    collective.algorithm = way.algorithm;
    collective.nChunks = way.nChunks;
    collective.nPerServer = way.nPerServer;
    collective.nChannels = way.nChannels;
    more(object);
    object.Finish();
}

} // namespace

WorkloadPlan
ReadTrainingStepFile(const std::string& path)
{
    auto stream = WorkloadFileReader::Open(path);
    return ParseTrainingStepFile(stream, path);
}

WorkloadPlan
ParseTrainingStepFile(std::istream& stream, const std::string& name)
{
    const JsonValue value = ParseJson(stream, name);
    return TrainingStepReader(name).Read(value);
}

} // namespace ns3::aidc
