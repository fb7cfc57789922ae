/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/experiment-figures.h"
#include "ns3/test.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/stat.h>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

/**
 * @ingroup aidc-test
 * @brief Figures that cannot be drawn are said in one line.
 *
 * Whether gnuplot is installed is unknown here, so that only what does not depend on it is checked.
 */
class AidcFigureTestCase : public TestCase
{
  public:
    AidcFigureTestCase()
        : TestCase("figures that cannot be drawn are said in one line")
    {
    }

  private:
    void DoRun() override
    {
        const auto script = CreateTempDirFilename("script.gp");
        const auto folder = script.substr(0, script.find_last_of('/'));
        const auto isOneLine = [](const std::string& text) {
            return text.find('\n') == text.size() - 1;
        };

        std::ostringstream missing;
        NS_TEST_EXPECT_MSG_EQ((DrawFigures(script, folder, missing) == FigureOutcome::FAILED),
                              true,
                              "no script");
        NS_TEST_EXPECT_MSG_EQ((missing.str().find(script) != std::string::npos), true, "name");
        NS_TEST_EXPECT_MSG_EQ(isOneLine(missing.str()), true, missing.str());

        std::ofstream(script) << "no such command\n";
        std::ostringstream nowhere;
        std::string error;
        try
        {
            DrawFigures(script, folder + "/none", nowhere);
        }
        catch (const std::runtime_error& thrown)
        {
            error = thrown.what();
        }
        NS_TEST_EXPECT_MSG_EQ(error,
                              "cannot write " + folder +
                                  "/none/figures.gp: No such file or directory",
                              "no folder");

        std::ostringstream failed;
        NS_TEST_EXPECT_MSG_EQ((DrawFigures(script, folder, failed) != FigureOutcome::DRAWN),
                              true,
                              "bad script");
        NS_TEST_EXPECT_MSG_EQ(isOneLine(failed.str()), true, failed.str());
        std::ifstream copy(folder + "/figures.gp");
        std::string line;
        std::getline(copy, line);
        NS_TEST_EXPECT_MSG_EQ(line, "no such command", "the copy");
    }
};

/**
 * @ingroup aidc-test
 * @brief If gnuplot is ended by a signal, the line names it, as gnuplot itself has said nothing.
 *
 * A script stands for gnuplot. It sends itself signal 11, by which gnuplot ends if it crashes.
 */
class AidcGnuplotCrashTestCase : public TestCase
{
  public:
    AidcGnuplotCrashTestCase()
        : TestCase("a gnuplot that crashes is said with its signal")
    {
    }

  private:
    void DoRun() override
    {
        // Absolute, as gnuplot is looked for from another folder.
        const auto program = std::filesystem::absolute(CreateTempDirFilename("gnuplot")).string();
        const auto folder = program.substr(0, program.find_last_of('/'));
        std::ofstream(program) << "#!/bin/sh\nkill -11 $$\n";
        chmod(program.c_str(), 0755);
        const auto script = folder + "/crash.gp";
        std::ofstream(script) << "plot x\n";

        const std::string path = std::getenv("PATH");
        setenv("PATH", (folder + ":" + path).c_str(), 1);
        std::ostringstream log;
        const auto outcome = DrawFigures(script, folder, log);
        setenv("PATH", path.c_str(), 1);
        NS_TEST_EXPECT_MSG_EQ((outcome == FigureOutcome::FAILED), true, "a crash");
        const std::string expected =
            "No figures: gnuplot failed on figures.gp: it was ended by signal 11 (";
        NS_TEST_EXPECT_MSG_EQ(log.str().substr(0, expected.size()), expected, "the signal");
    }
};

/**
 * @ingroup aidc-test
 * @brief A user sees the notes of a script, and no warnings of gnuplot, for which a script stands.
 */
class AidcGnuplotWarningsTestCase : public TestCase
{
  public:
    AidcGnuplotWarningsTestCase()
        : TestCase("gnuplot's warnings are not shown, notes of the script are")
    {
    }

  private:
    void DoRun() override
    {
        const auto program = std::filesystem::absolute(CreateTempDirFilename("gnuplot")).string();
        const auto folder = program.substr(0, program.find_last_of('/'));
        std::ofstream(program) << "#!/bin/sh\necho 'Warning: empty y range [0:0], adjusting to "
                                  "[0:1]'\necho 'No figure x: nothing moves'\n"
                                  "echo '\"figures.gp\" line 8: warning: too many colors'\n";
        chmod(program.c_str(), 0755);
        const auto script = folder + "/warns.gp";
        std::ofstream(script) << "plot x\n";

        const std::string path = std::getenv("PATH");
        setenv("PATH", (folder + ":" + path).c_str(), 1);
        std::ostringstream log;
        const auto outcome = DrawFigures(script, folder, log);
        setenv("PATH", path.c_str(), 1);
        NS_TEST_EXPECT_MSG_EQ((outcome == FigureOutcome::DRAWN), true, "it ends well");
        NS_TEST_EXPECT_MSG_EQ(log.str(),
                              "No figure x: nothing moves\nFigures drawn by figures.gp\n",
                              "the note");
    }
};

/**
 * @ingroup aidc-test
 * @brief Figures that cannot be drawn.
 */
class AidcExperimentFiguresTestSuite : public TestSuite
{
  public:
    AidcExperimentFiguresTestSuite()
        : TestSuite("aidc-experiment-figures", TestSuite::Type::UNIT)
    {
        AddTestCase(new AidcFigureTestCase);
        AddTestCase(new AidcGnuplotCrashTestCase);
        AddTestCase(new AidcGnuplotWarningsTestCase);
    }
};

/// The instance that registers the suite
const AidcExperimentFiguresTestSuite g_aidcExperimentFiguresTestSuite;

} // namespace
