// Builds the applications into ../built. The output is committed, so that running the gateway needs no front-end package.
import { defineConfig, type Plugin } from 'vite';
import { sourcesHash } from './sources.ts';

// Written into the build, so that a test can tell when the build is older than the sources.
const recordSources = (): Plugin => ({
  name: 'record-sources',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'sources.sha256', source: `${sourcesHash(import.meta.dirname)}\n` });
  },
});

export default defineConfig({
  base: '/apps/',
  plugins: [recordSources()],
  define: { 'globalThis.__DEV__': 'false' },
  build: {
    outDir: '../built',
    emptyOutDir: true,
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: ['src/dashboard/main.tsx', 'src/onboarding/main.tsx', 'src/webhooks/main.tsx'] },
  },
});
