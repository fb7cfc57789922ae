/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BREAKABLE_LINK_ERROR_MODEL_H
#define AIDC_BREAKABLE_LINK_ERROR_MODEL_H

#include "ns3/error-model.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The receiving side of a link that can break: while it is broken, all packets are lost.
 */
class BreakableLinkErrorModel : public ErrorModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the type ID
     */
    static TypeId GetTypeId();

    /**
     * @brief Set what loses packets while the link is whole.
     * @param other the error model, may be null
     */
    void SetOther(Ptr<ErrorModel> other);

    /**
     * @brief Break or mend the link.
     * @param isBroken whether it is broken
     */
    void SetBroken(bool isBroken);

    /**
     * @brief Get the packets that were lost because the link was broken.
     * @return the number of packets
     */
    uint64_t GetLostPackets() const;

  private:
    bool DoCorrupt(Ptr<Packet> p) override;
    void DoReset() override;

    Ptr<ErrorModel> m_other;   //!< loses packets while the link is whole
    bool m_isBroken{false};    //!< whether the link is broken
    uint64_t m_lostPackets{0}; //!< packets lost because of that
};

} // namespace ns3::aidc

#endif // AIDC_BREAKABLE_LINK_ERROR_MODEL_H
