/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_HEADER_H
#define AIDC_CSIG_HEADER_H

#include "ns3/csig-fields.h"
#include "ns3/header.h"

#include <cstdint>
#include <ostream>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The CSIG tag as bytes of a frame, with its TPID: 4 bytes compact, 8 bytes expanded.
 *
 * Section 4.1 of draft-ravi-ippm-csig-01 (February 2024). It is the last tag of the layer 2 header:
 * after the addresses and all VLAN tags, before the EtherType of the payload.
 *
 * Bytes that are no such tag end nothing: Deserialize() takes none of them, and IsValid() is false
 * from then on. Peek at a packet that may have no tag, before anything is removed.
 */
class CsigHeader : public Header
{
  public:
    /**
     * @brief Get the type ID.
     * @return the type ID
     */
    static TypeId GetTypeId();

    /// Make a compact tag of zeros with the default TPIDs.
    CsigHeader();

    /**
     * @brief Make a tag.
     * @param fields the data fields, each of which must fit its bits
     * @param tpids the TPIDs
     */
    explicit CsigHeader(const CsigFields& fields, const CsigTpids& tpids = {});

    /**
     * @brief Set the data fields; the tag is valid then.
     * @param fields the data fields, each of which must fit its bits
     */
    void SetFields(const CsigFields& fields);

    /**
     * @brief Get the data fields.
     * @return the data fields; those of before if the last bytes were no tag
     */
    const CsigFields& GetFields() const;

    /**
     * @brief Set the TPIDs that are written and recognized.
     * @param tpids two different TPIDs from 0x0600 on
     */
    void SetTpids(const CsigTpids& tpids);

    /**
     * @brief Get the TPIDs.
     * @return the TPIDs
     */
    const CsigTpids& GetTpids() const;

    /**
     * @brief Check whether this is a tag.
     * @return false if the bytes that were last deserialized were none
     */
    bool IsValid() const;

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    CsigFields m_fields;  ///< the data fields
    CsigTpids m_tpids;    ///< the TPIDs
    bool m_isValid{true}; ///< whether this is a tag
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_HEADER_H
