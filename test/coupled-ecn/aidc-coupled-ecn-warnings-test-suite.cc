// SPDX-License-Identifier: GPL-2.0-only

#include "coupled-ecn-bench.h"
#include "test/buffer/test-buffers.h"
#include "test/test-case.h"

// Configurations of the coupled ECN threshold that are warned of.
AIDC_TEST_SUITE("aidc-coupled-ecn-warnings", UNIT);

// Expected results, B = 1,000,000, alpha 1: a single busy queue gets alpha B / (1 + alpha) =
// 500,000. 500,000 is not warned of, 500,001 is, once for all queues of all buffers, and again in
// another simulation. With a cap of 100,000 it is the cap. A reconfiguration is checked too; static
// modes use no Offset.
AIDC_TEST_CASE("an Offset that exceeds typical buffer allocations is warned of, once a "
               "simulation (section 9)")
{
    const auto count = [](const std::vector<Attributes>& all,
                          const Attributes& limits = {},
                          uint32_t nBuffers = 1) {
        const CapturedStream errors(std::cerr);
        for (uint32_t i = 0; i < nBuffers; ++i)
        {
            auto buffer = MakeBuffer(1000000);
            for (const auto& attributes : all)
            {
                MakeQueueDisc(buffer, attributes, limits);
            }
        }
        Simulator::Destroy();
        return errors.CountLinesWith("warning: Offset");
    };
    const Attributes normal{{"Offset", "500000B"}};
    const Attributes large{{"Offset", "500001B"}};
    NS_TEST_EXPECT_MSG_EQ(count({normal, normal}), 0, "normal");
    NS_TEST_EXPECT_MSG_EQ(count({large}), 1, "large");
    NS_TEST_EXPECT_MSG_EQ(count({large, normal, large}, {}, 3), 1, "once a simulation");
    NS_TEST_EXPECT_MSG_EQ(count({large}), 1, "another simulation");
    NS_TEST_EXPECT_MSG_EQ(count({normal}, {{"Cap", "100000B"}}), 1, "beyond the cap");
    NS_TEST_EXPECT_MSG_EQ(count({{{"Offset", "500001B"}, {"Mode", "StaticStep"}}}), 0, "static");

    const CapturedStream errors(std::cerr);
    auto queueDisc = MakeQueueDisc(MakeBuffer(1000000), normal);
    NS_TEST_EXPECT_MSG_EQ(errors.GetText(), "", "normal");
    queueDisc->SetAttribute("Offset", StringValue("600000B"));
    NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("600000"), 1, "it says how large");
    NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("500000"), 1, "it says what is typical");
}

/// Set an attribute of objects. warning: what is warned of, once; empty if nothing.
void
Expect(const std::vector<Ptr<Object>>& objects,
       const std::string& name,
       const std::string& value,
       const std::string& warning)
{
    const CapturedStream errors(std::cerr);
    for (const auto& object : objects)
    {
        object->SetAttribute(name, StringValue(value));
    }
    NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("warning"), !warning.empty(), name);
    AIDC_EXPECT(errors.GetText().find(warning) != std::string::npos,
                name << ": " << errors.GetText());
}

// What makes an Offset too large is warned of whenever it changes, with the values.
//
// Expected results, B = 1,000,000, 300 queues of Offset 400,000, 100 Gbit/s and an Mtu of 1500.
// Each step changes all queues alike and leads to one more warning, if it leads to any:
//  alpha 1: 500,000 for a single busy queue: none.
//  alpha 0.5: 333,333: a warning. A cap of 300,000: another one. Size 800,000, of which a queue
// gets 266,666: another one. Size 3,000,000: the cap's again, said already; without it 1,000,000:
//  none. Rtt 100 us: Offset 1,250,000 + 1500: a warning. Mtu 9000: Offset 1,259,000: another one.
//  Rtt 0 and Offset 2 MB: another one. Offset 400,000: none. Offset 2 MB again: said already.
AIDC_TEST_CASE("the warning about Offset comes again when alpha, cap, size or MTU change, once "
               "for all queues that are alike (section 9)")
{
    auto buffer = MakeBuffer(1000000);
    std::vector<Ptr<Object>> discs;
    std::vector<Ptr<Object>> shares;
    {
        const CapturedStream errors(std::cerr);
        for (int i = 0; i < 300; ++i)
        {
            auto queueDisc =
                MakeQueueDisc(buffer,
                              {{"Offset", "400000B"}, {"LinkRate", "100Gbps"}, {"Mtu", "1500"}});
            discs.push_back(queueDisc);
            shares.push_back(queueDisc->GetBufferQueue());
        }
        NS_TEST_EXPECT_MSG_EQ(errors.GetText(), "", "500000");
    }
    Expect(shares, "Alpha", "0.5", "400000 bytes, more than the 333333");
    Expect(shares, "Cap", "300000B", "400000 bytes, more than the 300000");
    Expect({buffer}, "Size", "800000B", "400000 bytes, more than the 266666");
    Expect({buffer}, "Size", "3000000B", ""); // the cap's, said already
    Expect(shares, "Cap", "0B", "");
    Expect(discs, "Rtt", "100us", "1251500 bytes, more than the 1000000");
    Expect(discs, "Mtu", "9000", "1259000 bytes, more than the 1000000");
    Expect(discs, "Rtt", "0s", "");
    Expect(discs, "Offset", "2MB", "2000000 bytes, more than the 1000000");
    Expect(discs, "Offset", "400000B", "");
    Expect(discs, "Offset", "2MB", ""); // said already
}

// Expected results, B = 1,000,000, alpha 1, EcnFloor 30,000, packets of 1000, in an empty switch.
//  Offset 500,001: ECN_Thrd = 1,000,000 - q - 500,001 falls to q at 249,999.5: from 250,000 on.
//  Offset 500,000 and a cap of 100,000: from EcnFloor on. With a cap of 20,000, which is below
//  EcnFloor: from 20,000 on.
AIDC_TEST_CASE("the warning about Offset says from where on a single busy queue is marked")
{
    const auto expect = [this](const std::string& offset,
                               const std::string& cap,
                               const std::string& from,
                               uint32_t firstMarked) {
        const CapturedStream errors(std::cerr);
        auto queueDisc = MakeQueueDisc(MakeBuffer(1000000),
                                       {{"Offset", offset}, {"EcnFloor", "30kB"}},
                                       {{"Cap", cap}});
        NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("is marked from " + from + " bytes on"),
                              1,
                              errors.GetText());
        NS_TEST_EXPECT_MSG_EQ(Flood(queueDisc, Ipv4With(ECT0)).firstMarked, firstMarked, cap);
        Simulator::Destroy();
    };
    expect("500001B", "0B", "250000", 250);
    expect("500000B", "100kB", "30000", 30);
    expect("500000B", "20kB", "20000", 20);
}

// An EcnFloor that a queue cannot grow beyond is warned of. Expected results. A cap of 50,000 and
// an EcnFloor of 60,000: always region C, and of packets of 1500 bytes 33 are admitted, 49,500
// bytes, and none is marked before the first drop. From an EcnFloor of 50,000 on it is warned of. B
// = 1,000,000 and alpha 1 leave a single busy queue 500,000, or, of which it has 100,000 reserved,
// 100,000 + 900,000 / 2 = 550,000. Static modes use no EcnFloor.
AIDC_TEST_CASE("an EcnFloor that leaves region C only is warned of, once a simulation (section 9)")
{
    const auto warns = [](const Attributes& attributes, const Attributes& limits) {
        const CapturedStream errors(std::cerr);
        auto buffer = MakeBuffer(1000000);
        for (int i = 0; i < 3; ++i)
        {
            auto all = attributes;
            all.emplace_back("Offset", "1500B");
            MakeQueueDisc(buffer, all, limits);
        }
        Simulator::Destroy();
        return errors.CountLinesWith("warning: EcnFloor");
    };
    const Attributes cap{{"Cap", "50kB"}};
    NS_TEST_EXPECT_MSG_EQ(warns({{"EcnFloor", "60kB"}}, cap), 1, "once for all queues");
    NS_TEST_EXPECT_MSG_EQ(warns({{"EcnFloor", "50000B"}}, cap), 1, "no headroom");
    NS_TEST_EXPECT_MSG_EQ(warns({{"EcnFloor", "49999B"}}, cap), 0, "within the cap");
    NS_TEST_EXPECT_MSG_EQ(warns({{"EcnFloor", "60kB"}, {"Mode", "StaticStep"}}, cap),
                          0,
                          "StaticStep has no floor");
    NS_TEST_EXPECT_MSG_EQ(warns({{"EcnFloor", "500000B"}}, {}), 1, "alpha B / (1 + alpha)");
    NS_TEST_EXPECT_MSG_EQ(warns({{"EcnFloor", "499999B"}}, {}), 0, "less");
    const Attributes reserved{{"Reserved", "100kB"}};
    NS_TEST_EXPECT_MSG_EQ(warns({{"EcnFloor", "550000B"}}, reserved), 1, "and reserved");
    NS_TEST_EXPECT_MSG_EQ(warns({{"EcnFloor", "549999B"}}, reserved), 0, "less");

    const CapturedStream errors(std::cerr);
    auto queueDisc =
        MakeQueueDisc(MakeBuffer(1000000), {{"EcnFloor", "60kB"}, {"Offset", "1500B"}});
    NS_TEST_EXPECT_MSG_EQ(errors.GetText(), "", "without a cap");
    queueDisc->GetBufferQueue()->SetAttribute("Cap", StringValue("50kB"));
    NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("EcnFloor is 60000 bytes, not below the 50000"),
                          1,
                          errors.GetText());
    const auto flooded = Flood(queueDisc, Ipv4With(ECT0), 1500);
    NS_TEST_EXPECT_MSG_EQ(ToChar(queueDisc->GetQueue()->GetRegion()), 'C', "as the warning says");
    NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, 33, "49,500 bytes");
    NS_TEST_EXPECT_MSG_EQ(flooded.firstMarked, 0, "none before the first drop");
}
