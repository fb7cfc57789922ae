// SPDX-License-Identifier: GPL-2.0-only

#include "experiments.h"
#include "installed-objects.h"
#include "other-values.h"
#include "test/test-case.h"

#include "ns3/marking-queue.h"
#include "ns3/user-default.h"

#include <cctype>
#include <filesystem>

// Attributes on the command line of experiments.
AIDC_TEST_SUITE("aidc-experiment-attributes", UNIT);

/// Names and texts: options, or attributes
using Texts = std::map<std::string, std::string>;

/// What ends a run when its network is there.
struct Built
{
};

/// Get the names of the attributes that a user can set, of a class and its bases.
Texts
GetSettings(TypeId type)
{
    Texts settings;
    if (type.IsChildOf(MarkingQueue::GetTypeId()))
    {
        // A queue in a port has the defaults of its queue disc.
        settings = GetSettings(TypeId::LookupByName(type.GetName() + "Disc"));
        type = SharedBufferQueue::GetTypeId();
    }
    for (auto tid = type; tid.HasParent(); tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const auto attribute = tid.GetAttribute(i);
            const bool isText = GetValueType(*attribute.checker) != "PointerValue";
            if (tid.GetName().rfind("ns3::aidc::", 0) == 0 && isText &&
                (attribute.flags & TypeId::ATTR_CONSTRUCT) && attribute.accessor->HasSetter())
            {
                settings[tid.GetName() + "::" + attribute.name] = FindOtherValue(tid, attribute);
            }
        }
    }
    return settings;
}

/// What a user sets of an attribute is what the objects of an experiment have, or is refused in
/// words that name the attribute. The network of a run is built twice: once as it is, to know which
/// objects there are, and with other values of all of their attributes, as on the command line. An
/// attribute that is refused is left out then.
class InstalledAttributesTestCase : public TestCase
{
  public:
    using Make = std::function<std::unique_ptr<ExperimentBase>()>;

    InstalledAttributesTestCase(const std::string& name,
                                Make make,
                                const Texts& options,
                                const std::set<std::string>& classes)
        : TestCase("Attributes of " + name + Print(options)),
          m_make(std::move(make)),
          m_options(options),
          m_classes(classes)
    {
    }

  private:
    static std::string Print(const Texts& options)
    {
        std::string text;
        for (const auto& [name, value] : options)
        {
            if (name != "topology") // whose slashes no name of a test may have
            {
                text += " --" + name + "=" + value;
            }
        }
        return text;
    }

    /// Build the network of the run. Returns the error, empty if there is none.
    std::string Build(const Texts& attributes, const std::function<void()>& look)
    {
        TimeWindowHelper::Disable();
        Simulator::Schedule(Time(), [look] {
            look();
            throw Built();
        });
        std::string error;
        try
        {
            const CapturedStream out(std::cout); // errors are seen if they end the program

            const auto experiment = m_make();
            auto options = m_options;
            options.insert({{"small", "true"}, {"simulator", "default"}});
            for (const auto& [name, text] : options)
            {
                experiment->Set(name, text);
            }
            for (const auto& [name, text] : attributes)
            {
                Config::SetDefault(name, StringValue(text)); // as the command line in the end
            }
            experiment->Run();
            error = "the run has not reached its simulation";
        }
        catch (const Built&)
        {
        }
        catch (const std::runtime_error& refused)
        {
            error = refused.what();
        }
        Simulator::Destroy();
        Config::Reset();
        return error;
    }

    void DoRun() override
    {
        Texts settings;
        std::set<std::string> classes;
        const auto error = Build({}, [&] {
            for (const auto& object : InstalledObjects::Find())
            {
                if (classes.insert(object->GetInstanceTypeId().GetName()).second)
                {
                    settings.merge(GetSettings(object->GetInstanceTypeId()));
                }
            }
        });
        NS_TEST_ASSERT_MSG_EQ(error, "", "a run without settings");
        for (const auto& name : m_classes)
        {
            NS_TEST_EXPECT_MSG_EQ(classes.count("ns3::aidc::" + name), 1, name << " is seen");
        }
        std::size_t nRefused = 0;
        for (auto it = settings.begin(); it != settings.end();)
        {
            NS_TEST_EXPECT_MSG_NE(it->second, "", "no other value of " << it->first << " is known");
            it = it->second.empty() ? settings.erase(it) : std::next(it);
        }
        while (true)
        {
            const auto refused = Build(settings, [&] { Compare(settings); });
            const auto found = FindNamed(settings, refused);
            if (found.empty())
            {
                NS_TEST_EXPECT_MSG_EQ(refused, "", "an error that names no attribute");
                break;
            }
            for (const auto& name : found)
            {
                settings.erase(name);
                ++nRefused;
            }
        }
        NS_TEST_EXPECT_MSG_GT(settings.size(), 2 * nRefused, "most attributes can be set");
    }

    static std::vector<std::string> FindNamed(const Texts& settings, const std::string& error)
    {
        std::vector<std::string> found;
        const auto text = error + " ";
        for (const auto& [name, value] : settings)
        {
            const auto begin = text.find(name);
            if (begin != std::string::npos && !std::isalnum(text[begin + name.size()]))
            {
                found.push_back(name);
            }
        }
        return found;
    }

    /// Compare the attributes of all objects with what was set.
    void Compare(const Texts& settings)
    {
        std::map<std::string, Texts> expected; // by class, and attribute without its class
        std::set<std::string> seen;
        for (const auto& object : InstalledObjects::Find())
        {
            const auto type = object->GetInstanceTypeId();
            StringValue remote;
            if (object->GetAttributeFailSafe("Remote", remote) && remote.Get() == "0.0.0.0")
            {
                continue; // a waypoint, which takes off headers of IP in IP whatever tunnels have
            }
            const auto [ofClass, isNew] = expected.emplace(type.GetName(), Texts());
            for (const auto& [name, other] : isNew ? GetSettings(type) : Texts())
            {
                const auto set = settings.find(name);
                TypeId::AttributeInformation information;
                const auto attribute = name.substr(name.rfind("::") + 2);
                if (set != settings.end() && type.LookupAttributeByName(attribute, &information))
                {
                    const auto& checker = information.checker;
                    const auto value = checker->CreateValidValue(StringValue(set->second));
                    ofClass->second[attribute] = value->SerializeToString(checker);
                }
            }
            for (const auto& [name, text] : ofClass->second)
            {
                StringValue value;
                object->GetAttribute(name, value);
                if (value.Get() != text && seen.insert(type.GetName() + name).second)
                {
                    NS_TEST_EXPECT_MSG_EQ(value.Get(), text, type.GetName() << "::" << name);
                }
            }
        }
    }

    Make m_make;                     //!< makes the experiment
    Texts m_options;                 //!< the run
    std::set<std::string> m_classes; //!< some classes that it installs
};

std::string
PrintDefault(const std::string& attribute)
{
    const auto end = attribute.rfind("::");
    TypeId::AttributeInformation information;
    const auto type = TypeId::LookupByName(attribute.substr(0, end));
    type.LookupAttributeByName(attribute.substr(end + 2), &information);
    return information.initialValue->SerializeToString(information.checker);
}

// What is set of attributes by an experiment holds for this experiment alone, whether it has run,
// was refused, or was given up.
AIDC_TEST_CASE("An experiment leaves defaults as they were")
{
    const std::string size = "ns3::aidc::SharedBuffer::Size"; // which --buffer sets
    const std::string users = "ns3::aidc::RoceNic::AckDelay";
    Config::SetDefault(users, StringValue("3ns"));
    {
        const auto experiment = MakeCoupledEcnExperiment();
        experiment->Set(size, "1MB");
        experiment->Set(users, "5ns");
        NS_TEST_EXPECT_MSG_EQ(PrintDefault(users), "+5ns", "set");
        const std::string refused = MessageOf([&] { experiment->Run(); });
        NS_TEST_EXPECT_MSG_NE(refused.find(size), std::string::npos, refused);
        AIDC_EXPECT(!HasUserDefault(size), "restored when the run has ended");
        NS_TEST_EXPECT_MSG_EQ(PrintDefault(users), "+3ns", "to what the program has set");
    }
    {
        const auto experiment = MakeCoupledEcnExperiment();
        experiment->Set(users, "5ns");
        experiment->Set(users, "7ns");
    }
    NS_TEST_EXPECT_MSG_EQ(PrintDefault(users), "+3ns", "restored without a run");
}

void
Add(const std::string& name,
    std::unique_ptr<ExperimentBase> (*make)(),
    const std::vector<Texts>& runs,
    const std::set<std::string>& classes)
{
    for (const auto& options : runs)
    {
        AddTestCase(new InstalledAttributesTestCase(name, make, options, classes));
    }
}

AIDC_ADD_TEST_CASES()
{
    const std::pair<const std::string, std::string> tor{"topology", "topologies/tor-8-12us.txt"};
    Add("coupled-ecn",
        MakeCoupledEcnExperiment,
        {{{"scenarios", "light"}, {"schemes", "coupled"}, tor},
         {{"scenarios", "incast"}, {"schemes", "static-low"}, {"transport", "dcqcn"}, tor},
         {{"scenarios", "incast"}, {"schemes", "red"}, {"transport", "swift"}, tor}},
        {"SharedBuffer", "CoupledEcnQueue", "EthernetNetDevice"});
    Add("flowset-ecmp",
        MakeFlowSetEcmpExperiment,
        {{{"scenarios", "failure"}, {"schemes", "flow-set"}}},
        {"FlowSetSelector", "SwitchDatapath", "TcpFlowApplication"});
    Add("flowset-ecmp",
        MakeFlowSetEcmpExperiment,
        {{{"scenarios", "elephants"}, {"schemes", "flowlet"}}},
        {"FlowletSelector"});
    Add("csig-fabric",
        MakeCsigFabricExperiment,
        {{{"scenarios", "engineering"}, {"schemes", "csig-weights"}},
         {{"scenarios", "bottlenecks-30"}, {"schemes", "software"}}},
        {"CsigDomain", "CsigAgent", "CsigPort", "CsigHost"});
    Add("csig-fabric",
        MakeCsigFabricExperiment,
        {{{"scenarios", "degraded-link"}, {"schemes", "idle-mesh"}},
         {{"scenarios", "hot-spot"}, {"schemes", "csig-balancer"}}},
        {"CsigUdpSource", "CsigUdpSink"});
    Add("csig-fabric",
        MakeCsigFabricExperiment,
        {{{"scenarios", "senders-incast"}, {"schemes", "jump-start"}, {"transport", "swift"}}},
        {"CsigPathSignals", "SwiftControl", "RoceNic"});
    Add("fare-clos",
        MakeFareClosExperiment,
        {{{"scenarios", "one-link-lost-3"}, {"schemes", "fare"}},
         {{"scenarios", "intact-3"}, {"schemes", "ecmp-spray"}}},
        {"BgpSpeaker", "DcqcnControl", "IngressBuffer"});
    Add("pre-ecn",
        MakePreEcnExperiment,
        {{{"scenarios", "1ms"}, {"schemes", "two-threshold-both"}},
         {{"scenarios", "1ms"}, {"schemes", "tail-drop"}}},
        {"IpTunnelNetDevice", "PriorityFlowControl", "RoceNic", "SwitchPortQueueDisc"});
    Add("ai-training",
        MakeAiTrainingExperiment,
        {{{"scenarios", "storage"}, {"schemes", "baseline"}},
         {{"scenarios", "storage"}, {"schemes", "all"}}},
        {"RankApplication", "RoceNic", "SwitchPortClass"});
}
