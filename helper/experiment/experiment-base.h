/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_BASE_H
#define AIDC_EXPERIMENT_BASE_H

#include "attribute-defaults.h"
#include "experiment-options.h"
#include "experiment-parameters.h"
#include "experiment-runner.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief An experiment: the options that a user may set, its scenarios and schemes, and its runs.
 *
 * A program is one call:
 * @code
 *   int main(int argc, char* argv[])
 *   {
 *       return aidc::CoupledEcnExperiment().Main(argc, argv);
 *   }
 * @endcode
 * Elsewhere, as in Python, options are set one by one; an object runs once:
 * @code
 *   aidc::CoupledEcnExperiment experiment;
 *   experiment.Set("scenarios", "incast");
 *   experiment.Set("small", "true");
 *   experiment.Run();
 * @endcode
 *
 * A class of an experiment fills in the plan and adds its parameters when it is made, and makes a
 * run of one scheme in one scenario.
 */
class ExperimentBase
{
  public:
    /// @param name the name, in kebab-case
    /// @param usage what it is about, for --help
    /// @param abilities abilities that not all experiments have
    ExperimentBase(const std::string& name,
                   const std::string& usage,
                   const ExperimentAbilities& abilities = {});

    virtual ~ExperimentBase() = default;
    ExperimentBase(const ExperimentBase&) = delete;
    ExperimentBase& operator=(const ExperimentBase&) = delete;

    /// Run the program of the experiment, aidc-NAME.
    /// @param argc the number of arguments
    /// @param argv the arguments, the first of which is not used
    /// @return what main() returns: 0, or 1 after an error, also of gnuplot alone, which is printed
    int Main(int argc, char* argv[]);

    /// Run a command line.
    /// @param command the name of the program, as the summary and errors give it, and arguments;
    ///        "--name value" stands for "--name=value"
    /// @return 0, or 1 after an error, also of gnuplot alone, which is printed
    int RunCommand(const std::vector<std::string>& command);

    /// Set an option, or the default of an attribute until the run is over.
    /// @param name its name; of an attribute, such as ns3::aidc::CoupledEcnQueueDisc::EcnFloor
    /// @param text its value, as on the command line; "true" for a flag
    /// @throws std::runtime_error if there is no such option, or the text is wrong
    void Set(const std::string& name, const std::string& text);

    /// Run all schemes in all scenarios, and write the results.
    /// @throws std::runtime_error if an option or a file is not as it should be
    void Run();

  protected:
    /// Get what is run and kept, to be filled in by the constructor. @return the plan
    ExperimentPlan& GetPlan()
    {
        return m_plan;
    }

    /// @return what is run and kept
    const ExperimentPlan& GetPlan() const
    {
        return m_plan;
    }

    /// Get what a user may set, to which the constructor adds.
    /// @return the parameters, without those of all experiments, which come after them
    ExperimentParameters& GetParameters()
    {
        return m_parameters;
    }

    /// @return the options that all experiments have
    const ExperimentOptions& GetOptions() const
    {
        return m_options;
    }

  private:
    /// Take the experiment's own options off a command line, because ns-3 answers a wrong option
    /// with all of its help.
    /// @param [in,out] arguments the command line, with each value at its option; what is ns-3's is
    ///        left
    /// @return the texts of options, by name
    /// @throws std::runtime_error if there is no such option, or it is given twice
    std::map<std::string, std::string> TakeOptions(std::vector<std::string>& arguments) const;

    /// Check options against each other, and derive the plan and other values from them, once
    /// before the first run. By default there is nothing to do.
    /// @param [in,out] plan the plan
    /// @throws std::runtime_error with what was expected, if an option is not as it should be
    virtual void Prepare(ExperimentPlan& plan);

    /// Make a run: make the scenario, announce it, simulate, and measure. It must not depend on
    /// other runs, which may be made in other processes (ExperimentRunner).
    /// @param run the scenario and the scheme
    /// @return the results of the run; the simulator is destroyed
    virtual ExperimentOutcome MakeRun(const ExperimentRun& run) const = 0;

    /// Take the value of an option, or the default of an attribute.
    /// @param name its name
    /// @param text its value
    /// @throws std::runtime_error if there is no such option or attribute, or the text is wrong
    void Take(const std::string& name, const std::string& text);

    /// Add the options of all experiments, after those of the experiment itself.
    void AddOptions();

    /// Give the options that the user has not given their defaults of --small, if that is given.
    void TakeSmall();

    /// Check the parameters, and derive the plan from them.
    /// @throws std::runtime_error with what was expected, if one is not as it should be
    void CheckParameters();

    /// Make the runs in this process, which may be one of several ranks.
    void RunHere();

    /// Make the runs as one of several ranks, of which one tells of an error.
    /// @throws OtherRankFailed if another one tells
    void RunAsRank();

    /// Tell the other ranks, and the process that has started them, of an error.
    /// @param text the error
    /// @throws std::runtime_error if this rank is to print it
    /// @throws OtherRankFailed if not
    [[noreturn]] static void TellFailure(const std::string& text);

    /// Start the ranks, and wait until they are done.
    void StartRanks();

    std::string m_usage;                //!< what it is about
    std::vector<std::string> m_program; //!< the program and its arguments; empty if it is not ours
    ExperimentAbilities m_abilities;    //!< what not all experiments can do
    ExperimentPlan m_plan;              //!< what is run and kept
    ExperimentOptions m_options;        //!< the options of all experiments
    ExperimentParameters m_parameters;  //!< what a user may set
    AttributeDefaults m_defaults;       //!< defaults of attributes that the user has set
    bool m_hasOptions{false};           //!< whether AddOptions() was called
    bool m_hasRun{false};               //!< whether Run() was called
    bool m_hasFigures{true};            //!< false if gnuplot has failed
    bool m_isChecked{false};            //!< whether the options of all experiments are right
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_BASE_H
