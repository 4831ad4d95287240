// Command `npm run generate`: the types of the operations of each application, by the settings of the client package.
import type { CodegenConfig } from '@graphql-codegen/cli';
import { operationTypes, schema } from '../../../schema/client/codegen.ts';

const applications = ['dashboard', 'onboarding', 'webhooks'];

const config: CodegenConfig = {
  schema,
  generates: Object.fromEntries(
    applications.map((name) => [`src/${name}/operations.generated.ts`, operationTypes(`src/${name}/*.graphql`)]),
  ) as CodegenConfig['generates'],
};

export { config as default };
