/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/experiment-parameters.h"
#include "ns3/experiment-placement.h"
#include "ns3/test.h"

#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

/**
 * @file
 * @ingroup aidc-test
 * Tests of where an experiment places ranks.
 */

namespace
{

/**
 * @ingroup aidc-test
 * @brief Ranks are where the option says, or the option is refused.
 */
class ExperimentPlacementTestCase : public TestCase
{
  public:
    ExperimentPlacementTestCase()
        : TestCase("ranks are where the option says, or it is refused")
    {
    }

  private:
    /**
     * @brief Place 3 ranks at 4 places, hosts 0, 2, 4 and 6.
     * @param value the value of the option; none if it is empty
     * @return the hosts, separated by spaces, or the error
     */
    std::string Place(const std::string& value)
    {
        ExperimentPlacement placement;
        ExperimentParameters parameters;
        placement.AddTo(parameters);
        std::string text;
        try
        {
            if (!value.empty())
            {
                parameters.Set("placement", value);
            }
            placement.Prepare(3, 4);
        }
        catch (const std::runtime_error& error)
        {
            return error.what();
        }
        const std::vector<NodeIndex> places{NodeIndex(0), NodeIndex(2), NodeIndex(4), NodeIndex(6)};
        const std::vector<NodeIndex> shuffled{places[3], places[1], places[0], places[2]};
        auto hosts = placement.Place(places, shuffled);
        hosts.resize(3);
        for (const NodeIndex host : hosts)
        {
            text += (text.empty() ? "" : " ") + std::to_string(host.value);
        }
        return text;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Place(""), "6 2 0", "default");
        NS_TEST_EXPECT_MSG_EQ(Place("shuffled"), "6 2 0", "shuffled");
        NS_TEST_EXPECT_MSG_EQ(Place("packed"), "0 2 4", "packed");
        const std::string missing = CreateTempDirFilename("missing.txt");
        NS_TEST_EXPECT_MSG_EQ(Place(missing).substr(0, missing.size()), missing, "no such file");
        const std::string name = CreateTempDirFilename("placement.txt");
        const std::vector<std::pair<std::string, std::string>> files{
            {"# of each rank\n3\n\n0\n1\n", "6 0 2"},
            {"0\n1\n", name + ":3: expected the place of rank 2, found \"end of file\""},
            {"0\n4\n1\n", name + ":2: expected a place from 0 to 3, found \"4\""},
            {"0\nx\n1\n", name + ":2: expected a place from 0 to 3, found \"x\""},
            {"0\n2\n0\n", name + ":3: expected each place once, found \"0\""},
            {"0\n1 2\n3\n", name + ":2: expected the place of rank 1, found \"1 2\""},
            {"0\n1\n2\n3\n",
             name + ":4: expected the end of the file behind the places of 3 ranks, found \"3\""}};
        for (const auto& [text, expected] : files)
        {
            std::ofstream(name) << text;
            NS_TEST_EXPECT_MSG_EQ(Place(name), expected, text);
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief Where an experiment places ranks.
 */
class AidcExperimentPlacementTestSuite : public TestSuite
{
  public:
    AidcExperimentPlacementTestSuite()
        : TestSuite("aidc-experiment-placement", TestSuite::Type::UNIT)
    {
        AddTestCase(new ExperimentPlacementTestCase);
    }
};

/// The instance that registers the suite
const AidcExperimentPlacementTestSuite g_aidcExperimentPlacementTestSuite;

} // namespace
