# Compile options that every target of ours shares.
add_library(noema_options INTERFACE)
target_compile_options(noema_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wpedantic -ffp-contract=off -fno-math-errno -fvisibility=hidden)
# GCC 12 sees uninitialised members in std::variant's moves, and overlapping copies in "text" + std::string, where there
# are none (its bugs 105562 and 105651).
target_compile_options(noema_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-restrict>)
if(NOEMA_WERROR)
  target_compile_options(noema_options INTERFACE -Werror)
endif()
if(NOEMA_SANITIZE)
  target_compile_options(noema_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(noema_options INTERFACE -fsanitize=address,undefined)
endif()
if(NOEMA_FUZZ)
  target_compile_options(noema_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined)
  target_link_options(noema_options INTERFACE -fsanitize=address,undefined)
endif()
