/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-attribute-encoder.h"

#include <vector>

namespace ns3::aidc
{

BgpAttributeWriter::BgpAttributeWriter(BgpBytes& bytes)
    : m_bytes(bytes)
{
}

void
BgpAttributeWriter::Begin(uint8_t flags, uint8_t type)
{
    m_begin = m_bytes.size();
    m_bytes.push_back(flags);
    m_bytes.push_back(type);
    m_bytes.push_back(0);
}

void
BgpAttributeWriter::End()
{
    const std::size_t length = m_bytes.size() - m_begin - 3;
    m_bytes[m_begin + 2] = static_cast<uint8_t>(length);
    if (length > 0xff)
    {
        m_bytes[m_begin] |= BgpAttributeFlag::EXTENDED_LENGTH;
        m_bytes.insert(m_bytes.begin() + static_cast<std::ptrdiff_t>(m_begin) + 2,
                       static_cast<uint8_t>(length >> 8));
    }
}

namespace
{

/// Writes the attributes of routes, which come in the order of their types.
class AttributesWriter
{
  public:
    /**
     * @brief Constructor.
     * @param [in,out] bytes what to append to
     * @param attributes the attributes
     */
    AttributesWriter(BgpBytes& bytes, const BgpPathAttributes& attributes)
        : m_bytes(bytes),
          m_writer(bytes),
          m_attributes(attributes)
    {
    }

    /**
     * @brief Begin an attribute, behind unknown ones of lower types.
     * @param type its type
     */
    void Begin(BgpAttributeType type)
    {
        const auto number = static_cast<uint8_t>(type);
        WriteUnknownBelow(number);
        const bool isPartial = (m_attributes.partial >> number & 1) != 0;
        m_writer.Begin(GetBgpAttributeInfo(number).flags |
                           (isPartial ? BgpAttributeFlag::PARTIAL : 0),
                       number);
    }

    /// End the attribute.
    void End()
    {
        m_writer.End();
    }

    /**
     * @brief Write an attribute that is a number.
     * @param type its type
     * @param number the number
     */
    void Write(BgpAttributeType type, uint32_t number)
    {
        Begin(type);
        AppendBgp(m_bytes, number);
        End();
    }

    /**
     * @brief Write an attribute that is a list, unless it is empty.
     * @tparam T the type of the elements
     * @tparam Append a callable: const T& -> void, appends an element
     * @param type its type
     * @param list the elements
     * @param append appends an element
     */
    template <typename T, typename Append>
    void WriteList(BgpAttributeType type, const std::vector<T>& list, const Append& append)
    {
        if (!list.empty())
        {
            Begin(type);
            for (const T& element : list)
            {
                append(element);
            }
            End();
        }
    }

    /**
     * @brief Write the unknown attributes of lower types that have not been written.
     * @param type the type, 256 for all
     */
    void WriteUnknownBelow(uint32_t type)
    {
        for (; m_nUnknown < m_attributes.unknown.size() &&
               m_attributes.unknown[m_nUnknown].type < type;
             ++m_nUnknown)
        {
            m_writer.Begin(BgpAttributeFlag::OPTIONAL | BgpAttributeFlag::TRANSITIVE |
                               BgpAttributeFlag::PARTIAL,
                           m_attributes.unknown[m_nUnknown].type);
            AppendBgpBytes(m_bytes, m_attributes.unknown[m_nUnknown].value);
            m_writer.End();
        }
    }

  private:
    BgpBytes& m_bytes;                     //!< what is appended to
    BgpAttributeWriter m_writer;           //!< writes an attribute
    const BgpPathAttributes& m_attributes; //!< the attributes
    std::size_t m_nUnknown{0};             //!< unknown attributes that have been written
};

} // namespace

void
AppendBgpPathAttributes(BgpBytes& bytes,
                        const BgpPathAttributes& attributes,
                        bool hasNextHop,
                        const BgpSessionOptions& options)
{
    using Type = BgpAttributeType;
    const bool isInternal = options.peerType == BgpPeerType::INTERNAL;
    const bool isFourOctet = options.isFourOctetAs;
    AttributesWriter writer(bytes, attributes);

    writer.Begin(Type::ORIGIN);
    bytes.push_back(static_cast<uint8_t>(attributes.origin));
    writer.End();
    writer.Begin(Type::AS_PATH);
    AppendBgpAsPath(bytes, attributes.asPath, isFourOctet);
    writer.End();
    if (hasNextHop)
    {
        writer.Write(Type::NEXT_HOP, attributes.nextHop);
    }
    if (attributes.multiExitDisc)
    {
        writer.Write(Type::MULTI_EXIT_DISC, *attributes.multiExitDisc);
    }
    if (attributes.localPref && !options.IsExternal())
    {
        writer.Write(Type::LOCAL_PREF, *attributes.localPref);
    }
    if (attributes.isAtomicAggregate)
    {
        writer.Begin(Type::ATOMIC_AGGREGATE);
        writer.End();
    }
    const auto& aggregator = attributes.aggregator;
    const bool needsAs4Aggregator = !isFourOctet && aggregator && aggregator->as > 0xffff;
    if (aggregator)
    {
        writer.Begin(Type::AGGREGATOR);
        if (isFourOctet)
        {
            AppendBgp(bytes, aggregator->as);
        }
        else
        {
            AppendBgp(bytes,
                      static_cast<uint16_t>(needsAs4Aggregator ? BGP_AS_TRANS : aggregator->as));
        }
        AppendBgp(bytes, aggregator->address);
        writer.End();
    }
    const auto appendNumber = [&bytes](uint32_t number) { AppendBgp(bytes, number); };
    writer.WriteList(Type::COMMUNITIES, attributes.communities, appendNumber);
    if (attributes.originatorId && isInternal)
    {
        writer.Write(Type::ORIGINATOR_ID, *attributes.originatorId);
    }
    if (isInternal)
    {
        writer.WriteList(Type::CLUSTER_LIST, attributes.clusterList, appendNumber);
    }
    writer.WriteList(
        Type::EXTENDED_COMMUNITIES,
        attributes.extendedCommunities,
        [&bytes](const BgpExtendedCommunity& community) { AppendBgp(bytes, community.value); });
    if (!isFourOctet && NeedsBgpAs4Path(attributes.asPath))
    {
        writer.Begin(Type::AS4_PATH);
        AppendBgpAsPath(bytes, GetBgpPathOutsideConfederation(attributes.asPath), true);
        writer.End();
    }
    if (needsAs4Aggregator)
    {
        writer.Begin(Type::AS4_AGGREGATOR);
        AppendBgp(bytes, aggregator->as);
        AppendBgp(bytes, aggregator->address);
        writer.End();
    }
    writer.WriteList(Type::LARGE_COMMUNITIES,
                     attributes.largeCommunities,
                     [&bytes](const BgpLargeCommunity& community) {
                         AppendBgp(bytes, community.global);
                         AppendBgp(bytes, community.local1);
                         AppendBgp(bytes, community.local2);
                     });
    writer.WriteUnknownBelow(256);
}

} // namespace ns3::aidc
