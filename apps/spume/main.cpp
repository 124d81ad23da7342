// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors
int main() { return 0; }
