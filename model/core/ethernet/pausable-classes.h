/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PAUSABLE_CLASSES_H
#define AIDC_PAUSABLE_CLASSES_H

#include <cstdint>

namespace ns3::aidc
{

/// The traffic classes of an egress port, which can be paused and resumed.
class PausableClasses
{
  public:
    virtual ~PausableClasses() = default;

    /// @return the number of classes
    virtual uint32_t GetNClasses() const = 0;

    /**
     * @brief Pause or resume a class.
     *
     * The packet that the device already has is sent nevertheless.
     *
     * @param index the class
     * @param paused true to pause it
     */
    virtual void SetPaused(uint32_t index, bool paused) = 0;

    /// Begin or stop dropping all packets of a class, queued and new. discarding: true to drop.
    virtual void SetDiscarding(uint32_t index, bool discarding) = 0;

    /// @return whether a class has packets
    virtual bool IsWaiting(uint32_t index) const = 0;

    /// @return the number of packets that a class has sent
    virtual uint64_t GetSent(uint32_t index) const = 0;
};

} // namespace ns3::aidc

#endif // AIDC_PAUSABLE_CLASSES_H
