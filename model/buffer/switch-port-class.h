/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SWITCH_PORT_CLASS_H
#define AIDC_SWITCH_PORT_CLASS_H

#include "shared-buffer-queue.h"

#include "ns3/queue-disc.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A traffic class of a SwitchPortQueueDisc: its share of the link, and its queue disc.
 */
class SwitchPortClass : public QueueDiscClass
{
  public:
    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    SwitchPortClass();
    ~SwitchPortClass() override;

    /**
     * @brief Get the quantum.
     * @return bytes a round; 0 is strict priority
     */
    uint32_t GetQuantum() const;

    /**
     * @brief Tell whether the class is lossless.
     * @return true if its packets are charged to the ports that they came in by
     */
    bool IsLossless() const;

    /**
     * @brief Get the class's share of the shared buffer.
     * @return the share: that of its queue disc, if it draws on a shared buffer by itself
     */
    Ptr<SharedBufferQueue> GetBufferQueue() const;

  private:
    uint32_t m_quantum;                //!< attribute Quantum
    bool m_isLossless;                 //!< attribute Lossless
    Ptr<SharedBufferQueue> m_ownQueue; //!< the share of a queue disc that knows of none
};

} // namespace ns3::aidc

#endif // AIDC_SWITCH_PORT_CLASS_H
