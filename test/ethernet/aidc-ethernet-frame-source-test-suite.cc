// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-hosts.h"
#include "ethernet-pair.h"
#include "test/test-case.h"

#include "ns3/ethernet-port-hooks.h"

#include <boost/endian/conversion.hpp>

// An EthernetNetDevice's frame source.
AIDC_TEST_SUITE("aidc-ethernet-frame-source", UNIT);

/// The size of the source's packets, with their IPv4 header.
constexpr uint32_t SIZE = 1000;

/// Makes some packets of an experimental protocol, as soon as it is asked.
class CountingSource : public EthernetFrameSource
{
  public:
    bool TakeFrame(EthernetNetDevice&, EthernetFrame& frame, FrameContext&) override
    {
        ++nAsked;
        if (!HasFrame())
        {
            return false;
        }
        --nLeft;
        times.push_back(Simulator::Now().GetNanoSeconds());
        Ipv4Bytes& bytes = frame.transit.bytes;
        bytes = {};
        bytes[Ipv4Offset::VERSION] = 0x45;
        bytes[Ipv4Offset::TTL] = 64;
        bytes[Ipv4Offset::PROTOCOL] = 253; // RFC 3692: for experiments
        boost::endian::store_big_u16(&bytes[Ipv4Offset::LENGTH], SIZE);
        boost::endian::store_big_u32(&bytes[Ipv4Offset::SOURCE], Ipv4Address("10.0.0.1").Get());
        boost::endian::store_big_u32(&bytes[Ipv4Offset::DESTINATION],
                                     Ipv4Address("10.0.0.2").Get());
        SetIpv4Checksum(bytes);
        frame.hasTransit = true;
        frame.packet = Create<Packet>(SIZE - static_cast<uint32_t>(bytes.size()));
        return true;
    }

    bool HasFrame() const override
    {
        return nLeft > 0 && !isPaused;
    }

    uint32_t nLeft{0};          //!< packets that are left
    uint32_t nAsked{0};         //!< how often it was asked
    bool isPaused{false};       //!< whether it must not send
    std::vector<int64_t> times; //!< when it made its packets
};

/// Two hosts, one of which has a source beside its queue disc.
struct SourceHosts
{
    SourceHosts()
        : hosts("ns3::FifoQueueDisc"),
          source(CreateObject<CountingSource>()),
          port(hosts.GetPort(0))
    {
        port->SetFrameSource(source);
    }

    EthernetHosts hosts;         //!< the hosts
    Ptr<CountingSource> source;  //!< the source
    Ptr<EthernetNetDevice> port; //!< its port
};

// A source alone has the wire to itself: its packets follow without a gap, each made when the wire
// is free, and it is not asked when it has none.
AIDC_TEST_CASE("Packets are made when the wire is free")
{
    SourceHosts both;
    Simulator::Schedule(NanoSeconds(500), [&] {
        both.source->nLeft = 5;
        both.port->RequestFrame();
        both.port->RequestFrame();
    });
    Simulator::Schedule(MicroSeconds(100), [&] {
        both.source->nLeft = 1;
        both.port->PullFrame();
    });
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(both.source->times.size(), 6, "all");
    for (int64_t i = 0; i < 5; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(both.source->times[i], 500 + i * GetWireTime(SIZE), "packet " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(both.source->times[5], 100000, "at once");
    NS_TEST_EXPECT_MSG_EQ(both.source->nAsked, 6, "only when it has some");
    NS_TEST_EXPECT_MSG_EQ(both.hosts.GetPort(1)->GetStatistics().inUnicastFrames, 6, "arrive");
}

// A source and the queue disc take turns while both have packets; a source that is paused leaves
// the wire to the queue disc.
AIDC_TEST_CASES(bool,
                isPaused,
                isPaused ? "A source that is paused" : "Source and queue disc take turns",
                ({false, true}))
{
    SourceHosts both;
    auto socket = both.hosts.MakeSocket();
    both.source->isPaused = isPaused;
    Simulator::Schedule(Time(0), [&] {
        for (int i = 0; i < 10; ++i)
        {
            socket->SendTo(Create<Packet>(SIZE - 28), 0, InetSocketAddress("10.0.0.2", PORT));
        }
        both.source->nLeft = 10;
        both.port->RequestFrame();
    });
    Simulator::Schedule(MicroSeconds(50), [&] {
        both.source->isPaused = false;
        both.port->RequestFrame();
    });
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(both.source->times.size(), 10, "all of the source");
    NS_TEST_ASSERT_MSG_EQ(both.hosts.datagrams.size(), 10, "all of the stack");
    for (int64_t i = 0; i < 10; ++i)
    {
        // The stack's first packet finds the port idle.
        const int64_t expected =
            isPaused ? 50000 + i * GetWireTime(SIZE) : (2 * i + 1) * GetWireTime(SIZE);
        NS_TEST_EXPECT_MSG_EQ(both.source->times[i], expected, "packet " << i << " of the source");
        NS_TEST_EXPECT_MSG_EQ(both.hosts.datagrams[i].time,
                              ((isPaused ? i : 2 * i) + 1) * GetWireTime(SIZE) - GAP + LINK_DELAY,
                              "packet " << i << " of the stack");
    }
}

// While the link is down, packets are discarded as fast as they would be sent, and no faster.
AIDC_TEST_CASE("A link that is down takes its time")
{
    SourceHosts both;
    const auto channel = DynamicCast<EthernetChannel>(both.port->GetChannel());
    Simulator::Schedule(NanoSeconds(1), [&] {
        channel->Fail();
        both.source->nLeft = 1000;
        both.port->RequestFrame();
    });
    Simulator::Schedule(NanoSeconds(1 + 10 * GetWireTime(SIZE)), [&] {
        NS_TEST_EXPECT_MSG_LT(both.source->times.size(), 12, "one after the other");
        channel->Restore();
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(both.source->times.size(), 1000, "all are taken");
    const uint64_t discarded = both.port->GetStatistics().outDiscards;
    NS_TEST_EXPECT_MSG_GT(discarded, 8, "those of that time");
    NS_TEST_EXPECT_MSG_LT(discarded, 12, "are discarded");
    NS_TEST_EXPECT_MSG_EQ(both.hosts.GetPort(1)->GetStatistics().inUnicastFrames + discarded,
                          1000,
                          "the others arrive");
}
