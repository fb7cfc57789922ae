// SPDX-License-Identifier: GPL-2.0-only

#include "fake-message-endpoint.h"
#include "test/test-case.h"

#include "ns3/aidc-input-error.h"
#include "ns3/experiment-data-file.h"
#include "ns3/rank-application-helper.h"
#include "ns3/system-path.h"
#include "ns3/warning.h"
#include "ns3/workload-file.h"

// Tests of workloads in files of any kind.

AIDC_TEST_SUITE("aidc-workload-file", UNIT);

/// Lines that the user has been told.
std::vector<std::string> g_lines;

/// Two layers with data parallelism, in the format of ASTRA-sim.
const std::string DATA = "DATA\n2\nL0 -1 10 NONE 0 10 NONE 0 20 ALLREDUCE 1000 5\n"
                         "L1 -1 30 NONE 0 40 NONE 0 50 ALLREDUCE 2000 5\n";

/// A trace of a computation of 7 us, in JSON.
const std::string TRACE = "{\"workload_graph\": [{\"Id\": 1, \"Name\": \"f\", \"NodeType\": 4, "
                          "\"is_cpu_op\": false, \"runtime\": 7, \"data_deps\": []}]}";

/// A test with a folder of files.
class FilesTestCase : public TestCase
{
  protected:
    explicit FilesTestCase(const std::string& name)
        : TestCase(name)
    {
    }

    void MakeFolder(const std::string& name)
    {
        m_folder = CreateTempDirFilename(name);
        SystemPath::MakeDirectories(m_folder);
    }

    /// Write a file. text: its bytes.
    std::string Write(const std::string& name, const std::string& text) const
    {
        const std::string path = m_folder + "/" + name;
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    /// Read a workload that is wrong.
    std::string GetMessage(const std::string& path, const WorkloadFileSettings& settings) const
    {
        std::string message = MessageOf([&] { ReadWorkloadFile(path, settings); });
        for (auto at = message.find(m_folder); at != std::string::npos; at = message.find(m_folder))
        {
            message.replace(at, m_folder.size(), "DIR");
        }
        return message;
    }

    std::string m_folder; //!< the folder
};

// Each kind of workload is recognized and read.
AIDC_TEST_CASE_F(FilesTestCase, "each kind of workload is recognized and read")
{
    const auto check = [this](const std::string& path,
                              WorkloadFileKind kind,
                              uint32_t nRanks,
                              const WorkloadFileSettings& settings = WorkloadFileSettings()) {
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(RecognizeWorkloadFile(path)),
                              static_cast<int>(kind),
                              "kind of " << path);
        NS_TEST_EXPECT_MSG_EQ(ReadWorkloadFile(path, settings).GetNRanks(), nRanks, path);
    };
    MakeFolder("kinds");
    WorkloadFileSettings settings;
    settings.nRanks = 4;
    check(Write("layers.txt", "\xef\xbb\xbf" + DATA), WorkloadFileKind::LAYERS, 4, settings);
    const std::string step = "{\"ranks\": 4, \"operations\": []}";
    check(Write("step.json", " \n" + step), WorkloadFileKind::TRAINING_STEP, 4, settings);
    check(Write("step.5.json", step), WorkloadFileKind::TRAINING_STEP, 4);
    SystemPath::MakeDirectories(m_folder + "/traces");
    for (int rank = 0; rank < 12; ++rank)
    {
        Write("traces/t." + std::to_string(rank) + ".json", TRACE);
    }
    Write("traces/groups.json", "{}");
    for (const std::string path : {"traces", "traces/t", "traces/t.0.json", "traces/t.11.json"})
    {
        check(m_folder + "/" + path, WorkloadFileKind::CHAKRA, 12);
        check(m_folder + "/" + path, WorkloadFileKind::CHAKRA, 4, settings);
    }
    const std::string data = "training/";
    settings.nNeighbors = 2;
    check(FindDataFile(data + "experts-simai.txt"), WorkloadFileKind::LAYERS, 8);
    check(FindDataFile(data + "mlp-astra-sim.txt"), WorkloadFileKind::LAYERS, 4, settings);
    check(FindDataFile(data + "dp4-tp2-pp2.json"), WorkloadFileKind::TRAINING_STEP, 16);
}

AIDC_TEST_CASE_F(FilesTestCase, "a workload of layers is executed, and what it leaves out is told")
{
    MakeFolder("layers");
    WorkloadFileSettings settings;
    settings.nRanks = 2;
    RankApplicationHelper helper(ReadWorkloadFile(Write("l.txt", DATA), settings));
    NodeContainer nodes(2);
    helper.Install(nodes, FakeMessageEndpoint::Make(nodes, 1, NanoSeconds(1000)));
    Simulator::Run();
    // Computation and two reductions one after another, each with two messages of a half and
    // an acknowledgment, and 5 ns in the end
    constexpr int64_t first = 90 + 2 * (1000 + 1000) + 1000;
    constexpr int64_t second = first + 2 * (500 + 1000) + 1000;
    const auto records = helper.GetCollectiveRecords();
    NS_TEST_ASSERT_MSG_EQ(records.size(), 2, "collectives");
    NS_TEST_EXPECT_MSG_EQ(records[0].name, "weight-gradient/pass-0/layer-1-L1/rank-0", "name");
    NS_TEST_EXPECT_MSG_EQ(records[0].start, NanoSeconds(90), "start of the first one");
    NS_TEST_EXPECT_MSG_EQ(records[0].finish, NanoSeconds(first), "end of the first one");
    NS_TEST_EXPECT_MSG_EQ(records[1].finish, NanoSeconds(second), "end of the second one");
    NS_TEST_EXPECT_MSG_EQ(helper.GetRankRecords()[1].finish, NanoSeconds(second + 5), "end");
    Simulator::Destroy();

    SetUserLinePrinter([](const std::string& line) { g_lines.push_back(line); });
    const std::string path = Write("more.txt", DATA + "L2\n");
    ReadWorkloadFile(path, settings);
    SetUserLinePrinter(nullptr);
    NS_TEST_ASSERT_MSG_EQ(g_lines.size(), 1, "notes");
    NS_TEST_EXPECT_MSG_EQ(g_lines[0],
                          "note: " + path +
                              ": what follows the 2 announced layers, from line 5 on, is not "
                              "used",
                          "note");
}

// Wrong workloads end with one line that names the file.
AIDC_TEST_CASE_F(FilesTestCase, "wrong workloads end with one line that names the file")
{
    const auto check = [this](const std::string& name,
                              const std::string& expected,
                              const WorkloadFileSettings& settings = WorkloadFileSettings()) {
        NS_TEST_EXPECT_MSG_EQ(GetMessage(m_folder + "/" + name, settings), expected, name);
    };
    MakeFolder("errors");
    check("nothing.txt",
          "DIR/nothing.txt: expected a file that can be opened, found \"No such file or "
          "directory\"");
    check("nothing.0.et",
          "DIR/nothing.0.et: expected a file that can be opened, found \"No such file or "
          "directory\"");
    check("",
          "DIR/: expected traces of one name, such as NAME.0.et or NAME.0.json, found \"none\"");
    Write("empty.txt", "");
    const std::string policies =
        "expected a workload of SimAI or ASTRA-sim, whose first word is DATA, MODEL, "
        "HYBRID_TRANSFORMER, HYBRID_TRANSFORMER_FWD_IN_BCKWD, HYBRID_DLRM, "
        "HYBRID_DLRM_ENHANCED, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA, HYBRID_CUSTOMIZED, MICRO, "
        "DISTRIBUTED_INFERENCE, found ";
    check("empty.txt", "DIR/empty.txt:1: " + policies + "\"end of file\"");
    Write("control.txt", "\x1b[2J\n");
    check("control.txt", "DIR/control.txt:1: " + policies + "\"\\x1b[2J\"");
    Write("data.txt", DATA);
    check("data.txt",
          "DIR/data.txt:1: expected a number of ranks from 1 to 1048576 by nRanks, as "
          "the file has no all_gpus, found \"none\"");
    WorkloadFileSettings settings;
    settings.nRanks = 3;
    settings.allReduce = CollectiveAlgorithm::PAIRWISE;
    const std::string message = GetMessage(m_folder + "/data.txt", settings);
    const std::string place = "DIR/data.txt: layer 1 \"L1\", weight-gradient: ";
    NS_TEST_EXPECT_MSG_EQ(message.substr(0, place.size()),
                          place,
                          "an algorithm that cannot be: " << message);
    Write("step.json", "{\"ranks\": 4, \"operations\": []}");
    check("step.json",
          "DIR/step.json: expected 3 ranks, the number that was chosen, found \"4\"",
          settings);
    Write("step2.json", "{\"ranks\": 4,\n\"operation\": []}");
    check("step2.json",
          "DIR/step2.json:1: expected the key \"training\", found \"ranks, operation\"");
    Write("trace.json", TRACE);
    check("trace.json",
          "DIR/trace.json: expected a name with a rank, such as NAME.0.et or NAME.0.json, found "
          "\"trace.json\"");
    Write("jsonizer.0.json", "{\"version\": \"0.0.4\"}\n{\"id\": \"1\", \"dataDeps\": []}");
    check("jsonizer.0.json",
          "DIR/jsonizer.0.json:1: expected an object with \"workload_graph\", a list of nodes; "
          "the .et file of which chakra_jsonizer has made this text can be read, found \"a "
          "dump of chakra_jsonizer\"");
    Write("gap.0.json", TRACE);
    Write("gap.2.json", TRACE);
    check("gap",
          "DIR/gap.1.json: expected a file that can be opened, found \"No such file or "
          "directory\"");
    Write("gap.0.et", "x");
    check("gap",
          "DIR/gap: expected traces of one name, such as NAME.0.et or NAME.0.json, found "
          "\"gap.0.et and gap.0.json\"");
    Write("cut.0.et",
          std::string("\x07\x0a\x05"
                      "0.0",
                      6));
    check("cut.0.et", "DIR/cut.0.et: message at byte 0: expected 7 bytes, found 5");
    Write("long.0.json", "{\"workload_graph\":[" + std::string(1500, ' ') + "{]}");
    check("long.0.json",
          "DIR/long.0.json:1: expected a key in quotation marks at byte 1520 of the line, "
          "found \"]\"");
    const auto end = TRACE.size() - 2;
    Write("alone.0.json",
          TRACE.substr(0, end) +
              ", {\"Id\": 2, \"Name\": \"s\", \"NodeType\": 5, \"is_cpu_op\": false, "
              "\"data_deps\": [1], \"comm_size\": 64, \"comm_dst\": 1, \"comm_tag\": 3}]}");
    Write("alone.1.json", TRACE);
    check("alone",
          "DIR/alone.*.json: rank 0, operation 1 (node 2 (s): send of 64 bytes to rank 1 with "
          "tag 3) is never received");
}
