// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EXPERIMENT_DATA_FILE_H
#define AIDC_EXPERIMENT_DATA_FILE_H

#include <string>

namespace ns3::aidc
{

/// Find an input file by its path or by its name among the module's own.
///
/// The name is taken, in this order, as a path; below the folder that the environment variable
/// `AIDC_DATA` names; below `examples/data` of an installed package of this library; below
/// `examples/data` of the module's source.
/// @param name a path, or a name such as `flow-sizes/web-search-dctcp.txt`
/// @return the path of a file that can be opened
/// @throws AidcInputError that names the places of the search
std::string FindDataFile(const std::string& name);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_DATA_FILE_H
