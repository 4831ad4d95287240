// Command `npm run contracts`: writes the contracts below schema/ from the code.
import { writeFileSync } from 'node:fs';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { accountingSystems } from '../../src/integrations/connections/connectors.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { CLIENT_FIELDS, clientFields } from './client-fields.ts';
import { contracts } from './contracts.ts';
import { COVERAGE, coverageText } from './coverage.ts';

writeFileSync(packagePath(COVERAGE), coverageText(accountingSystems));
const schema = buildGatewaySchema(resolvers, orphanTypes);
for (const [file, text] of [...contracts(schema), [CLIENT_FIELDS, clientFields(schema)] as const]) {
  writeFileSync(packagePath('schema', file), text);
  console.log(`schema/${file.padEnd(28)} ${String(Math.round(text.length / 1024)).padStart(5)} KB`);
}
