/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_LEAP_OPTIONS_H
#define AIDC_EXPERIMENT_LEAP_OPTIONS_H

#include "experiment-parameters.h"

#include "ns3/workload-leap.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The options of an experiment that let its ranks leap over what repeats: --leap and
 *        --leap-check.
 */
class ExperimentLeapOptions
{
  public:
    /// Let a user set the options.
    /// @param [in,out] parameters what the user may set; this object outlives it
    void AddTo(ExperimentParameters& parameters);

    /// Read the options.
    /// @throws std::runtime_error if --leap is no error
    void Prepare();

    /// @param seed the seed of what is checked
    /// @return how ranks leap; nothing if they do not
    std::optional<LeapSettings> Get(uint64_t seed) const;

  private:
    std::string m_text{"off"}; //!< what the user says
    double m_error{0};         //!< the accepted error; 0 without leaps
    bool m_isChecked{false};   //!< whether leaps are checked
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_LEAP_OPTIONS_H
