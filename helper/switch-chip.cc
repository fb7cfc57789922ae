// SPDX-License-Identifier: GPL-2.0-only

#include "switch-chip.h"

#include "../model/workload/json-object-reader.h"
#include "experiment-data-file.h"

#include "ns3/log.h"
#include "ns3/workload-file-reader.h"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSwitchChip");

NS_OBJECT_ENSURE_REGISTERED(SwitchChip);

namespace
{

using boost::algorithm::join;

constexpr const char* FOLDER = "chips/"; //!< of the module's own chips, below examples/data
constexpr const char* KNOWN_CHIP = "chips/tomahawk-5.json"; //!< one that is there
constexpr const char* ENDING = ".json";                     //!< of their names

/// What sizes and counts stay below: a QueueSize has 32 bits.
constexpr uint64_t MOST = std::numeric_limits<uint32_t>::max();

/// The largest binary exponent of a factor of a dynamic threshold, either way.
constexpr double MAX_EXPONENT = 16;

constexpr const char* ITEMS = "items in brackets"; //!< what an array should be

/// What was counted, by its word in files.
const std::map<std::string, SwitchChipMeasurement::Kind> KINDS{
    {"pause-in-turn", SwitchChipMeasurement::PAUSE_IN_TURN},
    {"pause-equal", SwitchChipMeasurement::PAUSE_EQUAL},
    {"ingress-drop", SwitchChipMeasurement::INGRESS_DROP},
    {"egress-drop", SwitchChipMeasurement::EGRESS_DROP},
    {"last-headroom", SwitchChipMeasurement::LAST_HEADROOM},
    {"resume", SwitchChipMeasurement::RESUME},
};

} // namespace

/// Reads a chip from its file.
class SwitchChipReader
{
  public:
    /// @param path the path of the file
    explicit SwitchChipReader(std::string path)
        : m_path(std::move(path))
    {
    }

    /// @return the chip
    Ptr<SwitchChip> Read()
    {
        auto file = WorkloadFileReader::Open(m_path);
        const JsonValue value = ParseJson(file, m_path);
        JsonObjectReader reader(m_path, value, "a chip");
        auto chip = CreateObject<SwitchChip>();
        chip->m_name = reader.GetString("chip", "the name of the chip");
        reader.GetString("title", "what the chip is"); // for readers of the file
        chip->m_cellSize = static_cast<uint32_t>(reader.GetUnsigned("cell_size", 0, 65536));
        chip->m_partitions = static_cast<uint32_t>(reader.GetUnsigned("partitions", 1, 64));
        chip->m_hasPowersOfTwo = reader.GetBoolean("power_of_two_alphas", true);
        if (const auto* time = reader.Find("response_time"))
        {
            const double seconds =
                reader.ToNumber(*time, 0, 1, "\"response_time\": seconds from 0 to 1");
            chip->m_responseTime = NanoSeconds(std::llround(seconds * 1e9));
        }
        for (const auto& item : reader.GetArray("profiles", "configurations in brackets"))
        {
            chip->m_profiles.push_back(ReadProfile(item, *chip));
        }
        if (chip->m_profiles.empty())
        {
            reader.Fail(reader.Require("profiles"), "at least one configuration", "none");
        }
        if (reader.Find("headroom"))
        {
            for (const auto& item : reader.GetArray("headroom", ITEMS))
            {
                chip->m_headrooms.push_back(ReadHeadroom(item));
            }
        }
        if (reader.Find("measured"))
        {
            for (const auto& item : reader.GetArray("measured", ITEMS))
            {
                chip->m_measurements.push_back(ReadMeasurement(item, *chip));
            }
        }
        reader.Finish();
        return chip;
    }

  private:
    /// Read a factor, `KEY` or its binary logarithm `KEY_exponent`; if there is none, otherwise.
    static double GetAlpha(JsonObjectReader& reader,
                           const std::string& key,
                           double otherwise,
                           const SwitchChip& chip)
    {
        const auto* exponent = reader.Find(key + "_exponent");
        const auto* factor = reader.Find(key);
        if (exponent && factor)
        {
            reader.Fail(*factor, "\"" + key + "\" or \"" + key + "_exponent\"", "both");
        }
        if (exponent)
        {
            const double e =
                reader.ToNumber(*exponent,
                                -MAX_EXPONENT,
                                MAX_EXPONENT,
                                "\"" + key + "_exponent\": a whole number from -16 to 16");
            if (e != std::floor(e))
            {
                reader.Fail(*exponent, "\"" + key + "_exponent\": a whole number");
            }
            return std::exp2(e);
        }
        if (!factor)
        {
            return otherwise;
        }
        const double alpha = reader.ToNumber(*factor,
                                             std::exp2(-MAX_EXPONENT),
                                             std::exp2(MAX_EXPONENT),
                                             "\"" + key + "\": a factor from 0.000015 to 65536");
        int ignored = 0;
        if (chip.m_hasPowersOfTwo && std::frexp(alpha, &ignored) != 0.5)
        {
            reader.Fail(*factor, "\"" + key + "\": a power of two, as the chip has");
        }
        return alpha;
    }

    /// Read an account's or a queue's object of the key, if there is one. read: reads its members
    template <typename ReadMembers>
    void ReadPart(JsonObjectReader& reader, const std::string& key, ReadMembers read) const
    {
        if (const auto* value = reader.Find(key))
        {
            JsonObjectReader part(m_path, *value, "\"" + key + "\"");
            read(part);
            part.Finish();
        }
    }

    /// Read a configuration.
    SwitchChipProfile ReadProfile(const JsonValue& value, const SwitchChip& chip) const
    {
        JsonObjectReader reader(m_path, value, "a configuration");
        SwitchChipProfile profile;
        profile.name = reader.GetString("name", "the name of a configuration");
        profile.source = reader.GetString("source", "where the numbers are published");
        profile.ports = static_cast<uint32_t>(reader.GetUnsigned("ports", 0, 4096, 0));
        profile.shared = reader.GetUnsigned("shared", 1, MOST);
        profile.headroomPool = reader.GetUnsigned("headroom_pool", 0, MOST, 0);
        profile.portAlpha = GetAlpha(reader, "port_alpha", 0, chip);
        profile.ingressPortAlpha = GetAlpha(reader, "ingress_port_alpha", 0, chip);
        ReadPart(reader, "lossless", [&](JsonObjectReader& part) {
            profile.xoffAlpha = GetAlpha(part, "alpha", 1, chip);
            profile.ingressReserved = part.GetUnsigned("reserved", 0, MOST, 0);
            profile.xon = part.GetUnsigned("xon", 0, MOST, 0);
            profile.xonOffset = part.GetUnsigned("xon_offset", 0, MOST, 0);
            profile.headroom = part.GetUnsigned("headroom", 0, MOST, 0);
        });
        ReadPart(reader, "lossy", [&](JsonObjectReader& part) {
            profile.queueAlpha = GetAlpha(part, "alpha", 1, chip);
            profile.queueReserved = part.GetUnsigned("reserved", 0, MOST, 0);
            profile.queueCap = part.GetUnsigned("cap", 0, MOST, 0);
            profile.lossyShared = part.GetUnsigned("shared", 0, MOST, 0);
        });
        ReadPart(reader, "marking", [&](JsonObjectReader& part) {
            profile.kmin = part.GetUnsigned("kmin", 0, MOST);
            profile.kmax = part.GetUnsigned("kmax", std::max<uint64_t>(1, profile.kmin), MOST);
            profile.pmax =
                part.ToNumber(part.Require("pmax"), 0, 1, "\"pmax\": a probability from 0 to 1");
            profile.marksAtDequeue = part.GetBoolean("at_dequeue", true);
        });
        if (const auto* weights = reader.Find("weights"))
        {
            for (const auto& weight : reader.GetArray("weights", ITEMS))
            {
                profile.weights.push_back(
                    static_cast<uint32_t>(reader.ToUnsigned(weight, 0, 255, "a weight")));
            }
            if (profile.weights.size() > 8)
            {
                reader.Fail(*weights, "\"weights\": at most 8 classes");
            }
        }
        reader.Finish();
        return profile;
    }

    /// Read the headroom of a link.
    SwitchChipHeadroom ReadHeadroom(const JsonValue& value) const
    {
        JsonObjectReader reader(m_path, value, "the headroom of a link");
        SwitchChipHeadroom headroom;
        headroom.rate = DataRate(1000000 * reader.GetUnsigned("mbps", 1, 10000000));
        headroom.meters = static_cast<uint32_t>(reader.GetUnsigned("meters", 0, 100000));
        headroom.bytes = reader.GetUnsigned("bytes", 1, MOST);
        headroom.source = reader.GetString("source", "where it is published");
        reader.Finish();
        return headroom;
    }

    /// Read what was measured.
    SwitchChipMeasurement ReadMeasurement(const JsonValue& value, const SwitchChip& chip) const
    {
        JsonObjectReader reader(m_path, value, "a measurement");
        SwitchChipMeasurement measured;
        std::vector<std::string> words;
        for (const auto& [word, kind] : KINDS)
        {
            words.push_back(word);
        }
        const auto found = KINDS.find(reader.GetString("what", "one of " + join(words, ", ")));
        if (found == KINDS.end())
        {
            reader.Fail(reader.Require("what"), "one of " + join(words, ", "));
        }
        measured.kind = found->second;
        measured.profile = reader.GetString("profile", "the name of a configuration");
        if (std::none_of(chip.m_profiles.begin(), chip.m_profiles.end(), [&](const auto& profile) {
                return profile.name == measured.profile;
            }))
        {
            reader.Fail(reader.Require("profile"), "the name of one of its configurations");
        }
        for (const auto& item : reader.GetArray("frames", "numbers in brackets"))
        {
            measured.frames.push_back(reader.ToUnsigned(item, 0, MOST, "a number of frames"));
        }
        const bool isInTurn = measured.kind == SwitchChipMeasurement::PAUSE_IN_TURN;
        if (measured.frames.empty() || (!isInTurn && measured.frames.size() != 1))
        {
            reader.Fail(reader.Require("frames"), isInTurn ? "a number an account" : "one number");
        }
        measured.accounts =
            static_cast<uint32_t>(reader.GetUnsigned("accounts", 1, 4096, measured.frames.size()));
        if (const auto* tolerance = reader.Find("tolerance"))
        {
            measured.tolerance =
                reader.ToNumber(*tolerance, 0, 1e9, "\"tolerance\": frames from 0 to 1000000000");
        }
        measured.note = reader.Find("note") ? reader.GetString("note", "a text") : "";
        measured.source = reader.GetString("source", "where it is published");
        reader.Finish();
        return measured;
    }

    std::string m_path; //!< the path of the file
};

TypeId
SwitchChip::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::SwitchChip")
                            .SetParent<Object>()
                            .SetGroupName("Aidc")
                            .AddConstructor<SwitchChip>();
    return tid;
}

Ptr<SwitchChip>
SwitchChip::Copy(const SwitchChip& chip)
{
    return CopyObject(Ptr<const SwitchChip>(&chip));
}

std::vector<std::string>
SwitchChip::GetNames()
{
    const auto folder = std::filesystem::path(FindDataFile(KNOWN_CHIP)).parent_path();
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        if (entry.path().extension() == ENDING)
        {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

Ptr<SwitchChip>
SwitchChip::Find(const std::string& name)
{
    std::string file = name;
    std::string profile;
    const auto colon = name.rfind(':');
    if (colon != std::string::npos && !std::filesystem::exists(name))
    {
        file = name.substr(0, colon);
        profile = name.substr(colon + 1);
    }
    const auto names = GetNames();
    const bool isKnown = std::find(names.begin(), names.end(), file) != names.end();
    if (!isKnown && !std::filesystem::exists(file))
    {
        throw std::invalid_argument("expected a chip of " + join(names, ", ") +
                                    ", or the path of a file of one, found \"" + file + "\"");
    }
    const auto path = isKnown ? FindDataFile(FOLDER + file + ENDING) : file;
    auto chip = SwitchChipReader(path).Read();
    chip->m_file = file;
    if (!profile.empty())
    {
        chip->Choose(profile);
    }
    return chip;
}

void
SwitchChip::Choose(const std::string& name)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_profiles.size(); ++i)
    {
        names.push_back(m_profiles[i].name);
        if (m_profiles[i].name == name)
        {
            m_chosen = i;
            return;
        }
    }
    throw std::invalid_argument("expected a configuration of " + m_name + " of " +
                                join(names, ", ") + ", found \"" + name + "\"");
}

uint64_t
SwitchChip::FindHeadroom(DataRate rate, double meters) const
{
    const SwitchChipHeadroom* best = nullptr;
    for (const auto& headroom : m_headrooms)
    {
        if (headroom.rate == rate && headroom.meters >= meters &&
            (!best || headroom.meters < best->meters))
        {
            best = &headroom;
        }
    }
    return best ? best->bytes : 0;
}

} // namespace ns3::aidc
