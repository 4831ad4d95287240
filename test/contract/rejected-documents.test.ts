// Documents that validation rejects: with the errors of graphql-js, which is the judge here, and at a bounded price.
import { parse, specifiedRules, validate } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();
let key: string;

beforeAll(async () => {
  key = await gateway.key(['PLATFORM']);
});

/** A document with unknown types in every place that names one. */
const UNKNOWN = `query Q($a: BillCreditNoteInputt, $b: [CustomsCodeFiltr!]!, $c: AccountFiltre) {
  __typename ... on Quer { __typename } ...F
}
fragment F on Companny { __typename }`;

const messagesOf = (errors: readonly { message: string }[]): string[] => errors.map(({ message }) => message);

it('only the first unknown type comes with suggestions, because each is compared with all types', async () => {
  const judged = messagesOf(validate(gateway.services.schema, parse(UNKNOWN), specifiedRules));
  const own = messagesOf((await gateway.graphql(key, UNKNOWN)).body.errors);
  const suggesting = judged.filter((message) => message.startsWith('Unknown type') && message.includes('Did you mean'));
  expect(suggesting.length).toBeGreaterThan(2);
  const withoutSuggestion = (message: string): string =>
    suggesting.indexOf(message) > 0 ? message.replace(/ Did you mean.*/, '') : message;
  expect(own).toEqual(judged.map(withoutSuggestion));
});

it('a document is validated once for callers with a key, also where it is rejected', async () => {
  const parsed = () => gateway.services.caches.sizes().get('documents')!;
  const before = parsed();
  const texts: string[] = [];
  for (let turn = 0; turn < 2; turn++) {
    const { status, body } = await gateway.graphql(key, 'query Twice { companyy { name } }');
    expect(status).toBe(400);
    texts.push(JSON.stringify(messagesOf(body.errors)));
  }
  expect(texts[0]).toBe(texts[1]);
  expect(parsed()).toBe(before + 1);
  await gateway.graphql(null, 'query Once { companyy { name } }');
  expect(parsed()).toBe(before + 1);
});
