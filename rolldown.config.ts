// Joins the compiled modules of the server and of its commands, and their packages, into a few files: 1,700 modules took a quarter of the CPU of a start, and 27 MB.
import { defineConfig } from 'rolldown';

export default defineConfig({
  input: {
    main: 'dist/src/main.js',
    admin: 'dist/src/admin/main.js',
    'mapping-worker': 'dist/src/integrations/connectors/programs/mapping-worker.js',
  },
  platform: 'node',
  // These find files of their own next to their modules, and the last two are optional and not installed. What is loaded from node_modules is in
  // `bundleDependencies` of package.json, by which it is shipped.
  external: [/^@electric-sql\//, 'fs-native-extensions', 'pg-native', 'class-validator'],
  output: {
    dir: 'dist/bundle',
    cleanDir: true,
    // A worker is found next to the file that starts it.
    chunkFileNames: '[name].js',
    // Names are kept, because those of classes are data. V8 keeps the text of modules in memory, so blanks are not.
    keepNames: true,
    minify: { compress: false, mangle: false, codegen: true },
  },
});
