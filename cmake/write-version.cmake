# SPDX-License-Identifier: GPL-2.0-only
#
# Writes OUTPUT, the source of GetAidcVersion(), if the version of the checkout
# SOURCE is another one than it has: what git describes, or else the release of CITATION.cff,
# as in an archive of a release.

# The variables of a git that runs this build belong to another repository
unset(ENV{GIT_DIR})
unset(ENV{GIT_WORK_TREE})
unset(ENV{GIT_INDEX_FILE})

# Answers of git; nothing without git, and where this is no repository.
function(ask_git result)
  execute_process(
    COMMAND git -C ${SOURCE} ${ARGN}
    RESULT_VARIABLE code
    OUTPUT_VARIABLE answer
    ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  if(NOT code STREQUAL 0)
    set(answer NOTFOUND)
  endif()
  set(${result}
      "${answer}"
      PARENT_SCOPE
  )
endfunction()

# The way up to the top folder is empty where SOURCE is that folder, not a part of
# another repository.
ask_git(way_up rev-parse --show-cdup)
set(version unknown)
if(EXISTS ${SOURCE}/CITATION.cff)
  file(STRINGS ${SOURCE}/CITATION.cff release REGEX "^version: ")
  string(REGEX MATCH "[0-9][0-9.]*" version "${release}")
endif()
if(way_up STREQUAL "")
  ask_git(described describe --tags --always --dirty)
  if(described)
    set(version ${described})
  endif()
endif()

set(text
    "// Written by ${CMAKE_CURRENT_LIST_FILE}
#include \"${SOURCE}/helper/experiment/aidc-version.h\"

std::string
ns3::aidc::GetAidcVersion()
{
    return \"${version}\";
}
"
)
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
