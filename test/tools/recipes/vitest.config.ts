// The tests of a copy in which the recipes were followed: those the recipes name, and those that walk every route, table, type and mutation.
import base from '../../../vitest.config.ts';

export default {
  ...base,
  test: {
    ...base.test,
    include: [
      'test/tools/recipes/checks/*.ts',
      'test/contract/{access,parity}.test.ts',
      'test/process/{drift,structure}.test.ts',
      'test/events/catalogue.test.ts',
      'test/integrations/{demo,round-trip}.test.ts',
      'test/pages/samples.test.ts',
      'test/suites/tenancy.test.ts',
    ],
  },
};
