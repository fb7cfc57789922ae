// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_CASE_H
#define AIDC_TEST_CASE_H

#include "test/captured-stream.h"
#include "test/connect-trace.h"
#include "test/death-test.h"

#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/fabric-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/random-variable-stream.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/switch-datapath.h"
#include "ns3/test.h"
#include "ns3/time-window-helper.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// Test cases and suites of ns-3 without the classes around them, and what nearly all of them
// include. A file has one suite, and cases of it run in the order in which they stand; its names
// are its own, as cmake/join-tests.cmake puts it into a namespace:
//
//     AIDC_TEST_SUITE("aidc-roce-failures", UNIT);
//
//     AIDC_TEST_CASE("A peer restarts")
//     {
//         // what DoRun() does
//     }
//
//     // A case for each value: m is a const std::string here, in the name and in the body.
//     AIDC_TEST_CASES(std::string, m, "A link is down: " + m, ({"GoBackN", "SelectiveRepeat"}))
//     {
//     }
//
//     // The same, with values that are not known here.
//     AIDC_TEST_CASE_P(LinkDownTestCase, std::string, m, "A link is down for good: " + m)
//     {
//     }
//
//     AIDC_ADD_TEST_CASES()
//     {
//         AddTestCases<LinkDownTestCase>(ListModes());
//     }
//
// Functions of a file check as cases do: what fails there is a failure of the case that runs.

namespace ns3::aidc
{
}

namespace aidctest
{

using namespace ns3;
using namespace ns3::aidc;

/// Names of attributes and their values in words.
using Attributes = std::vector<std::pair<std::string, std::string>>;

inline void
SetAll(Ptr<Object> object, const Attributes& attributes)
{
    for (const auto& [name, value] : attributes)
    {
        object->SetAttribute(name, StringValue(value));
    }
}

/// Make a UDP socket that sends and discards what it receives. port: its port, 0 for any.
inline Ptr<Socket>
MakeSocket(Ptr<Node> node, uint16_t port)
{
    auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    return socket;
}

/// Run the simulation for some time from now on.
inline void
RunFor(Time duration)
{
    Simulator::Stop(duration);
    Simulator::Run();
}

/// Ends the simulation of what has it as its last member, before the other members end.
struct SimulationEnd
{
    SimulationEnd() = default;
    SimulationEnd(const SimulationEnd&) = delete;
    SimulationEnd& operator=(const SimulationEnd&) = delete;

    ~SimulationEnd()
    {
        Simulator::Destroy();
    }
};

/// Get the message of what a call throws as an Error; empty if it throws nothing.
template <typename Error = std::runtime_error, typename Call>
std::string
MessageOf(Call call)
{
    try
    {
        call();
    }
    catch (const Error& error)
    {
        return error.what();
    }
    return "";
}

/// Read a file that a test has written.
inline std::string
ReadFile(const std::string& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The modes of the datapath.
inline const std::vector<SwitchDatapath::Mode> DATAPATHS{SwitchDatapath::FAST,
                                                         SwitchDatapath::STACK};

/// Name a mode of the datapath behind what is tested in it.
inline std::string
GetSuffix(SwitchDatapath::Mode mode)
{
    return mode == SwitchDatapath::FAST ? ", fast path" : ", stack";
}

/// A test of a mode of the datapath.
class DatapathTestCase : public TestCase
{
  public:
    DatapathTestCase(const std::string& name, SwitchDatapath::Mode mode)
        : TestCase(name + GetSuffix(mode)),
          m_mode(mode)
    {
    }

  protected:
    const SwitchDatapath::Mode m_mode; //!< how packets get through routers
};

/// A suite that others than its own class add cases to.
class Suite : public ns3::TestSuite
{
  public:
    using ns3::TestSuite::TestSuite;

    /// Add a case, which the suite owns. Returns true, for variables that add cases.
    bool Add(ns3::TestCase* testCase)
    {
        AddTestCase(testCase);
        return true;
    }
};

/// The case that runs: what fails in a function is its failure.
class RunningCase : private ns3::TestCase
{
  public:
    explicit RunningCase(ns3::TestCase* testCase)
        : TestCase(""),
          m_before(std::exchange(g_running, testCase))
    {
    }

    /// Nothing is left of a case's simulation and defaults, even if the case has ended early.
    ~RunningCase() override
    {
        Simulator::Destroy();
        Config::Reset();
        g_running = m_before;
    }

    template <typename... Args>
    static void Report(Args&&... args)
    {
        (g_running->*&RunningCase::ReportTestFailure)(std::forward<Args>(args)...);
    }

    static bool MustStop()
    {
        return (g_running->*&RunningCase::MustAssertOnFailure)();
    }

    static bool MustContinue()
    {
        return (g_running->*&RunningCase::MustContinueOnFailure)();
    }

  private:
    void DoRun() override
    {
    }

    inline static ns3::TestCase* g_running = nullptr; //!< none between cases
    ns3::TestCase* m_before;                          //!< the one that ran before
};

// What the macros of ns-3 call: the members of a case, or these.

template <typename... Args>
void
ReportTestFailure(Args&&... args)
{
    RunningCase::Report(std::forward<Args>(args)...);
}

inline bool
MustAssertOnFailure()
{
    return RunningCase::MustStop();
}

inline bool
MustContinueOnFailure()
{
    return RunningCase::MustContinue();
}

} // namespace aidctest

using namespace aidctest; // as each suite would say

/// Checks of a condition, with a message that may be a chain of <<; the second one ends the
/// function.
#define AIDC_EXPECT(condition, message) NS_TEST_EXPECT_MSG_EQ((condition), true, message)
#define AIDC_ASSERT(condition, message) NS_TEST_ASSERT_MSG_EQ((condition), true, message)

namespace aidctest
{

/// Check that a call ends the program by an exception whose message has a text in it.
inline void
ExpectRefusal(const std::string& text, const std::function<void()>& call)
{
    const auto ending = RunInChild(call);
    AIDC_EXPECT(ending.Says(text), text << ": " << ending.errors);
}

} // namespace aidctest

/// The suite of a file, with AddTestCase(), which takes a new one, and AddTestCases(), which takes
/// parameters. The type is one of ns3::TestSuite::Type.
#define AIDC_TEST_SUITE(name, type)                                                                \
    ::aidctest::Suite g_suite(name, ::ns3::TestSuite::Type::type);                                 \
    [[maybe_unused]] void AddTestCase(::ns3::TestCase* testCase)                                   \
    {                                                                                              \
        g_suite.Add(testCase);                                                                     \
    }                                                                                              \
    template <typename Case>                                                                       \
    void AddTestCases(const std::vector<typename Case::Parameter>& parameters)                     \
    {                                                                                              \
        for (const auto& parameter : parameters)                                                   \
        {                                                                                          \
            AddTestCase(new Case(parameter));                                                      \
        }                                                                                          \
    }                                                                                              \
    static_assert(true, "takes the semicolon")

/// DoRun(), and the body that it runs.
#define AIDC_RUN_BODY                                                                              \
    void DoRun() override                                                                          \
    {                                                                                              \
        const ::aidctest::RunningCase running(this);                                               \
        RunBody();                                                                                 \
    }                                                                                              \
    void RunBody();

/// A test case of the name that follows, an expression; the body of DoRun() stands behind it.
#define AIDC_TEST_CASE(...) AIDC_TEST_CASE_F(::ns3::TestCase, __VA_ARGS__)

/// A test case that extends a class, with the arguments of this class's constructor.
#define AIDC_TEST_CASE_F(Base, ...) AIDC_TEST_CASE_OF_LINE(__LINE__, Base, __VA_ARGS__)
#define AIDC_TEST_CASE_OF_LINE(line, ...) AIDC_DEFINE_TEST_CASE(line, __VA_ARGS__)
#define AIDC_DEFINE_TEST_CASE(line, Base, ...)                                                     \
    class TestCaseOfLine##line : public Base                                                       \
    {                                                                                              \
      public:                                                                                      \
        TestCaseOfLine##line()                                                                     \
            : Base(__VA_ARGS__)                                                                    \
        {                                                                                          \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        AIDC_RUN_BODY                                                                              \
    };                                                                                             \
    [[maybe_unused]] const bool g_isAdded##line = g_suite.Add(new TestCaseOfLine##line);           \
    void TestCaseOfLine##line::RunBody()

/// A class of test cases that extends a class whose constructor takes a name, and what cases are
/// made with.
#define AIDC_TEST_CASE_OF(Base, Name, ...)                                                         \
    class Name : public Base                                                                       \
    {                                                                                              \
      public:                                                                                      \
        template <typename... Args>                                                                \
        explicit Name(const Args&... args)                                                         \
            : Base(__VA_ARGS__, args...)                                                           \
        {                                                                                          \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        AIDC_RUN_BODY                                                                              \
    };                                                                                             \
    void Name::RunBody()

/// Test cases with a parameter, which their name, an expression, and their body may use, and the
/// values of it, a vector in parentheses.
#define AIDC_TEST_CASES(...) AIDC_TEST_CASES_OF_LINE(__LINE__, __VA_ARGS__)
#define AIDC_TEST_CASES_OF_LINE(line, ...) AIDC_DEFINE_TEST_CASES(line, __VA_ARGS__)
#define AIDC_DEFINE_TEST_CASES(line, Type, parameter, name, values)                                \
    AIDC_DECLARE_TEST_CASE_P(TestCasesOfLine##line, Type, parameter, name);                        \
    [[maybe_unused]] const bool g_areAdded##line =                                                 \
        (AddTestCases<TestCasesOfLine##line> values, true);                                        \
    void TestCasesOfLine##line::RunBody()

/// Test cases of both modes of the datapath, of which the body knows its `mode`.
#define AIDC_DATAPATH_TEST_CASES(name)                                                             \
    AIDC_TEST_CASES(SwitchDatapath::Mode, mode, name + GetSuffix(mode), (DATAPATHS))

/// A class of test cases with a parameter, which its name, an expression, and its body may use.
#define AIDC_TEST_CASE_P(Name, ...)                                                                \
    AIDC_DECLARE_TEST_CASE_P(Name, __VA_ARGS__);                                                   \
    void Name::RunBody()
#define AIDC_DECLARE_TEST_CASE_P(Name, Type, parameter, ...)                                       \
    class Name : public ::ns3::TestCase                                                            \
    {                                                                                              \
      public:                                                                                      \
        using Parameter = Type;                                                                    \
                                                                                                   \
        explicit Name(const Type& parameter)                                                       \
            : ::ns3::TestCase(__VA_ARGS__),                                                        \
              parameter(parameter)                                                                 \
        {                                                                                          \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        AIDC_RUN_BODY                                                                              \
        const Type parameter;                                                                      \
    }

/// Adds cases to the suite of the file: the body calls AddTestCase() or AddTestCases().
#define AIDC_ADD_TEST_CASES()                                                                      \
    void AddAllTestCases();                                                                        \
    [[maybe_unused]] const bool g_areAdded = (AddAllTestCases(), true);                            \
    void AddAllTestCases()

#endif // AIDC_TEST_CASE_H
