/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_SET_CONFIGURATION_H
#define AIDC_FLOW_SET_CONFIGURATION_H

#include "../core/flow-set/congestion-index.h"
#include "../core/flow-set/flow-set-switching.h"

#include "ns3/attribute.h"
#include "ns3/next-hop-selector.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>
#include <tuple>

namespace ns3::aidc
{

/// The attributes of a FlowSetConfiguration.
struct FlowSetSettings
{
    CongestionIndexSettings index;      //!< how CQIs are computed
    FlowSetSwitchingSettings switching; //!< how flow sets migrate
    int64_t interval{0};                //!< AssessmentInterval in ns
    bool isAdaptive{false};             //!< AdaptiveInterval
    int64_t minInterval{0};             //!< MinInterval in ns
    int64_t maxInterval{0};             //!< MaxInterval in ns
    double lowTraffic{0};               //!< LowTraffic
    double highTraffic{0};              //!< HighTraffic
    uint64_t queueCapacity{0};          //!< QueueCapacity in bytes
    uint32_t tableSize{1};              //!< TableSize; a table has the next power of two
    int64_t ageingTime{0};              //!< AgeingTime in ns

    /// @return the parameters of the adaptive interval: its bounds, and the shares of traffic
    auto GetAdaptation() const
    {
        return std::tie(minInterval, maxInterval, lowTraffic, highTraffic);
    }
};

/// Check settings. @throws std::invalid_argument if they do not fit each other; says which
void CheckSettings(const FlowSetSettings& settings);

/**
 * @ingroup aidc
 * @brief The attributes of a FlowSetSelector, and how changes of them take effect
 *        (draft-li-rtgwg-congestion-aware-flowset-switching-00, section 9.3).
 *
 * While the simulation runs, a value that does not fit the others is refused when it is set. Each
 * accepted change is logged (log component AidcFlowSetConfiguration, level INFO) and traced. It
 * takes effect at the next assessment.
 */
class FlowSetConfiguration : public NextHopSelector
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    /// TracedCallback signature for a reconfiguration while running.
    /// @param [in] before all attributes before, by name
    /// @param [in] after all attributes after
    typedef void (*ReconfigurationTracedCallback)(const std::string& before,
                                                  const std::string& after);

  protected:
    /// Check settings.
    /// @param settings the settings
    /// @throws std::invalid_argument if they do not fit each other or the subclass; says which
    virtual void CheckSettings(const FlowSetSettings& settings) const;

    /// @return the attributes
    const FlowSetSettings& GetSettings() const
    {
        return m_attributes;
    }

    /// @return the names and values of the attributes
    std::string Describe() const;

    /// @return whether attributes have changed while running, since the last call
    bool TakeChange();

  private:
    /// Make the accessor of a setting.
    template <typename V, typename Find>
    static Ptr<const AttributeAccessor> MakeAccessor(Find find);

    /// Change the settings; while running, check the change, log it and trace it.
    /// @throws std::invalid_argument if they do not fit each other; nothing has changed then
    void Change(const FlowSetSettings& settings);

    FlowSetSettings m_attributes; //!< the attributes
    bool m_isChanged{false};      //!< whether attributes have changed while running

    /// trace Reconfiguration
    TracedCallback<const std::string&, const std::string&> m_reconfigurationTrace;
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_CONFIGURATION_H
