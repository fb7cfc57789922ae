// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_TAG_H
#define AIDC_CSIG_TAG_H

#include "../core/csig/csig-fields.h"

#include "ns3/tag.h"

#include <cstdint>
#include <ostream>

namespace ns3::aidc
{

/// The CSIG tag as a packet tag of ns-3, for devices that have no frames as bytes.
///
/// It has the data fields of a real tag and travels with the packet without a size of its own. The
/// 4 or 8 bytes of a tag on the wire are not counted.
class CsigTag : public Tag
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    /// Make a compact tag of zeros.
    CsigTag() = default;

    /// Make a tag. @param fields the data fields, each of which must fit its bits
    explicit CsigTag(const CsigFields& fields);

    /// Set the data fields. @param fields the data fields, each of which must fit its bits
    void SetFields(const CsigFields& fields);

    /// @return the data fields
    const CsigFields& GetFields() const
    {
        return m_fields;
    }

    /// Set whether the tag is to leave the host. A host's port sends no other tags, such as tags of
    /// packets that have arrived and are forwarded (section 9).
    /// @param isRequest whether it is to leave; false by default, and set by CsigHost
    void SetRequest(bool isRequest)
    {
        m_isRequest = isRequest;
    }

    /// @return whether the tag is to leave the host
    bool IsRequest() const
    {
        return m_isRequest;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer buffer) const override;
    void Deserialize(TagBuffer buffer) override;

    void Print(std::ostream& os) const override
    {
        os << m_fields;
    }

  private:
    CsigFields m_fields;     //!< the data fields
    bool m_isRequest{false}; //!< whether it is to leave the host
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_TAG_H
