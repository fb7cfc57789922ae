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

/**
 * @ingroup aidc
 * @brief The traffic classes of an egress port, as those see them who stop and resume them.
 */
class PausableClasses
{
  public:
    virtual ~PausableClasses() = default;

    /// @return the number of classes
    virtual uint32_t GetNClasses() const = 0;

    /**
     * @brief Stop or resume a class.
     *
     * The packet that the device already has is sent nevertheless.
     *
     * @param index the class
     * @param paused true to stop it
     */
    virtual void SetPaused(uint32_t index, bool paused) = 0;

    /// Drop what a class has and will get, or end that. @param index the class
    /// @param discarding true to drop
    virtual void SetDiscarding(uint32_t index, bool discarding) = 0;

    /// @return whether a class has packets
    virtual bool IsWaiting(uint32_t index) const = 0;

    /// @return the number of packets that a class has sent
    virtual uint64_t GetSent(uint32_t index) const = 0;
};

} // namespace ns3::aidc

#endif // AIDC_PAUSABLE_CLASSES_H
