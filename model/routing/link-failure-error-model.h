// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LINK_FAILURE_ERROR_MODEL_H
#define AIDC_LINK_FAILURE_ERROR_MODEL_H

#include "ns3/error-model.h"

#include <cstdint>

namespace ns3::aidc
{

/// The receiving side of a point-to-point link that fails: until it is restored, all packets
/// are lost.
///
/// An EthernetChannel can fail without this model.
class LinkFailureErrorModel : public ErrorModel
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    /// Set the error model of the link while it is up. @param other the error model, may be null
    void SetOther(Ptr<ErrorModel> other)
    {
        m_other = other;
    }

    /// Fail the link.
    void Fail()
    {
        m_isFailed = true;
    }

    /// Restore the link.
    void Restore()
    {
        m_isFailed = false;
    }

    /// @return the number of packets that were lost because the link had failed
    uint64_t GetLostPackets() const
    {
        return m_lostPackets;
    }

  private:
    bool DoCorrupt(Ptr<Packet> p) override;
    void DoReset() override;

    Ptr<ErrorModel> m_other;   //!< loses packets while the link is up
    bool m_isFailed{false};    //!< whether the link has failed
    uint64_t m_lostPackets{0}; //!< packets lost because of that
};

} // namespace ns3::aidc

#endif // AIDC_LINK_FAILURE_ERROR_MODEL_H
