// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors
//
// node has fetch, and the loader then asks it for a file, which it refuses.
if (typeof process !== 'undefined') globalThis.fetch = undefined;
