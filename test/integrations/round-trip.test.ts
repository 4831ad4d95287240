// Random records of every model survive REST write, REST read and GraphQL read unchanged, whatever their values.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../rest-compat/routes/routes.ts';
import { defaultProjection, rootFields, storedOperation } from '../../rest-compat/runtime/stored-operation.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { modelOf, type Prop, type RecordClass, writableProps } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { keyIssue, keyText } from '../../src/records/text.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, listName, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
});

/** Up to 15 significant digits, the point anywhere, either sign. */
const decimal = fc
  .tuple(fc.integer({ min: 0, max: 999_999_999_999_999 }), fc.integer({ min: -12, max: 12 }), fc.boolean())
  .map(([digits, shift, negative]) => Number(`${negative && digits > 0 ? '-' : ''}${digits}e${shift}`));
const moment = fc
  .date({ min: new Date('0100-01-01T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const words = fc
  .tuple(
    // A decoder may take U+FEFF at the beginning for the mark of a byte order.
    fc.constantFrom('\uFEFF', ...Array.from({ length: 9 }, () => '')),
    fc.string({ unit: 'grapheme', maxLength: 59 }),
  )
  .map((parts) => parts.join(''))
  .filter((text) => !text.includes('\u0000') && text.isWellFormed());
const freeForm = fc
  .jsonValue({ maxDepth: 3, stringUnit: 'grapheme', noUnicodeString: false } as never)
  .map(
    (value) =>
      JSON.parse(JSON.stringify(value, (_, entry) => (typeof entry === 'number' ? Math.trunc(entry % 1e12) || 0 : entry))) as unknown,
  )
  .filter((value) => !JSON.stringify(value).includes('\\u0000'));
const externalIds = fc.array(fc.oneof(words, fc.maxSafeInteger()), { maxLength: 4 });

const kinds: Partial<Record<Prop['kind'], fc.Arbitrary<unknown>>> = {
  text: words,
  integer: fc.integer(),
  amount: decimal,
  flag: fc.boolean(),
  moment,
  json: freeForm,
  object: fc.dictionary(words, freeForm, { maxKeys: 3, noNullPrototype: true }),
  list: externalIds,
  namedValues: fc.array(fc.record({ name: words.filter((text) => /^[^=]{1,100}$/.test(text)), value: words }), { maxLength: 3 }),
};

function anyValueOf(prop: Prop): fc.Arbitrary<unknown> | undefined {
  if (prop.target || prop.name === 'platformId' || prop.name === 'parentId') return undefined;
  if (prop.choices) return fc.constantFrom(...Object.keys(prop.choices.values));
  // Amounts that must be positive.
  if (prop.rules?.moreThan === 0) return decimal.map((value) => Math.abs(value) || 1);
  const { maxLength, key } = prop.rules ?? {};
  const fits = (text: string): boolean => maxLength === undefined || text.length <= maxLength;
  // A key is stored in its one form, and has no character that shows nothing.
  if (key) return words.map(keyText).filter((text) => text !== '' && keyIssue(text) === undefined && fits(text));
  if (prop.kind === 'text') return words.filter(fits);
  return kinds[prop.kind];
}

/** A body of the record with every field that names no other record; each is sometimes null. */
function bodyOf(target: RecordClass): fc.Arbitrary<Record<string, unknown>> {
  const fields = writableProps(target).flatMap((prop): [string, fc.Arbitrary<unknown>][] => {
    const value = anyValueOf(prop);
    return value ? [[snakeCase(prop.name), prop.required ? value : fc.option(value, { nil: null, freq: 5 })]] : [];
  });
  return fc.record(Object.fromEntries(fields)) as fc.Arbitrary<Record<string, unknown>>;
}

let count = 0;

describe.each(ledgerRecords.map((target): [string, RecordClass] => [namesOf(target).one, target]))('%s', (one, target) => {
  it('both endpoints read what was written', async () => {
    const route = routes.find(
      (entry) => entry.method === 'GET' && entry.path === `/v4/core/companies/{companyId}/${listName(target)}/{id}`,
    )!;
    const { schema } = gateway.services;
    const used = new Set(
      rootFields(schema, route).fields.flatMap((field) => (field.name === one ? [`${one}.ledgerId`] : [`${field.name}.id`])),
    );
    const selected = writableProps(target).flatMap(({ name, rest }) => (rest === 'select' ? [snakeCase(name)] : []));
    const { document } = storedOperation(schema, route, { ...defaultProjection, select: new Set(selected) }, used);
    const { naturalKey } = namesOf(target);
    const keys = Object.keys((naturalKey && modelOf(target).props.get(naturalKey)?.choices?.values) ?? {});
    await fc.assert(
      fc.asyncProperty(bodyOf(target), async (body) => {
        const data: Record<string, unknown> = { ...body, platform_id: `r${++count} é✓` };
        // No second record may have the natural key of another.
        if (naturalKey) data[snakeCase(naturalKey)] = keys.pop();
        const written = await gateway.send('POST', `${company.base}/${listName(target)}`, { headers: company.headers, body: { data } });
        expect(written.status, written.text).toBe(201);
        const id = written.body.data.data.ledger_id;
        const path = `${company.base}/${listName(target)}/${id}?select=${selected.join()}`;
        const rest = await gateway.send('GET', path, { headers: company.headers });
        expect(rest.body.data).toMatchObject(JSON.parse(JSON.stringify(data)));
        const graphql = await gateway.graphql(company.key, document, { id: company.id, ledgerId: id });
        expect(graphql.body.data?.company[one], graphql.text).toEqual(rest.body.data);
        const again = await gateway.send('PUT', `${company.base}/${listName(target)}`, { headers: company.headers, body: { data } });
        expect(again.body.data.data.ledger_updated_at, 'writing the same again changes nothing').toBe(rest.body.data.ledger_updated_at);
      }),
      // Shrinking would pass the time limit of the test, whose message then hides what failed.
      { numRuns: 15, endOnFailure: true },
    );
  });
});
