// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "tunnel-network.h"

#include "ns3/ip-tunnel-endpoint.h"

// Reassembly at the exits of tunnels.
AIDC_TEST_SUITE("aidc-ip-tunnel-fragments", UNIT);

using N = TunnelNetwork;

/// ECN fields, in the order of the fragments
using Fields = std::vector<uint8_t>;

/// Get the ECN field with which an inner ECT(0) leaves the tunnel. RFC 3168, section 5.3, for the
/// outer packet: "if any fragment of an IP packet to be reassembled has the CE codepoint set", the
/// result has CE, or is dropped if another fragment has Not-ECT. Then RFC 6040, figure 4, row
/// ECT(0). The RFC has no rule for mixtures without CE: Not-ECT, otherwise ECT(1), is what
/// tunnel-ecn.h says. Returns the field; none if the packet is dropped.
std::optional<uint8_t>
GetExpected(const Fields& fragments)
{
    const auto has = [&fragments](uint8_t field) {
        return std::find(fragments.begin(), fragments.end(), field) != fragments.end();
    };
    if (has(0b11))
    {
        return has(0b00) ? std::nullopt : std::optional<uint8_t>(0b11);
    }
    return has(0b01) && !has(0b00) ? 0b01 : 0b10;
}

std::vector<Fields>
AllCombinations(std::size_t size)
{
    std::vector<Fields> all;
    for (uint32_t i = 0; i < 1U << (2 * size); ++i)
    {
        Fields fields;
        for (std::size_t j = 0; j < size; ++j)
        {
            fields.push_back(i >> (2 * j) & 3);
        }
        all.push_back(fields);
    }
    return all;
}

/// An outer packet around a datagram of 100 bytes with ECT(0), cut into fragments.
std::vector<Bytes>
MakeOuterFragments(uint16_t identification, const Fields& fields)
{
    DatagramSpec spec;
    spec.tos = 0b10;
    spec.fragment = 0;
    spec.identification = identification;
    const Bytes inner = MakeDatagram(spec);
    constexpr std::size_t CUT = 32; // bytes, a multiple of 8
    std::vector<Bytes> fragments;
    for (std::size_t i = 0; i < fields.size(); ++i)
    {
        const bool isLast = i + 1 == fields.size();
        const std::size_t end = isLast ? inner.size() : (i + 1) * CUT;
        Ipv4Bytes header{0x45, fields[i], 0,   0, 0, 0, 0,   0, 64, 4,
                         0,    0,         192, 0, 2, 1, 192, 0, 2,  2};
        header[Ipv4Offset::LENGTH + 1] = static_cast<uint8_t>(20 + end - i * CUT);
        header[Ipv4Offset::IDENTIFIER] = static_cast<uint8_t>(identification >> 8);
        header[Ipv4Offset::IDENTIFIER + 1] = static_cast<uint8_t>(identification);
        header[Ipv4Offset::FRAGMENT] = isLast ? 0 : 0x20;
        header[Ipv4Offset::FRAGMENT + 1] = static_cast<uint8_t>(i * CUT / 8);
        SetIpv4Checksum(header);
        fragments.emplace_back(header.begin(), header.end());
        fragments.back().insert(fragments.back().end(),
                                inner.begin() + static_cast<std::ptrdiff_t>(i * CUT),
                                inner.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return fragments;
}

/// Sends fragments from C1 to P2, and counts what leaves there.
class FragmentsNetwork
{
  public:
    explicit FragmentsNetwork(SwitchDatapath::Mode mode)
        : m_network(MakeSettings(mode))
    {
    }

    void Send(const Bytes& bytes, Time when)
    {
        const auto port = m_network.GetPort(N::C1, N::P2);
        Simulator::ScheduleWithContext(port->GetNode()->GetId(), when, [port, bytes] {
            port->Send(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                       port->GetBroadcast(),
                       0x0800);
        });
    }

    std::map<uint32_t, uint8_t> GetFields()
    {
        std::map<uint32_t, uint8_t> fields;
        for (const auto& packet : m_network.sent[{N::P2, N::B}])
        {
            fields[Get16(packet.bytes, 4)] = packet.bytes[1] & 3;
        }
        return fields;
    }

    /// Returns the counters of P2.
    const IpTunnelEndpointStatistics& GetStatistics() const
    {
        return m_network.nodes.Get(N::P2)->GetObject<IpTunnelEndpoint>()->GetStatistics();
    }

  private:
    static N::Settings MakeSettings(SwitchDatapath::Mode mode)
    {
        N::Settings settings;
        settings.mode = mode;
        return settings;
    }

    N m_network; //!< the network
};

// All combinations of two and three fragments, in all orders of arrival.
AIDC_DATAPATH_TEST_CASES("RFC 3168, 5.3: all combinations of fragments")
{
    FragmentsNetwork network(mode);
    std::map<uint32_t, uint8_t> expected;
    uint64_t nDropped = 0;
    uint16_t identification = 0;
    for (const std::size_t size : {2, 3})
    {
        for (const auto& fields : AllCombinations(size))
        {
            std::vector<std::size_t> order(size);
            std::iota(order.begin(), order.end(), 0);
            do
            {
                ++identification;
                const auto fragments = MakeOuterFragments(identification, fields);
                for (std::size_t i = 0; i < size; ++i)
                {
                    network.Send(fragments[order[i]], MicroSeconds(10 * identification + i));
                }
                const auto field = GetExpected(fields);
                nDropped += field ? 0 : 1;
                if (field)
                {
                    expected[identification] = *field;
                }
            } while (std::next_permutation(order.begin(), order.end()));
        }
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(+identification, 16 * 2 + 64 * 6, "packets");
    const auto fields = network.GetFields();
    NS_TEST_ASSERT_MSG_EQ(fields.size(), expected.size(), "packets that are not dropped");
    for (const auto& [number, field] : expected)
    {
        NS_TEST_ASSERT_MSG_EQ(fields.count(number), 1, "packet " << number);
        NS_TEST_EXPECT_MSG_EQ(+fields.at(number), +field, "packet " << number);
    }
    NS_TEST_EXPECT_MSG_EQ(network.GetStatistics().mixedEcn, nDropped, "counted");
}

// Fragments do not count for another packet of their identification.
AIDC_DATAPATH_TEST_CASES("fragments of other packets do not count")
{
    FragmentsNetwork network(mode);
    constexpr uint8_t CE = 3;
    constexpr uint8_t ECT_0 = 2;
    // A whole packet with the identification of one whose fragments are incomplete
    network.Send(MakeOuterFragments(1, {CE, ECT_0})[0], Seconds(1));
    network.Send(MakeOuterFragments(1, {ECT_0})[0], Seconds(2));
    // Two packets of an identification, more than 30 s apart: the stack has forgotten the first
    network.Send(MakeOuterFragments(2, {CE, ECT_0})[0], Seconds(1));
    network.Send(MakeOuterFragments(2, {ECT_0, ECT_0})[0], Seconds(40));
    network.Send(MakeOuterFragments(2, {ECT_0, ECT_0})[1], Seconds(41));
    // A fragment that is damaged, and comes again
    auto damaged = MakeOuterFragments(3, {CE, ECT_0})[0];
    damaged[8] ^= 1; // the TTL
    network.Send(damaged, Seconds(50));
    network.Send(MakeOuterFragments(3, {ECT_0, ECT_0})[0], Seconds(51));
    network.Send(MakeOuterFragments(3, {ECT_0, ECT_0})[1], Seconds(52));
    Simulator::Run();
    const auto fields = network.GetFields();
    NS_TEST_ASSERT_MSG_EQ(fields.size(), 3, "packets");
    for (const auto& [number, field] : fields)
    {
        NS_TEST_EXPECT_MSG_EQ(+field, +ECT_0, "packet " << number);
    }
}
