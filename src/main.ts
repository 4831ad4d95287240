// The entry of the program: keeps what V8 compiles between starts, then serves.
import { enableCompileCache, setSourceMapsSupport } from 'node:module';
import { packagePath } from './runtime/package-root.ts';

// Beside the compiled program; where that cannot be written the start only takes longer.
enableCompileCache(packagePath('dist', '.compiled'));
setSourceMapsSupport(true, { nodeModules: false });

// Not a static import: the cache must be on before the 1,700 modules of the rest are read.
const { serve } = await import('./serve.ts');
await serve();
