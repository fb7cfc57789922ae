/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RESULTS_FOLDER_H
#define AIDC_RESULTS_FOLDER_H

#include <filesystem>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The folder of an experiment's results, which appear there all at once.
 *
 * While the experiment runs, the results are in a folder beside it, FOLDER.partial, which only one
 * run at a time can use. So a run that fails or is interrupted leaves the former results as they
 * were, and Ctrl-C leaves nothing. Files of the former results that the new ones do not have are
 * removed; other files of the user in the folder stay.
 */
class ResultsFolder
{
  public:
    /// Constructor: makes the partial folder, empty.
    /// @param folder where results are to appear; it need not exist
    /// @param experiment the experiment, which may replace its own results only; empty for any
    /// @throws std::runtime_error if it cannot be made, another run uses it, or it has results of
    ///         another experiment
    explicit ResultsFolder(const std::filesystem::path& folder, const std::string& experiment = "");

    /// Destructor. Without Commit(), the partial folder is left if Keep() was called.
    ~ResultsFolder();

    ResultsFolder(const ResultsFolder&) = delete;
    ResultsFolder& operator=(const ResultsFolder&) = delete;

    /// Remove what a run has left that was killed. What another run writes to stays.
    /// @param folder where its results were to appear
    static void RemovePartial(const std::filesystem::path& folder);

    /// Get the folder to write to. @return the partial folder
    const std::filesystem::path& GetPartial() const
    {
        return m_partial;
    }

    /// Keep the partial folder even if the run fails, as it is worth looking at from now on.
    void Keep()
    {
        m_isKept = true;
    }

    /// Leave nothing after all.
    void Discard()
    {
        m_isKept = false;
    }

    /// @return whether Keep() was called, and not yet Commit()
    bool IsKept() const
    {
        return m_isKept;
    }

    /// Move the results to where they are to appear.
    /// @throws std::runtime_error if that fails
    void Commit();

  private:
    /// Try to make the partial folder this run's own.
    /// @return whether it is; if not, somebody has removed it meanwhile
    /// @throws std::runtime_error if another run uses it
    bool Lock();

    /// Give up the lock.
    void Unlock();

    std::filesystem::path m_folder;  //!< where results are to appear
    std::filesystem::path m_partial; //!< where they are written
    int m_lock{-1};                  //!< the descriptor of the lock
    bool m_isKept{false};            //!< whether the partial folder is worth looking at
};

} // namespace ns3::aidc

#endif // AIDC_RESULTS_FOLDER_H
