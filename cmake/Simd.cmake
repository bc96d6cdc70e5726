# headrace_simd(FILE.cc LEVEL): compiles a kernel unit with the instructions of a level (src/record/simd_level.h),
# whatever the rest is built for. Such a unit runs only behind best_simd_level(), and keeps all its functions in
# anonymous namespaces, so that the linker cannot take its copy of an inline function for everyone.
function(headrace_simd file level)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    return()
  endif()
  set(avx2 -mavx2 -mfma -mbmi -mbmi2 -mpopcnt -mlzcnt)
  # g++ 12 takes the deliberately undefined operands inside its own avx512fintrin.h for a mistake of ours.
  set(avx512 ${avx2} -Wno-maybe-uninitialized -Wno-uninitialized -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vbmi -mavx512vbmi2
             -mprefer-vector-width=512)
  set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${${level}}")
endfunction()

# headrace_baseline(ROOM): the rest of a room that counts bits everywhere, for x86-64-v2 (popcount; 2008). The Arrow of the
# pyarrow wheels asks for the same, so it shuts no machine out.
function(headrace_baseline room)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(headrace_${room} PRIVATE -march=x86-64-v2)
  endif()
endfunction()
