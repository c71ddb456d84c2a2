# noema_embed_text(<target> <file> <function>)
# Makes the bytes of a data file available to <target> as `std::string_view noema::<function>()`. The file itself stays
# the only statement of its content; touching it rebuilds one small generated source.
function(noema_embed_text target file function)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} text)
  if(text MATCHES "\\)noema\"")
    message(FATAL_ERROR "${source} holds the delimiter of raw string literals")
  endif()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT
"// Made from ${file} by cmake/noema_embed_text.cmake; edit that file instead.
#include <string_view>
namespace noema {
std::string_view ${function}() { return R\"noema(@text@)noema\"; }
}  // namespace noema
")
  target_sources(${target} PRIVATE ${generated})
endfunction()
