// Builds the pages' browser code into ../built. The output is committed, so that running the gateway needs no front-end package.
import { defineConfig, type Plugin } from 'vite';
import { sourcesHash } from './sources.ts';

// Written into the build, so that a test can detect when the build is older than the sources.
const recordSources = (): Plugin => ({
  name: 'record-sources',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'sources.sha256', source: `${sourcesHash(import.meta.dirname)}\n` });
  },
});

export default defineConfig({
  plugins: [recordSources()],
  build: {
    outDir: '../built',
    emptyOutDir: true,
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4000,
    rollupOptions: { input: ['src/site.ts', 'src/playground/main.tsx', 'src/docs.ts', 'src/icon.svg', 'src/favicon.ico'] },
  },
});
