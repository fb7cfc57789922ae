/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_SET_CONFIGURATION_H
#define AIDC_FLOW_SET_CONFIGURATION_H

#include "flow-set-settings.h"

#include "ns3/next-hop-selector.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The attributes of a FlowSetSelector, and what becomes of a change of them
 *        (draft-li-rtgwg-congestion-aware-flowset-switching-00, section 9.3).
 *
 * While the simulation runs, a value that does not fit the others is refused when it is set; each
 * change that is taken is logged (log component AidcFlowSetConfiguration, level INFO) and traced,
 * and holds from the next assessment on.
 */
class FlowSetConfiguration : public NextHopSelector
{
  public:
    /**
     * @brief Get the type ID.
     * @return the type ID
     */
    static TypeId GetTypeId();

    /**
     * @brief TracedCallback signature for a reconfiguration while running.
     * @param [in] before all attributes before, by name
     * @param [in] after all attributes after
     */
    typedef void (*ReconfigurationTracedCallback)(const std::string& before,
                                                  const std::string& after);

  protected:
    /**
     * @brief Check settings.
     * @param settings the settings
     * @throws std::invalid_argument if they do not fit each other, or what they are for; says which
     */
    virtual void CheckSettings(const FlowSetSettings& settings) const;

    /**
     * @brief Get the attributes.
     * @return the settings
     */
    FlowSetSettings GetSettings() const;

    /**
     * @brief Describe the attributes.
     * @return their names and values
     */
    std::string Describe() const;

    /**
     * @brief Tell whether attributes have changed while running, since this was last asked.
     * @return whether any has
     */
    bool TakeChange();

  private:
    using Strategy = FlowSetSwitchingConfig::Strategy; //!< the type of an attribute

    /**
     * @brief Set an attribute; while running, check it, log it and trace it.
     * @tparam Member the member that holds the attribute
     * @tparam T the attribute's type
     * @param value the new value
     * @return false, and nothing changed, if it does not fit the others
     */
    template <auto Member, typename T>
    bool Set(T value);

    /**
     * @brief Get an attribute.
     * @tparam Member the member that holds the attribute
     * @tparam T the attribute's type
     * @return its value
     */
    template <auto Member, typename T>
    T Get() const;

    Time m_interval;              //!< attribute AssessmentInterval
    bool m_isAdaptive;            //!< attribute AdaptiveInterval
    Time m_minInterval;           //!< attribute MinInterval
    Time m_maxInterval;           //!< attribute MaxInterval
    double m_lowTraffic;          //!< attribute LowTraffic
    double m_highTraffic;         //!< attribute HighTraffic
    bool m_useQueueDepth;         //!< attribute UseQueueDepth
    bool m_useBufferUtilization;  //!< attribute UseBufferUtilization
    bool m_useDrops;              //!< attribute UseDrops
    double m_congestionThreshold; //!< attribute CongestionThreshold
    uint32_t m_dropsPerLevel;     //!< attribute DropsPerLevel
    uint32_t m_cqiMax;            //!< attribute CqiMax
    double m_smoothing;           //!< attribute Smoothing
    QueueSize m_queueCapacity;    //!< attribute QueueCapacity
    Time m_flowletGap;            //!< attribute FlowletGap
    bool m_useRoundRobin;         //!< attribute RoundRobin
    Strategy m_strategy;          //!< attribute Strategy
    uint32_t m_hysteresis;        //!< attribute Hysteresis
    Time m_holdDown;              //!< attribute HoldDown
    bool m_ranksByBudget;         //!< attribute RankByBudget
    uint32_t m_maxMigrations;     //!< attribute MaxMigrations
    Time m_migrationPeriod;       //!< attribute MigrationPeriod
    uint32_t m_tableSize;         //!< attribute TableSize
    Time m_ageingTime;            //!< attribute AgeingTime

    bool m_isChanged{false}; //!< whether attributes have changed while running

    /// trace Reconfiguration
    TracedCallback<const std::string&, const std::string&> m_reconfigurationTrace;
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_CONFIGURATION_H
