// SPDX-License-Identifier: GPL-2.0-only

#include "fake-message-endpoint.h"
#include "test/core/hex-bytes.h"
#include "test/test-case.h"

#include "ns3/aidc-input-error.h"
#include "ns3/rank-application-helper.h"
#include "ns3/system-path.h"
#include "ns3/workload-file.h"

// Tests of Chakra traces in files.

// Chakra traces in files.
AIDC_TEST_SUITE("aidc-chakra-files", UNIT);

/// Traces are read from files and executed.
class ChakraFilesTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    /// Write a file of a rank. hex: its bytes.
    void Write(uint32_t rank, const std::string& hex) const
    {
        std::ofstream file(m_name + "." + std::to_string(rank) + ".et", std::ios::binary);
        for (const uint8_t byte : ParseHex(hex))
        {
            file.put(static_cast<char>(byte));
        }
    }

    std::string GetMessage(const std::function<void()>& function) const
    {
        std::string message = MessageOf(function);
        const auto found = message.find(m_name);
        return found == std::string::npos ? message : message.replace(found, m_name.size(), "NAME");
    }

    std::string m_name; //!< the name of the files
};

AIDC_TEST_CASE_F(ChakraFilesTestCase, "traces are read from files and executed")
{
    m_name = CreateTempDirFilename("trace");
    // The golden bytes, with two ranks: a computation of 10 us, an all-reduce of 4 MiB in the
    // process group "1", and at rank 0 a message of 1 MiB to rank 1 with the tag 7
    const std::string common =
        "070a05302e302e34"
        "171201631804380a520e0a0969735f6370755f6f70d80100"
        "4c08ac021202617218072a0100520e0a0969735f6370755f6f70d80100520d0a09636f6d6d5f7479706548"
        "0052100a09636f6d6d5f73697a654880808002520d0a0770675f6e616d65ea010131";
    const std::string send =
        "4c08ad0212017318052202ac022a0300ac02520f0a09636f6d6d5f73697a6548808040520c0a08636f6d6d"
        "5f7372633800520c0a08636f6d6d5f6473743801520c0a08636f6d6d5f7461673807";
    Write(0, common + send);
    Write(1, common);
    ChakraSettings settings;
    std::istringstream groups("{\"1\": [0, 1]}");
    settings.groups = ParseProcessGroupFile(groups, "g");
    NS_TEST_EXPECT_MSG_EQ(GetMessage([&] { ReadChakraFiles(m_name, 2, settings); }),
                          "NAME.*.et: rank 0, operation 2 (node 301 (s): send of 1048576 bytes "
                          "to rank 1 with tag "
                          "7) is never received",
                          "a message without a receiver");
    NS_TEST_EXPECT_MSG_EQ(GetMessage([&] { ReadChakraFiles(m_name, 2); }),
                          "NAME.0.et: node 300 (ar) is of the process group \"1\", whose "
                          "ranks are not known: tell them with groups",
                          "no groups");
    NS_TEST_EXPECT_MSG_EQ(GetMessage([&] { ReadChakraFiles(m_name, 3); }),
                          "NAME.2.et: expected a file that can be opened, found \"No such file "
                          "or directory\"",
                          "no file");
    NS_TEST_EXPECT_MSG_EQ(GetMessage([&] { ReadChakraFiles(m_name, (1 << 20) + 1); }),
                          "number of ranks: expected a number from 0 to 1048576, found "
                          "\"1048577\"",
                          "too many ranks");

    // The receiver: node 5, COMM_RECV, tensor_size 1 MiB (uint64), comm_src 0, comm_tag 7
    Write(1,
          common + "33"
                   "08051806"
                   "52110a0b74656e736f725f73697a6568808040"
                   "520c0a08636f6d6d5f7372633800"
                   "520c0a08636f6d6d5f7461673807");
    NS_TEST_EXPECT_MSG_EQ(ReadChakraFiles(m_name, 0, settings).GetNRanks(), 2, "all files");
    RankApplicationHelper helper(ReadChakraFiles(m_name, 2, settings));
    NodeContainer nodes(2);
    helper.Install(nodes, FakeMessageEndpoint::Make(nodes, 1, NanoSeconds(1000)));
    Simulator::Run();
    // 10 us, two steps of 2 MiB and 1000 ns, and the message when the last step is acknowledged
    constexpr int64_t HALF = 2 << 20;
    const int64_t reduced = 10000 + 2 * (HALF + 1000) + 1000;
    const auto records = helper.GetCollectiveRecords();
    NS_TEST_ASSERT_MSG_EQ(records.size(), 1, "collectives");
    NS_TEST_EXPECT_MSG_EQ(records[0].name, "node 300 (ar)", "name");
    NS_TEST_EXPECT_MSG_EQ(records[0].finish, NanoSeconds(reduced), "all-reduce");
    NS_TEST_EXPECT_MSG_EQ(helper.GetRankRecords()[1].finish,
                          NanoSeconds(reduced + (1 << 20) + 1000),
                          "message");
    Simulator::Destroy();
}

/// Traces that gzip has packed are unpacked.
class PackedChakraFilesTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    /// Read a trace of rank 0. hex: its bytes.
    std::string Read(const std::string& extension, const std::string& hex)
    {
        const std::string name = CreateTempDirFilename("packed" + extension);
        std::ofstream file(name + ".0" + extension, std::ios::binary);
        for (const uint8_t byte : ParseHex(hex))
        {
            file.put(static_cast<char>(byte));
        }
        file.close();
        std::string text;
        try
        {
            const WorkloadPlan plan = ReadChakraFiles(name, 0);
            for (uint32_t i = 0; i < plan.GetProgram(0).GetN(); ++i)
            {
                text += plan.GetProgram(0).Describe(i) + "; ";
            }
        }
        catch (const std::runtime_error& error)
        {
            text = std::string(error.what()).substr(name.size());
        }
        return text;
    }
};

AIDC_TEST_CASE_F(PackedChakraFilesTestCase, "traces that gzip has packed are unpacked")
{
    // A computation of 7 us, an all-gather of 2 MiB and a computation of 3 us, by Python's gzip
    const std::string packed =
        "1f8b080000000000020363e76235d033d03391e46014624c9360b1600fe2e3e2cc2c8e4f2e288dcf2fb8c1"
        "c860c3c124c494982ec1aec5c8882e17c4cbc5999c9f9b1b5f525990eac1142400e5166756a57a34343430"
        "ca70300b31964ab06831325930a3eb06007c1b13a77c000000";
    const std::string expected =
        "computation of 7000 ns; all-gather of 2097152 bytes; computation of 3000 ns; ";
    const std::string all = Read(".et.gz", packed);
    if (all.find("without zlib") != std::string::npos)
    {
        return; // of a build without zlib, this is the test
    }
    NS_TEST_EXPECT_MSG_EQ(all, expected, "with .gz");
    NS_TEST_EXPECT_MSG_EQ(Read(".et", packed), expected, "without .gz");
    NS_TEST_EXPECT_MSG_EQ(Read(".et", packed.substr(0, packed.size() - 20)),
                          ".0.et: expected a file that gzip can unpack, found \"end of file\"",
                          "cut off");
    NS_TEST_EXPECT_MSG_EQ(Read(".et", "1f8b0800"),
                          ".0.et: expected a file that gzip can unpack, found \"end of file\"",
                          "the beginning");
    std::string damaged = packed;
    damaged.replace(60, 8, "ffffffff");
    NS_TEST_EXPECT_MSG_EQ(Read(".et", damaged).substr(0, 43),
                          ".0.et: expected a file that gzip can unpack",
                          "damaged");
}

void
WriteChakraNames(const std::string& folder, const std::string& name)
{
    std::ofstream(folder + "/" + name)
        << R"({"workload_graph": [{"Id": 1, "Name": "w", "NodeType": 4, "data_deps": [], )"
        << R"("runtime": 5, "is_cpu_op": false}]})";
}

/// Returns how many there are; the message of an error.
std::string
Count(const std::string& path, uint32_t nRanks = 0)
{
    try
    {
        return std::to_string(ReadChakraFiles(path, nRanks).GetNRanks());
    }
    catch (const std::runtime_error& error)
    {
        return error.what();
    }
}

// Names of files may have other numbers than ranks.
AIDC_TEST_CASE("names of files may have other numbers than ranks")
{
    const std::string folder = CreateTempDirFilename("names");
    SystemPath::MakeDirectories(folder);
    const std::string one = folder + "/1.0.2-chakra.0.0.4.json";
    WriteChakraNames(folder, "1.0.2-chakra.0.0.4.json");
    NS_TEST_EXPECT_MSG_EQ(Count(one), "1", "the only one of its name");
    NS_TEST_EXPECT_MSG_EQ(Count(one, 1), "1", "the only rank");
    NS_TEST_EXPECT_MSG_EQ(Count(folder), "1", "the only one in its folder");
    NS_TEST_EXPECT_MSG_EQ(Count(one, 8),
                          one + ": expected 8 files of ranks, found \"one\"",
                          "more ranks");
    WriteChakraNames(folder, "v1.2.0.json");
    WriteChakraNames(folder, "v1.2.1.json");
    NS_TEST_EXPECT_MSG_EQ(Count(folder), "2", "the name with ranks in a folder");
    NS_TEST_EXPECT_MSG_EQ(Count(folder + "/v1.2"), "2", "a name with a number");
    NS_TEST_EXPECT_MSG_EQ(Count(folder + "/v1.2.1.json"), "2", "one of them");
    // There is a rank 3, so that the others are missing
    WriteChakraNames(folder, "v1.2.3.json");
    NS_TEST_EXPECT_MSG_EQ(Count(folder).substr(folder.size()),
                          "/v1.2.2.json: expected a file that can be opened, found \"No such "
                          "file or directory\"",
                          "a rank is missing");
}

void
Check(const std::string& text, const std::string& expected)
{
    const std::string message = MessageOf<AidcInputError>([&] {
        std::istringstream stream(text);
        ParseProcessGroupFile(stream, "g");
    });
    NS_TEST_EXPECT_MSG_EQ(message, expected, text);
}

// Wrong files of process groups are refused.
AIDC_TEST_CASE("wrong files of process groups are refused")
{
    Check("{\"0\": [0, 1], \"dp\": [2]}", "");
    Check("[0]", "g:1: expected process groups in braces, found \"an array\"");
    Check("{\"0\":\n3}", "g:2: expected \"0\": a list of ranks in brackets, found \"3\"");
    Check("{\"0\": [-1]}", "g:1: expected a rank: a whole number from 0 to 1048575, found \"-1\"");
}
