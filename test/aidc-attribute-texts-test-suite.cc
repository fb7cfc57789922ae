// SPDX-License-Identifier: GPL-2.0-only

// All attributes of the module, found by introspection: what is refused, is refused by the checker.

#include "captured-stream.h"
#include "death-test.h"
#include "model/aidc-compat.h"
#include "test/test-case.h"

#include "ns3/attribute.h"

using aidctest::CapturedStream;

// Attributes of the module in words
AIDC_TEST_SUITE("aidc-attribute-texts", UNIT);

/// The type of attributes that are texts.
const std::string TEXT = "StringValue";

/// The type of attributes that are sizes.
const std::string SIZE = "QueueSizeValue";

/// Visit all attributes that the module's classes have of their own.
void
VisitAttributes(const std::function<void(TypeId, const TypeId::AttributeInformation&)>& visit)
{
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (tid.GetName().rfind("ns3::aidc::", 0) != 0)
        {
            continue;
        }
        for (std::size_t k = 0; k < tid.GetAttributeN(); ++k)
        {
            const auto attribute = tid.GetAttribute(k);
            if (attribute.flags & TypeId::ATTR_CONSTRUCT)
            {
                visit(tid, attribute);
            }
        }
    }
}

// No text is taken that nobody understands, and no size in packets where bytes are meant.
AIDC_TEST_CASE("Attributes: texts and sizes are checked by their checkers")
{
    const CapturedStream quiet(std::cerr);
    uint32_t nTexts = 0;
    uint32_t nSizes = 0;
    VisitAttributes([&](TypeId tid, const TypeId::AttributeInformation& attribute) {
        const std::string name = tid.GetName() + "::" + attribute.name;
        const std::string type = aidc::GetValueType(*attribute.checker);
        if (type == TEXT)
        {
            ++nTexts;
            AIDC_EXPECT(!Config::SetDefaultFailSafe(name, StringValue("no such text")),
                        name << " takes any text");
        }
        const bool isInBytes =
            type == SIZE &&
            attribute.originalInitialValue->SerializeToString(attribute.checker).back() == 'B';
        if (isInBytes)
        {
            ++nSizes;
            AIDC_EXPECT(!Config::SetDefaultFailSafe(name, StringValue("10p")),
                        name << " takes a size in packets");
        }
    });
    NS_TEST_EXPECT_MSG_GT(nTexts, 14, "attributes that are texts");
    NS_TEST_EXPECT_MSG_GT(nSizes, 19, "attributes that are sizes in bytes");
}

// What a checker takes, the setter of a new object takes too: what that refuses would be a default
// that is silently another one.
AIDC_TEST_CASE("Attributes: a new object takes what their checkers take")
{
    const std::map<std::string, std::vector<std::string>> candidates{
        {TEXT,
         {"",
          "26:7",
          "0,1Gbps,5Gbps",
          "0,1%",
          "0,10us",
          "max(nQD)",
          "device:7",
          "device:10,port:6",
          "100Gbps",
          "10.0.0.0/8",
          "000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f"}},
        {SIZE, {"0B", "1B", "4GB", "1p"}},
        {"DataRateValue", {"0bps", "1bps", "1000000Gbps"}},
        {"DoubleValue", {"0", "1e-9", "0.5", "1", "2", "1e9", "-1"}},
        {"UintegerValue", {"0", "1", "7", "255", "65535", "4294967295"}},
        {"IntegerValue", {"-1", "0", "7", "63"}},
        {"TimeValue", {"0s", "1ns", "1s", "1000000s", "-1s"}},
        {"BooleanValue", {"true", "false"}}};
    uint32_t nTaken = 0;
    VisitAttributes([&](TypeId tid, const TypeId::AttributeInformation& attribute) {
        const auto texts = candidates.find(aidc::GetValueType(*attribute.checker));
        const bool isSimulator = tid.GetName().find("Simulator") != std::string::npos;
        // Others are set when an object is made.
        const bool isSettable = (attribute.flags & TypeId::ATTR_SET) != 0;
        if (texts == candidates.end() || !tid.HasConstructor() || isSimulator || !isSettable)
        {
            return;
        }
        for (const auto& text : texts->second)
        {
            const CapturedStream quiet(std::cerr);
            const auto value = attribute.checker->CreateValidValue(StringValue(text));
            if (value)
            {
                ++nTaken;
                const auto object = ObjectFactory(tid.GetName()).Create<Object>();
                // What has to fit other attributes may be refused, if a new object with it
                // ends the program.
                const auto make = [&] {
                    ObjectFactory factory(tid.GetName());
                    factory.Set(attribute.name, *value);
                    factory.Create<Object>();
                };
                AIDC_EXPECT(object->SetAttributeFailSafe(attribute.name, *value) ||
                                aidctest::RunInChild(make).died,
                            tid.GetName() << "::" << attribute.name << " = " << text);
            }
        }
    });
    NS_TEST_EXPECT_MSG_GT(nTaken, 500, "values");
}

// Each way of ns-3 to give an attribute a value refuses a wrong one, and says why once.
AIDC_TEST_CASE("Attributes: a wrong value is refused in each way, and reported once")
{
    struct Wrong
    {
        const char* tid;
        const char* name;
        const char* text;
        const char* reason;
    };

    for (const Wrong& wrong :
         std::vector<Wrong>{{"CsigDomain", "AbwBuckets", "0,fast", "fast"},
                            {"CsigHost", "Signals", "min(X)", "min(X)"},
                            {"SwitchPortQueueDisc", "DscpMap", "26:8", "expected DSCP:class"},
                            {"CoupledEcnQueueDisc", "EcnFloor", "10p", "Expected a size in bytes"},
                            {"SharedBuffer", "Size", "0B", "Expected at least 1B, found 0B"}})
    {
        const std::string tid = std::string("ns3::aidc::") + wrong.tid;
        const std::string name = tid + "::" + wrong.name;
        const StringValue text(wrong.text);
        {
            const CapturedStream errors(std::cerr);
            AIDC_EXPECT(!Config::SetDefaultFailSafe(name, text), name);
            NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith(wrong.reason), 1, errors.GetText());
        }
        {
            const CapturedStream errors(std::cerr);
            const auto object = ObjectFactory(tid).Create<Object>();
            AIDC_EXPECT(!object->SetAttributeFailSafe(wrong.name, text), name);
            NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith(wrong.reason), 1, errors.GetText());
        }
        AIDC_EXPECT(aidctest::RunInChild([&] { Config::SetDefault(name, text); }).died,
                    "SetDefault() of " << name);
        AIDC_EXPECT(aidctest::RunInChild([&] { ObjectFactory(tid).Set(wrong.name, text); }).died,
                    "a factory's " << name);
    }
    // A factory that is a text itself does not ask the checker, but converts by it.
    const CapturedStream errors(std::cerr);
    ObjectFactoryValue factory;
    AIDC_EXPECT(!factory.DeserializeFromString("ns3::aidc::CoupledEcnQueueDisc[EcnFloor=10p]",
                                               MakeObjectFactoryChecker()),
                "a factory as a text");
}
