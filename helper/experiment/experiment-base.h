// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EXPERIMENT_BASE_H
#define AIDC_EXPERIMENT_BASE_H

#include "experiment-parameters.h"
#include "experiment-results.h"
#include "experiment-run.h"

#include "ns3/attribute.h"
#include "ns3/ptr.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Defaults of attributes that hold for the time of an experiment.
///
/// In a process with several experiments, such as a notebook, the next one has the defaults that
/// were there before.
class AttributeDefaults
{
  public:
    AttributeDefaults() = default;
    /// Restores the defaults.
    ~AttributeDefaults();

    /// Moves the defaults, which the other one no longer restores.
    AttributeDefaults(AttributeDefaults&&) = default;

    AttributeDefaults(const AttributeDefaults&) = delete;
    AttributeDefaults& operator=(const AttributeDefaults&) = delete;

    /// Set the default of an attribute from a user's text.
    ///
    /// ns-3's own parser answers a wrong name with all of its help. Many of its values end the
    /// program where the text is wrong, and times and rates take a number without a unit.
    /// @param name the name, with its class: ns3::aidc::SharedBuffer::Size
    /// @param text the value
    /// @throws std::runtime_error if there is no such attribute, or the text is wrong: with what
    ///         was expected
    void Set(const std::string& name, const std::string& text);

  private:
    /// The attributes that were set, in order, and their defaults before
    std::vector<std::pair<std::string, Ptr<const AttributeValue>>> m_before;
};

/// An experiment: its program makes one run of a scheme in a scenario, and prints what it has
/// measured. `./aidc run` makes many runs and compares them.
///
/// The constructor of a subclass says what may be run (GetPlan()) and set (GetParameters()), and
/// MakeRun() makes a run. main() is `return MyExperiment().Main(argc, argv);`.
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
    /// @return what main() returns: 0, or 1 after an error, which is printed
    int Main(int argc, char* argv[]);

    /// Run a command line.
    /// @param command the name of the program, as errors give it, and arguments; "--name value"
    ///        stands for "--name=value"
    /// @return 0, or 1 after an error, which is printed
    int RunCommand(const std::vector<std::string>& command);

    /// Set an option, or the default of an attribute until the run is over.
    /// @param name its name; of an attribute, such as ns3::aidc::CoupledEcnQueueDisc::EcnFloor
    /// @param text its value, as on the command line; "true" for a flag
    /// @throws std::runtime_error if there is no such option, or the text is wrong
    void Set(const std::string& name, const std::string& text)
    {
        AddOptions();
        Take(name, text);
    }

    /// Make the run.
    /// @return what it has measured, with its wall time
    /// @throws std::runtime_error if an option or a file is not as it should be
    ExperimentOutcome Run();

  protected:
    /// Get what may be run, to be filled in by the constructor. @return the plan
    ExperimentPlan& GetPlan()
    {
        return m_plan;
    }

    /// @return what may be run
    const ExperimentPlan& GetPlan() const
    {
        return m_plan;
    }

    /// Get what a user may set, to which the constructor adds.
    /// @return the parameters, without the options of all experiments, which come after them
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
    /// Check options against each other, and derive the plan and other values from them, once
    /// before the run. By default there is nothing to do. @throws std::runtime_error with what was
    /// expected, if an option is not as it should be
    virtual void Prepare(ExperimentPlan& plan);

    /// Make a run: make the scenario, announce it, simulate, and measure.
    virtual ExperimentOutcome MakeRun(const ExperimentRun& run) const = 0;

    /// Take the options off a command line, because ns-3 answers a wrong one with all of its help
    std::map<std::string, std::string> TakeOptions(std::vector<std::string>& arguments) const;

    /// Take the value of an option, or the default of an attribute
    void Take(const std::string& name, const std::string& text);

    /// Add the options of all experiments, after the experiment's own options
    void AddOptions();

    /// Check all options and derive the plan, once
    void Check();

    /// What the options choose of the plan
    ExperimentRun Choose() const;

    /// Do what the options say, and print the result, as one of several processes or alone
    void Print();

    /// The plan as JSON, in one line
    std::string PrintPlan() const;

    /// Tell the user of an error, in one of several processes
    [[noreturn]] static void TellFailure(const std::string& text);

    std::string m_usage;               //!< what it is about
    ExperimentAbilities m_abilities;   //!< what not all experiments can do
    ExperimentPlan m_plan;             //!< what may be run
    ExperimentOptions m_options;       //!< the options of all experiments
    ExperimentParameters m_parameters; //!< what a user may set
    AttributeDefaults m_defaults;      //!< defaults of attributes that the user has set
    bool m_hasOptions{false};          //!< whether AddOptions() was called
    bool m_hasRun{false};              //!< whether Run() was called
    bool m_isChecked{false};           //!< whether the options are right
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_BASE_H
