; SPDX-License-Identifier: Apache-2.0
; Copyright The Spume authors
;
; Linked into every object. LLVM 14 writes what a catch is to look at into a global that it takes for one of all
; threads, where the library with threads has one for each: nothing would be caught. A declaration that is there
; already stays as it is.
target datalayout = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-n32:64-S128-ni:1:10:20"
target triple = "wasm32-unknown-emscripten"
@__wasm_lpad_context = external thread_local global { i32, i8*, i32 }
@llvm.compiler.used = appending global [1 x i8*] [i8* bitcast ({ i32, i8*, i32 }* @__wasm_lpad_context to i8*)], section "llvm.metadata"
