// The entry of the program: turns on V8's compile cache, then serves.
import { enableCompileCache } from 'node:module';
import { packagePath } from './runtime/package-root.ts';

// The cache is next to the compiled program; where that folder is read-only, only the start takes longer.
enableCompileCache(packagePath('dist', '.compiled'));

// Not a static import: the cache must be on before the other 1,700 modules are loaded.
const { serve } = await import('./serve.ts');
await serve();
