// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/shared-buffer.h"
#include "ns3/tcp-flow-helper.h"
#include "ns3/user-default.h"

// What users, helpers and classes set as defaults, and who wins.
AIDC_TEST_SUITE("aidc-user-defaults", UNIT);

/// An attribute with its class
const std::string CWND = "ns3::TcpSocket::InitialCwnd";

std::string
GetDefault(const std::string& type, const std::string& name)
{
    TypeId::AttributeInformation information;
    TypeId::LookupByName(type).LookupAttributeByName(name, &information);
    return information.initialValue->SerializeToString(information.checker);
}

// A default is the user's if somebody has set it, whatever its value, unless it is a preset.
AIDC_TEST_CASE("defaults of the user, of classes and of presets")
{
    const std::string size = "ns3::aidc::SharedBuffer::Size";
    AIDC_EXPECT(!HasUserDefault(size), "nobody has set it");
    Config::SetDefault(size, StringValue(GetDefault("ns3::aidc::SharedBuffer", "Size")));
    AIDC_EXPECT(HasUserDefault(size), "the same value, but set");
    Config::SetDefault("ns3::aidc::SharedBufferQueueDisc::LinkRate", StringValue("3Mbps"));
    const auto base =
        GetUserDefault(TypeId::LookupByName("ns3::aidc::CoupledEcnQueueDisc"), "LinkRate");
    AIDC_EXPECT(static_cast<bool>(base), "an attribute of the base class");
    Config::Reset();
    AIDC_EXPECT(!HasUserDefault(size), "after Config::Reset()");
    AIDC_EXPECT(!HasUserDefault("ns3::aidc::NoSuchClass::Size"), "no class");
    AIDC_EXPECT(!HasUserDefault("ns3::aidc::SharedBuffer::Sise"), "no name");

    SetPreset(CWND, UintegerValue(12));
    NS_TEST_EXPECT_MSG_EQ(GetDefault("ns3::TcpSocket", "InitialCwnd"), "12", "a preset");
    AIDC_EXPECT(!HasUserDefault(CWND), "which is no user's");
    SetPreset(CWND, UintegerValue(13));
    NS_TEST_EXPECT_MSG_EQ(GetDefault("ns3::TcpSocket", "InitialCwnd"), "13", "another one");
    Config::SetDefault(CWND, UintegerValue(14));
    AIDC_EXPECT(HasUserDefault(CWND), "the user after it");
    SetPreset(CWND, UintegerValue(15));
    NS_TEST_EXPECT_MSG_EQ(GetDefault("ns3::TcpSocket", "InitialCwnd"), "14", "the user's");
}

// Objects and factories get what is derived where the user has set nothing; what differs from
// object to object is refused.
AIDC_TEST_CASE("derived values stand back behind defaults of the user")
{
    ObjectFactory factory("ns3::aidc::SharedBufferQueue");
    SetDerived(factory, "Alpha", DoubleValue(4));
    auto queue = factory.Create<Object>();
    DoubleValue alpha;
    queue->GetAttribute("Alpha", alpha);
    NS_TEST_EXPECT_MSG_EQ(alpha.Get(), 4, "derived by a factory");
    SetDerived(*queue, "Alpha", DoubleValue(2));
    queue->GetAttribute("Alpha", alpha);
    NS_TEST_EXPECT_MSG_EQ(alpha.Get(), 2, "derived for an object");

    Config::SetDefault("ns3::aidc::SharedBufferQueue::Alpha", DoubleValue(8));
    ObjectFactory second("ns3::aidc::SharedBufferQueue");
    SetDerived(second, "Alpha", DoubleValue(4));
    queue = second.Create<Object>();
    SetDerived(*queue, "Alpha", DoubleValue(2));
    queue->GetAttribute("Alpha", alpha);
    NS_TEST_EXPECT_MSG_EQ(alpha.Get(), 8, "the user's");

    const std::string error = MessageOf([&] {
        RefuseUserDefaults("ns3::aidc::SharedBufferQueue", {"Cap", "Alpha"}, "somebody else");
    });
    NS_TEST_EXPECT_MSG_EQ(error,
                          "ns3::aidc::SharedBufferQueue::Alpha: expected to be left to "
                          "somebody else, found a default of the user",
                          "refused");
}

/// Get the size of a host's queue disc.
QueueSize
GetHostQueueSize(FabricHelper& network)
{
    network.Build(MakeLeafSpine(LeafSpineSettings()));
    network.AssignAddresses();
    const auto host = network.GetHosts().Get(0);
    const auto queueDisc =
        host->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(host->GetDevice(0));
    const auto size = queueDisc->GetMaxSize();
    Simulator::Destroy();
    return size;
}

void
CheckHostQueues()
{
    FabricHelper plain;
    NS_TEST_EXPECT_MSG_EQ(GetHostQueueSize(plain), QueueSize("100000p"), "nothing is set");
    Config::SetDefault("ns3::FifoQueueDisc::MaxSize", StringValue("50p"));
    FabricHelper users;
    NS_TEST_EXPECT_MSG_EQ(GetHostQueueSize(users), QueueSize("50p"), "the user's");
    FabricHelper told;
    told.SetHostQueueSize(QueueSize("70p"));
    NS_TEST_EXPECT_MSG_EQ(GetHostQueueSize(told), QueueSize("70p"), "the program's");
}

// Networks and TCP as the user's defaults have them.
AIDC_TEST_CASE("FabricHelper and ConfigureDctcp() keep the user's defaults")
{
    CheckHostQueues();
    NS_TEST_EXPECT_MSG_EQ(FabricHelper().GetMtu(), 9000, "nothing is set");
    Config::SetDefault("ns3::aidc::EthernetNetDevice::Mtu", UintegerValue(1500));
    Config::SetDefault("ns3::aidc::SwitchDatapath::OrderedArrivals", StringValue("false"));
    Config::SetDefault("ns3::aidc::SwitchDatapath::Mode", StringValue("Stack"));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", StringValue("7ms"));
    ConfigureDctcp();
    NS_TEST_EXPECT_MSG_EQ(GetDefault("ns3::TcpSocketBase", "MinRto"), "+7e+06ns", "the user's");
    NS_TEST_EXPECT_MSG_EQ(GetDefault("ns3::TcpSocketBase", "Sack"), "true", "a first call");
    DctcpSettings settings;
    settings.useSack = false;
    ConfigureDctcp(settings);
    NS_TEST_EXPECT_MSG_EQ(GetDefault("ns3::TcpSocketBase", "Sack"), "false", "a second call");

    FabricHelper network;
    network.Build(MakeLeafSpine(LeafSpineSettings()));
    network.AssignAddresses();
    const auto leaf = network.GetSwitches().Get(0);
    NS_TEST_EXPECT_MSG_EQ(network.GetMtu(), 1500, "the user's MTU");
    NS_TEST_EXPECT_MSG_EQ(leaf->GetDevice(0)->GetMtu(), 1500, "of devices, too");
    StringValue text;
    leaf->GetObject<SwitchDatapath>()->GetAttribute("OrderedArrivals", text);
    NS_TEST_EXPECT_MSG_EQ(text.Get(), "false", "the user's");
    leaf->GetObject<SwitchDatapath>()->GetAttribute("Mode", text);
    NS_TEST_EXPECT_MSG_EQ(text.Get(), "Stack", "the user's");
    Simulator::Destroy();

    Config::SetDefault("ns3::aidc::EthernetChannel::Delay", StringValue("1ms"));
    const std::string error =
        MessageOf([&] { FabricHelper().Build(MakeLeafSpine(LeafSpineSettings())); });
    NS_TEST_EXPECT_MSG_EQ(error.substr(0, 34), "ns3::aidc::EthernetChannel::Delay:", error);
}
