// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PAIRED_TIMING_H
#define AIDC_PAIRED_TIMING_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * @brief How the benchmarks measure what one thing costs over another, and how they say it.
 *
 * The two things run in turn, A B B A A B..., in one run of one program, and each pair gives a
 * ratio of processor times; the result is their median. What disturbs a machine (other programs,
 * its clock rate) lasts longer than a pair, so that it changes both sides of a ratio, or spoils a
 * few of them that the median leaves out. Google Benchmark is not used here: it runs one benchmark
 * to its end before it begins the next, and compares means that were measured at different times,
 * which on a busy machine differ by more than the few percent that are looked for.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The ratios of a number of pairs.
 */
struct PairedRatio
{
    double median{0};        //!< the result
    double lowerQuartile{0}; //!< a quarter of the pairs are below
    double upperQuartile{0}; //!< a quarter of the pairs are above
    double seconds{0};       //!< median of what the second of a pair took, in processor time
    std::size_t pairs{0};    //!< the number of pairs
};

/**
 * @ingroup aidc
 * @brief Get the processor time of a call.
 * @tparam Call a callable without parameters
 * @param call what to measure
 * @return seconds
 */
template <typename Call>
double
GetProcessorTime(Call&& call)
{
    const std::clock_t begin = std::clock();
    call();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/**
 * @ingroup aidc
 * @brief Get a quantile.
 * @param values the values, at least one
 * @param q from 0 to 1
 * @return the value at that rank
 */
inline double
GetQuantile(std::vector<double> values, double q)
{
    const auto rank = static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[rank];
}

/**
 * @ingroup aidc
 * @brief Collects pairs of times.
 */
class PairedTiming
{
  public:
    /**
     * @brief Measure one pair; which goes first alternates.
     * @tparam A a callable without parameters
     * @tparam B a callable without parameters
     * @param a what is divided
     * @param b what it is divided by
     */
    template <typename A, typename B>
    void Measure(A&& a, B&& b)
    {
        double timeA = 0;
        double timeB = 0;
        if (m_ratios.size() % 2 == 0)
        {
            timeA = GetProcessorTime(a);
            timeB = GetProcessorTime(b);
        }
        else
        {
            timeB = GetProcessorTime(b);
            timeA = GetProcessorTime(a);
        }
        Add(timeA, timeB);
    }

    /**
     * @brief Add a pair that was measured elsewhere.
     * @param timeA what is divided
     * @param timeB what it is divided by
     */
    void Add(double timeA, double timeB)
    {
        m_ratios.push_back(timeA / timeB);
        m_seconds.push_back(timeB);
    }

    /**
     * @brief Get the result.
     * @return the median of the ratios, and their spread
     */
    PairedRatio Get() const
    {
        PairedRatio result;
        result.median = GetQuantile(m_ratios, 0.5);
        result.lowerQuartile = GetQuantile(m_ratios, 0.25);
        result.upperQuartile = GetQuantile(m_ratios, 0.75);
        result.seconds = GetQuantile(m_seconds, 0.5);
        result.pairs = m_ratios.size();
        return result;
    }

  private:
    std::vector<double> m_ratios;  //!< time of A over time of B
    std::vector<double> m_seconds; //!< time of B
};

/**
 * @ingroup aidc
 * @brief What a benchmark program was asked for.
 */
struct BenchmarkOptions
{
    bool selected{true}; //!< the benchmark is among the names, or there are no names
    uint32_t pairs{0};   //!< pairs to measure
    std::string only;    //!< the one side to run, for a profiler; empty to measure pairs
};

/**
 * @ingroup aidc
 * @brief Read the command line of a benchmark program; ends the program for --help.
 * @param argc the number of arguments
 * @param argv the arguments
 * @param name the name of the benchmark
 * @param text what it measures
 * @param sides what --only may be, separated by spaces
 * @param pairs the default number of pairs
 * @return what was asked for
 */
inline BenchmarkOptions
ParseBenchmarkOptions(int argc,
                      char* argv[],
                      const std::string& name,
                      const std::string& text,
                      const std::string& sides,
                      uint32_t pairs)
{
    BenchmarkOptions options;
    options.pairs = pairs;
    const std::string usage = std::string("Usage: ") + argv[0] +
                              " [--pairs=N] [--only=SIDE] [NAME...]\n\n" + name + ": " + text +
                              "\n\n"
                              "  NAME         run only what is named so; other names are ignored\n"
                              "  --pairs=N    pairs of runs to measure (default: " +
                              std::to_string(pairs) +
                              ")\n"
                              "  --only=SIDE  run that side alone, for a profiler, and measure "
                              "nothing: " +
                              sides + "\n";
    bool hasNames = false;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const std::string value =
            argument.substr(std::min(argument.find('=') + 1, argument.size()));
        if (argument == "--help" || argument == "-h")
        {
            std::cout << usage;
            std::exit(0);
        }
        if (argument.rfind("--pairs=", 0) == 0 && !value.empty() && value.size() < 8 &&
            value.find_first_not_of("0123456789") == std::string::npos && std::stoul(value) > 0)
        {
            options.pairs = static_cast<uint32_t>(std::stoul(value));
        }
        else if (argument.rfind("--only=", 0) == 0 && !value.empty() &&
                 (" " + sides + " ").find(" " + value + " ") != std::string::npos)
        {
            options.only = value;
        }
        else if (argument.rfind('-', 0) == 0)
        {
            std::cerr << "Not understood: " << argument << "\n\n" << usage;
            std::exit(2);
        }
        else
        {
            options.selected = (hasNames && options.selected) || argument == name;
            hasNames = true;
        }
    }
    return options;
}

/**
 * @ingroup aidc
 * @brief Print a result for the machine, a line of JSON on the standard output.
 * @param name the name of the benchmark
 * @param value the result
 * @param unit its unit
 * @param against what it was measured against
 * @param repetitions of how many measurements it is the median
 */
inline void
PrintResult(const std::string& name,
            double value,
            const std::string& unit,
            const std::string& against,
            std::size_t repetitions)
{
    std::printf("{\"name\": \"%s\", \"value\": %.4f, \"unit\": \"%s\", \"against\": \"%s\", "
                "\"median_of\": %zu}\n",
                name.c_str(),
                value,
                unit.c_str(),
                against.c_str(),
                repetitions);
    std::fflush(stdout);
}

/**
 * @ingroup aidc
 * @brief Print a ratio for the machine.
 * @param name the name of the benchmark
 * @param against what it was measured against
 * @param ratio the result
 */
inline void
PrintResult(const std::string& name, const std::string& against, const PairedRatio& ratio)
{
    PrintResult(name, ratio.median, "1", against, ratio.pairs);
}

/**
 * @ingroup aidc
 * @brief Say that something cannot be measured here: the value is null.
 * @param name the name of the benchmark
 * @param reason why
 */
inline void
PrintLeftOut(const std::string& name, const std::string& reason)
{
    std::printf(
        "{\"name\": \"%s\", \"value\": null, \"unit\": \"1\", \"against\": \"left out: %s\", "
        "\"median_of\": 0}\n",
        name.c_str(),
        reason.c_str());
    std::fflush(stdout);
}

/**
 * @ingroup aidc
 * @brief Print a result for the reader, on the standard error.
 * @param text what was measured
 * @param ratio the result
 * @param work how many packets a run carries
 */
inline void
PrintNote(const std::string& text, const PairedRatio& ratio, double work)
{
    std::fprintf(stderr,
                 "  %-62s %.3f (quartiles %.3f to %.3f, %zu pairs; 1 is %.0f ns a packet)\n",
                 text.c_str(),
                 ratio.median,
                 ratio.lowerQuartile,
                 ratio.upperQuartile,
                 ratio.pairs,
                 ratio.seconds / work * 1e9);
}

} // namespace ns3::aidc

#endif // AIDC_PAIRED_TIMING_H
