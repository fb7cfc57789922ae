/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-header.h"

#include "ns3/abort.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(CsigHeader);

TypeId
CsigHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::CsigHeader")
                            .SetParent<Header>()
                            .SetGroupName("Aidc")
                            .AddConstructor<CsigHeader>();
    return tid;
}

CsigHeader::CsigHeader() = default;

CsigHeader::CsigHeader(const CsigFields& fields, const CsigTpids& tpids)
{
    SetTpids(tpids);
    SetFields(fields);
}

void
CsigHeader::SetFields(const CsigFields& fields)
{
    NS_ABORT_MSG_UNLESS(CanEncodeCsig(fields),
                        "The CSIG fields " << fields << " do not fit the bits of their format");
    m_fields = fields;
    m_isValid = true;
}

const CsigFields&
CsigHeader::GetFields() const
{
    return m_fields;
}

void
CsigHeader::SetTpids(const CsigTpids& tpids)
{
    try
    {
        CheckCsigTpids(tpids);
    }
    catch (const std::invalid_argument& error)
    {
        NS_ABORT_MSG(error.what());
    }
    m_tpids = tpids;
}

const CsigTpids&
CsigHeader::GetTpids() const
{
    return m_tpids;
}

bool
CsigHeader::IsValid() const
{
    return m_isValid;
}

TypeId
CsigHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
CsigHeader::GetSerializedSize() const
{
    return GetCsigTagSize(m_fields.format);
}

void
CsigHeader::Serialize(Buffer::Iterator start) const
{
    std::array<uint8_t, CSIG_MAX_TAG_SIZE> bytes;
    const auto size = EncodeCsigTag(m_fields, m_tpids, bytes.data());
    start.Write(bytes.data(), size);
}

uint32_t
CsigHeader::Deserialize(Buffer::Iterator start)
{
    std::array<uint8_t, CSIG_MAX_TAG_SIZE> bytes;
    const auto length = std::min<uint32_t>(start.GetRemainingSize(), bytes.size());
    start.Read(bytes.data(), length);
    const auto fields = DecodeCsigTag(bytes.data(), length, m_tpids);
    m_isValid = fields.has_value();
    if (!m_isValid)
    {
        return 0;
    }
    m_fields = *fields;
    return GetSerializedSize();
}

void
CsigHeader::Print(std::ostream& os) const
{
    if (m_isValid)
    {
        os << m_fields;
    }
    else
    {
        os << "no CSIG tag";
    }
}

} // namespace ns3::aidc
