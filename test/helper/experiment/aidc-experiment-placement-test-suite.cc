// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/experiment-parameters.h"
#include "ns3/experiment-rank-options.h"

// Tests of where an experiment places ranks.

// Where an experiment places ranks.
AIDC_TEST_SUITE("aidc-experiment-placement", UNIT);

/// Ranks are where the option says, or the option is refused.
class ExperimentPlacementTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    /// Place 3 ranks at 4 places. value: the value of the option; none if it is empty.
    std::string Place(const std::string& value, const std::string& standard = "packed")
    {
        ExperimentPlacement placement(standard);
        ExperimentParameters parameters;
        placement.AddTo(parameters);
        std::string text = MessageOf([&] {
            if (!value.empty())
            {
                parameters.Set("placement", value);
            }
            placement.Prepare(3, 4);
        });
        if (!text.empty())
        {
            return text;
        }
        const auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(1);
        auto places = placement.Place(4, uniform);
        m_next = uniform->GetInteger(0, 1000000);
        places.resize(3);
        for (const uint32_t place : places)
        {
            text += (text.empty() ? "" : " ") + std::to_string(place);
        }
        return text;
    }

    /// Shuffled places are all there, in different orders with different streams.
    void CheckShuffled()
    {
        ExperimentPlacement placement("shuffled");
        placement.Prepare(100, 100);
        std::vector<std::vector<uint32_t>> orders;
        for (const int64_t stream : {1, 1, 2})
        {
            const auto uniform = CreateObject<UniformRandomVariable>();
            uniform->SetStream(stream);
            orders.push_back(placement.Place(100, uniform));
            auto sorted = orders.back();
            std::sort(sorted.begin(), sorted.end());
            for (uint32_t place = 0; place < 100; ++place)
            {
                NS_TEST_ASSERT_MSG_EQ(sorted.at(place), place, "each place once");
            }
        }
        AIDC_EXPECT(orders[0] == orders[1], "a stream has one order");
        AIDC_EXPECT(!(orders[0] == orders[2]), "another one has another order");
    }

    uint32_t m_next{0}; //!< what was drawn behind the places
};

AIDC_TEST_CASE_F(ExperimentPlacementTestCase, "ranks are where the option says, or it is refused")
{
    NS_TEST_EXPECT_MSG_EQ(Place(""), "0 1 2", "default");
    const std::string shuffled = Place("shuffled");
    const uint32_t next = m_next;
    NS_TEST_EXPECT_MSG_EQ(Place("", "shuffled"), shuffled, "default");
    NS_TEST_EXPECT_MSG_EQ(Place("packed"), "0 1 2", "packed");
    NS_TEST_EXPECT_MSG_EQ(m_next, next, "what is drawn behind places");
    NS_TEST_EXPECT_MSG_EQ(Place("packed", "shuffled"), "0 1 2", "packed");
    CheckShuffled();
    const std::string missing = CreateTempDirFilename("missing.txt");
    NS_TEST_EXPECT_MSG_EQ(Place(missing).substr(0, missing.size()), missing, "no such file");
    const std::string name = CreateTempDirFilename("placement.txt");
    const std::vector<std::pair<std::string, std::string>> files{
        {"# of each rank\n3\n\n0\n1\n", "3 0 1"},
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
