/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_TRUTH_TAG_H
#define AIDC_CSIG_TRUTH_TAG_H

#include "ns3/csig-signal.h"
#include "ns3/tag.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>

namespace ns3::aidc
{

/// A packet tag that carries the true values of a packet's path: the worst of each signal so
/// far (CsigTruthMonitor).
class CsigTruthTag : public Tag
{
  public:
    /// The worst of a signal.
    struct Worst
    {
        double value;  //!< the value in the signal's unit
        uint16_t port; //!< the number of the port
    };

    /// @return the type ID
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aidc::CsigTruthTag")
                                .SetParent<Tag>()
                                .SetGroupName("Aidc")
                                .HideFromDocumentation()
                                .AddConstructor<CsigTruthTag>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return sizeof(arrival) + sizeof(worst);
    }

    // As it lies in memory: a number at a time, tags would take a third of the time of a hop
    void Serialize(TagBuffer buffer) const override
    {
        buffer.Write(reinterpret_cast<const uint8_t*>(&arrival), sizeof(arrival));
        buffer.Write(reinterpret_cast<const uint8_t*>(&worst), sizeof(worst));
    }

    void Deserialize(TagBuffer buffer) override
    {
        buffer.Read(reinterpret_cast<uint8_t*>(&arrival), sizeof(arrival));
        buffer.Read(reinterpret_cast<uint8_t*>(&worst), sizeof(worst));
    }

    void Print(std::ostream& os) const override
    {
        os << "arrival=" << arrival;
    }

    /// Write the value of a port if it is worse.
    void Update(CsigSignal signal, double value, uint16_t port)
    {
        Worst& entry = worst[static_cast<std::size_t>(signal)];
        const bool isMin = GetCsigAggregation(signal) == CsigAggregation::MIN;
        if (isMin ? value < entry.value : value > entry.value)
        {
            entry = {value, port};
        }
    }

    int64_t arrival{0}; //!< at this switch, ns
    /// By signal; no port yet.
    std::array<Worst, 3> worst{{{std::numeric_limits<double>::infinity(), 0xffff},
                                {std::numeric_limits<double>::infinity(), 0xffff},
                                {-1, 0xffff}}};
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_TRUTH_TAG_H
