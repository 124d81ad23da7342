// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

import { defineConfig } from 'vite';

// Fixed names: the program serves these files and no others.
export default defineConfig({
    base: '/',
    build: {
        outDir: process.env.SPUME_WEB_OUT ?? 'dist',
        emptyOutDir: true,
        modulePreload: false,
        cssCodeSplit: false,
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 2000,
        rollupOptions: {
            output: {
                entryFileNames: 'viewer.js',
                assetFileNames: 'viewer[extname]',
                inlineDynamicImports: true,
            },
        },
    },
});
