// Builds the pages' browser code into ../built. The output is committed, so that running the gateway needs no front-end package.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: '../built',
    emptyOutDir: true,
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4000,
    rollupOptions: { input: ['src/site.ts', 'src/playground.tsx', 'src/docs.ts', 'src/icon.svg'] },
  },
});
