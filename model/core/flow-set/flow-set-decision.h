/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_SET_DECISION_H
#define AIDC_FLOW_SET_DECISION_H

#include <cstdint>
#include <limits>

/**
 * @file
 * The state of a port in flow-set switching, and the decision on a packet.
 */

namespace ns3::aidc
{

/// A row of the port status table: the fields of the draft's section 6.2.
struct PortStatus
{
    uint32_t port{0};       //!< port identifier
    bool isUp{false};       //!< port status
    uint32_t cqi{0};        //!< current CQI, the budget: the advertised CQI less the migrations
    uint32_t initialCqi{0}; //!< the CQI that was advertised for this interval
    uint64_t queueDepth{0}; //!< advertised queue depth in bytes
};

/// What was done with a packet's flow set (the draft's section 5.2.1).
enum class FlowSetAction : uint8_t
{
    LEARN,         //!< rule 1: there was no entry, the lightest port was learned
    REROUTE,       //!< rule 2: the entry's port was unavailable, a new one was selected
    KEEP,          //!< rule 3: the entry's port is not congested
    MIGRATE,       //!< rule 4: the entry was moved to another port
    STAY_FLOWLET,  //!< congested, but the flow set was not idle for the flowlet gap
    STAY_LIMIT,    //!< congested, but the cap of migrations a unit of time is reached
    STAY_SMALLEST, //!< congested, but no available port has a smaller CQI
    STAY_BUDGET,   //!< congested, but as many entries as the CQI allows were moved
    STAY_HELD,     //!< congested, but the entry was moved less than the hold-down ago
    STAY_OFF,      //!< congested, but rule 4 is off
    NO_PORT,       //!< no port is available
};

/// Where a packet goes, and why.
struct FlowSetDecision
{
    /// Stands for no port.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    FlowSetAction action; //!< what was done with its flow set
    uint32_t port;        //!< the egress port, or NONE
    uint32_t from;        //!< the egress port of the flow set before, or NONE if it had none
    uint32_t position;    //!< index of the egress port in the candidates, if there is one
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_DECISION_H
