// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-path-attributes.h"

#include "../mix-bits.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

namespace ns3::aidc
{

bool
HasBgpCommunity(const std::vector<uint32_t>& communities, uint32_t community)
{
    return std::find(communities.begin(), communities.end(), community) != communities.end();
}

void
AddBgpCommunity(std::vector<uint32_t>& communities, uint32_t community)
{
    if (!HasBgpCommunity(communities, community))
    {
        communities.push_back(community);
    }
}

std::ostream&
operator<<(std::ostream& os, const BgpExtendedCommunity& community)
{
    os << "0x";
    for (int shift = 60; shift >= 0; shift -= 4)
    {
        os << "0123456789abcdef"[community.value >> shift & 0xf];
    }
    return os;
}

void
RemoveNonTransitive(std::vector<BgpExtendedCommunity>& communities)
{
    communities.erase(
        std::remove_if(communities.begin(),
                       communities.end(),
                       [](const auto& community) { return !community.IsTransitive(); }),
        communities.end());
}

namespace
{

/// Takes the members of attributes one after the other.
class Hash
{
  public:
    /// Take a number.
    void Add(uint64_t part)
    {
        m_value = MixBits(m_value ^ part);
    }

    /// Take the type of a segment, or an origin.
    template <typename T>
    std::enable_if_t<std::is_enum_v<T>> Add(T part)
    {
        Add(static_cast<uint64_t>(part));
    }

    /// Take a structure, member by member.
    template <typename T>
    auto Add(const T& part) -> decltype(part.Tie(), void())
    {
        std::apply([this](const auto&... members) { (Add(members), ...); }, part.Tie());
    }

    /// Take what may be missing.
    template <typename T>
    void Add(const std::optional<T>& part)
    {
        Add(uint64_t{part.has_value()});
        if (part)
        {
            Add(*part);
        }
    }

    /// Take a list, and how long it is.
    template <typename T>
    void Add(const std::vector<T>& part)
    {
        Add(uint64_t{part.size()});
        for (const T& element : part)
        {
            Add(element);
        }
    }

    uint64_t Get() const
    {
        return m_value;
    }

  private:
    uint64_t m_value{0}; //!< the hash so far
};

} // namespace

uint64_t
HashBgpPathAttributes(const BgpPathAttributes& attributes)
{
    Hash hash;
    hash.Add(attributes);
    return hash.Get();
}

BgpSharedAttributes
BgpAttributePool::Intern(BgpPathAttributes attributes)
{
    const uint64_t hash = HashBgpPathAttributes(attributes);
    const auto [begin, end] = m_objects.equal_range(hash);
    const auto known = std::find_if(begin, end, [&attributes](const auto& entry) {
        return *entry.second == attributes;
    });
    if (known != end)
    {
        return known->second;
    }
    if (m_objects.size() >= m_nextSweep)
    {
        Sweep();
    }
    auto object = std::make_shared<const BgpPathAttributes>(std::move(attributes));
    m_objects.emplace(hash, object);
    return object;
}

void
BgpAttributePool::Sweep()
{
    for (auto entry = m_objects.begin(); entry != m_objects.end();)
    {
        entry = entry->second.use_count() == 1 ? m_objects.erase(entry) : std::next(entry);
    }
    m_nextSweep = std::max(MIN_SWEEP, 2 * m_objects.size());
}

} // namespace ns3::aidc
