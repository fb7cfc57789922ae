// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOW_SET_SWITCH_H
#define AIDC_FLOW_SET_SWITCH_H

#include "model/core/flow-set/flow-set-switching.h"
#include "test/core/core-test.h"

// A switch of flow sets in a few words, for the tests.

namespace aidctest
{

/// No port.
constexpr uint32_t NONE = FlowSetDecision::NONE;

/// The aging time in ns.
constexpr int64_t AGEING = 1000;

/// A switch whose ports 0, 1... are all candidates, with a table in which no flow below 1024 shares
/// its entry.
class Switch
{
  public:
    explicit Switch(uint32_t nPorts, const FlowSetSwitchingSettings& settings = {})
        : switching(settings),
          ports(nPorts),
          depths(nPorts)
    {
        std::iota(ports.begin(), ports.end(), 0);
        for (const auto port : ports)
        {
            switching.GetPorts().Add(port);
        }
    }

    /// Forward a packet.
    FlowSetDecision Send(uint32_t hash)
    {
        return switching.Forward(
            table,
            hash,
            ports.data(),
            static_cast<uint32_t>(ports.size()),
            now,
            [this](uint32_t port) { return depths.at(port); },
            [this](uint32_t n) {
                draws.push_back(n);
                return draw % n;
            });
    }

    /// Make an entry for a flow on a port.
    void Learn(uint32_t hash, uint32_t port)
    {
        const auto all = ports;
        ports = {port};
        const auto decision = Send(hash);
        ports = all;
        ASSERT_EQ(decision.action, FlowSetAction::LEARN);
        ASSERT_EQ(decision.port, port);
    }

    FlowSetSwitching switching;
    FlowSetTable table{1024, AGEING};
    std::vector<uint32_t> ports;  //!< the candidates
    std::vector<uint64_t> depths; //!< the queues now, by port
    std::vector<uint32_t> draws;  //!< among how many ports it was drawn
    uint32_t draw{0};             //!< what is drawn, modulo that
    int64_t now{0};               //!< the time in ns
};

inline void
ExpectDecision(const FlowSetDecision& decision, FlowSetAction action, uint32_t port, uint32_t from)
{
    EXPECT_EQ(decision.action, action) << "action " << static_cast<int>(decision.action);
    EXPECT_EQ(decision.port, port);
    EXPECT_EQ(decision.from, from);
}

} // namespace aidctest

#endif // AIDC_FLOW_SET_SWITCH_H
