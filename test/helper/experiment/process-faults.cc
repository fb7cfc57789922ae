// SPDX-License-Identifier: GPL-2.0-only

// An experiment whose processes fail as they are told, for test/python/test_processes.py.

#include "ns3/clos-fabric.h"
#include "ns3/experiment-base.h"
#include "ns3/fabric-helper.h"
#include "ns3/fatal-error.h"
#include "ns3/mpi-processes.h"
#include "ns3/node-list.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

/// An experiment with a network on which nothing is sent.
class FaultsExperiment : public ExperimentBase
{
  public:
    FaultsExperiment()
        : ExperimentBase("faults", "Processes that fail.", {true})
    {
        GetPlan().scenarios = {"only"};
        GetPlan().schemes = {"only"};
        GetParameters().AddWord("fault", "how a process fails; none", m_fault);
        GetParameters().AddCount("at", "the process that fails", m_at);
        GetParameters().AddCount("ms", "simulated milliseconds", m_ms);
    }

  private:
    void Fail() const
    {
        if (m_fault == "exception")
        {
            throw std::runtime_error("no such thing");
        }
        if (m_fault == "fatal")
        {
            NS_FATAL_ERROR("it is fatal");
        }
        if (m_fault == "memory")
        {
            throw std::bad_alloc();
        }
        if (m_fault == "abort")
        {
            std::abort();
        }
        if (m_fault == "segfault")
        {
            std::raise(SIGSEGV);
        }
        if (m_fault == "killed")
        {
            std::raise(SIGKILL);
        }
    }

    /// An event each microsecond, so that the run takes a time.
    static void Tick()
    {
        Simulator::Schedule(MicroSeconds(1), &Tick);
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        const auto own = MpiProcesses::Get().GetIndex();
        if (m_fault == "early" && own == m_at)
        {
            throw std::runtime_error("cannot read a file");
        }
        FabricHelper network;
        GetOptions().Configure(network);
        network.Build(MakeLeafSpine({}));
        network.AssignAddresses();
        run.Announce(0);
        WarnOnce("all processes say so");
        if (own == 1)
        {
            WarnOnce("process 1 says so");
        }
        for (uint32_t process = 0, i = 0; i < NodeList::GetNNodes(); ++i)
        {
            const auto node = NodeList::GetNode(i);
            if (node->GetSystemId() == process)
            {
                Simulator::ScheduleWithContext(node->GetId(), Time(), &Tick);
                if (process++ == m_at)
                {
                    Simulator::ScheduleWithContext(node->GetId(), MilliSeconds(1), [this] {
                        Fail();
                    });
                }
            }
        }
        if (m_fault == "all")
        {
            Simulator::Schedule(MilliSeconds(1),
                                [] { throw std::runtime_error("all processes meet it"); });
        }
        Simulator::Stop(MilliSeconds(m_ms));
        Simulator::Run();
        Simulator::Destroy();
        ExperimentOutcome outcome;
        outcome.Add("done", 1, "1");
        return outcome;
    }

    std::string m_fault{"none"}; //!< how a process fails
    uint32_t m_at{1};            //!< the process that fails
    uint32_t m_ms{2};            //!< the simulated time
};

} // namespace

int
main(int argc, char* argv[])
{
    return FaultsExperiment().Main(argc, argv);
}
