// Settings of GraphQL Code Generator: typed documents for the operations in the client scripts.
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: '../../schema/schema.graphql',
  documents: ['apollo.ts', 'urql.ts', 'screens/apollo.ts', 'screens/urql.ts'],
  generates: {
    'generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        importExtension: '.ts',
        scalars: { Decimal: 'number', PositiveInt: 'number', ID: { input: 'number | string', output: 'string' }, Upload: 'File' },
      },
    },
  },
};

export { config as default };
