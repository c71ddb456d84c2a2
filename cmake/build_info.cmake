# Run at build time (cmake -P): writes what a bundle says about the program that made it. The file changes only when its
# content does, so an unchanged tree relinks nothing.
# Arguments: SOURCE_DIR, OUTPUT, VERSION, COMPILER, FLAGS.
execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE no_git)
if(no_git)
  set(commit "")
  set(dirty "false")
  file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/src/* ${SOURCE_DIR}/ops/* ${SOURCE_DIR}/include/*
       ${SOURCE_DIR}/cmake/*)
  list(APPEND files CMakeLists.txt)
else()
  execute_process(COMMAND git -C ${SOURCE_DIR} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes)
  if(changes)
    set(dirty "true")
  else()
    set(dirty "false")
  endif()
  execute_process(COMMAND git -C ${SOURCE_DIR} ls-files -- src ops include cmake CMakeLists.txt OUTPUT_VARIABLE listed
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "\n" ";" files "${listed}")
endif()
list(SORT files)
set(all "")
foreach(file IN LISTS files)
  if(EXISTS ${SOURCE_DIR}/${file})
    file(SHA256 ${SOURCE_DIR}/${file} digest)
    string(APPEND all "${digest}  ${file}\n")
  endif()
endforeach()
string(SHA256 tree "${all}")
string(SHA256 build "${tree} ${COMPILER} ${FLAGS}")
string(SUBSTRING ${build} 0 16 build)

set(project_files "")
foreach(file CMakeLists.txt CMakePresets.json scripts/setup.sh)
  file(SHA256 ${SOURCE_DIR}/${file} digest)
  file(SIZE ${SOURCE_DIR}/${file} size)
  string(APPEND project_files "      {\"${file}\", \"${digest}\", ${size}},\n")
endforeach()

string(REPLACE "\"" "\\\"" flags "${FLAGS}")
set(text "// Written by the build.
#include \"core/build_info.h\"

namespace noema {

const BuildInfo& build_info() {
  static const BuildInfo info{
    \"${VERSION}\", \"${build}\", \"${commit}\", ${dirty}, \"${tree}\", \"${COMPILER}\", \"${flags}\",
    {
${project_files}    }};
  return info;
}

}  // namespace noema
")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
