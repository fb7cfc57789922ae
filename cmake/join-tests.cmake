# SPDX-License-Identifier: GPL-2.0-only
#
# Run as a step of the build: writes OUTPUT, which compiles all of FILES (A,B,...) at
# once. These are named from the folder SOURCE, so that OUTPUT is the same in each clone
# and caches of compilers know it.
#
# Each file gets a namespace of its own, with an unnamed one in it, so that helpers of
# equal names do not meet and unused ones are told. What the files include stands before,
# at the top: guards leave nothing of it for the namespaces. A file that adds to a named
# namespace itself gets none. Of files that are programs, OUTPUT is one: its first argument
# is the name of the file whose main() goes on with the others.

cmake_minimum_required(VERSION 3.20)

string(REPLACE "," ";" FILES ${FILES})
set(includes)
set(own) # headers next to the tests: by their paths, and last
set(files)
set(programs)
set(names)
foreach(file ${FILES})
  get_filename_component(folder ${file} DIRECTORY)
  file(STRINGS ${SOURCE}/${file} lines REGEX "^#include ")
  foreach(line ${lines})
    string(REGEX REPLACE "#include \"(.+)\"" "${folder}/\\1" header "${line}")
    if(EXISTS "${SOURCE}/${header}")
      list(APPEND own "#include \"${header}\"")
    else()
      list(APPEND includes "${line}")
    endif()
  endforeach()

  set(text "#include \"${file}\"\n")
  file(STRINGS ${SOURCE}/${file} named REGEX "^namespace [a-z]")
  if(NOT named)
    get_filename_component(name ${file} NAME_WE)
    string(MAKE_C_IDENTIFIER ${name} space)
    string(PREPEND text "namespace ${space}\n{\nnamespace\n{\n")
    string(APPEND text "}\n}\n")
  endif()
  string(APPEND files "${text}")
  file(STRINGS ${SOURCE}/${file} main REGEX "^main\\(")
  if(main)
    list(APPEND includes "#include <iostream>" "#include <string>")
    list(APPEND names ${name})
    string(APPEND programs "    if (name == \"${name}\")\n")
    string(APPEND programs "        return ${space}::main(argc - 1, argv + 1);\n")
  endif()
endforeach()
if(programs)
  list(JOIN names " " names)
  string(APPEND files "int\nmain(int argc, char* argv[])\n{\n"
         "    const std::string name = argc > 1 ? argv[1] : \"\";\n"
         "${programs}    std::cerr << \"Usage: PROGRAM ARGUMENTS, with one of ${names}\\n\";\n"
         "    return 2;\n}\n"
  )
endif()
list(APPEND includes ${own})
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
file(WRITE ${OUTPUT} "${includes}\n\n${files}")
