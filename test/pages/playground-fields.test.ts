// The fields picker: what it writes into an operation is valid in the schema, and taking it out again leaves what was there.
import { readFileSync } from 'node:fs';
import { buildSchema, parse, print, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { toggled, withValue } from '../../site/pages/app/src/playground/edits.ts';
import { partAt } from '../../site/pages/app/src/playground/here.ts';
import { idOf, type Row, rowsOf } from '../../site/pages/app/src/playground/rows.ts';
import { readSchema } from '../../site/pages/app/src/playground/schema.ts';
import { documentOf, type Path } from '../../site/pages/app/src/playground/spots.ts';

type Kind = 'query' | 'mutation' | 'subscription';

const SDL = readFileSync('schema/schema.graphql', 'utf8');
const schema = readSchema(SDL);
const checked = buildSchema(SDL, { assumeValid: true });
const errorsIn = (text: string): string[] => validate(checked, parse(text)).map(({ message }) => message);

/** A path from text: `company(id).accounts(filter.name)`, with `on:Account` for a type. */
const pathOf = (text: string): Path =>
  [...text.matchAll(/(\()?([\w:]+)/g)].reduce<{ kind: Path[number]['kind']; name: string }[]>((path, [, opens, name = '']) => {
    const isBelowInput = path.at(-1)?.kind === 'argument' || path.at(-1)?.kind === 'input';
    if (name.startsWith('on:')) path.push({ kind: 'type', name: name.slice(3) });
    else path.push({ kind: opens ? 'argument' : isBelowInput ? 'input' : 'field', name });
    return path;
  }, []);
const toggle = (text: string, path: string | Path, kind: Kind = 'query'): string =>
  toggled({ schema: schema as never, text, offset: text.length, kind: kind as never }, typeof path === 'string' ? pathOf(path) : path);
const rows = (text: string, open: string[] = [], kind: Kind = 'query', filter = ''): Row[] =>
  rowsOf({ schema: schema as never, kind: kind as never, text, offset: text.length, open: new Set(open), filter });
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

describe('picking', () => {
  it('a field begins an operation, with its required arguments and a selection', () => {
    const text = toggle('', 'company');
    expect(oneLine(text)).toMatch(/^query Company \{ company\(id: .+\) \{ id name \} \}$/);
    expect(oneLine(toggle('# a note\n', 'viewer'))).toMatch(/query Viewer \{ viewer \{ roles \} \}$/);
    expect(oneLine(toggle('', 'createContact', 'mutation'))).toContain('errors { code path message }');
  });

  it('what is below comes with what is above it, arguments with their members', () => {
    const text = toggle('query A {\n  company(id: 1) { name }\n}', 'company.accounts(filter.name.contains');
    expect(oneLine(text)).toBe('query A { company(id: 1) { name accounts(filter: {name: {contains: ""}}) { nodes { id name } } } }');
    expect(oneLine(toggle(text, 'company.accounts(first'))).toContain('accounts(filter: {name: {contains: ""}}, first: 5)');
    const types = toggle('', 'node.on:Account.nominalCode');
    expect(oneLine(types)).toContain('... on Account { nominalCode }');
    expect(errorsIn(types)).toEqual([]);
  });

  it('comments and layout stay, indentation follows', () => {
    const text = 'query A {\n  # the first\n  company(id: 1) { # here\n    name # of the company\n  }\n}\n';
    expect(toggle(text, 'company.ledgerId')).toBe(
      'query A {\n  # the first\n  company(id: 1) { # here\n    name # of the company\n  }\n}\n'.replace('name #', 'name\n    ledgerId #'),
    );
    expect(toggle(text, 'viewer')).toContain('\n  viewer {\n    roles\n  }\n}');
  });

  it('what becomes empty goes too, and variables that are no longer used', () => {
    const text = 'query A($n: Int, $idle: Int) {\n  companies { nodes { id accounts(first: $n) { totalCount } } }\n  viewer { roles }\n}';
    expect(oneLine(toggle(text, 'companies.nodes.accounts.totalCount'))).toBe(
      'query A($idle: Int) { companies { nodes { id } } viewer { roles } }',
    );
    expect(oneLine(toggle(text, 'companies.nodes.accounts(first'))).toContain('query A($idle: Int) { companies { nodes { id accounts {');
    expect(toggle('query A {\n  viewer { roles }\n}', 'viewer.roles')).toBe('');
  });

  it('an operation of another kind is added with a name, and the nameless one gets one', () => {
    const text = toggle('{ viewer { roles } }', 'recordChanged', 'subscription');
    expect(text).toMatch(/^query First \{[\s\S]+subscription RecordChanged \{/);
    expect(errorsIn(text)).toEqual([]);
  });

  it('a text that cannot be read stays as it is, and so do members below a variable', () => {
    expect(toggle('query A { company(', 'viewer')).toBe('query A { company(');
    const text = 'query A($f: AccountFilter) { company(id: 1) { accounts(filter: $f) { totalCount } } }';
    expect(toggle(text, 'company.accounts(filter.name')).toBe(text);
  });

  it('fields of a named fragment count as picked, and go from the fragment', () => {
    const text = 'query A {\n  company(id: 1) { ...C }\n}\nfragment C on Company {\n  name\n  ledgerId\n}';
    expect(rows(text, ['field:company']).find(({ id }) => id === 'field:company/field:name')?.isPicked).toBe(true);
    expect(oneLine(toggle(text, 'company.name'))).toBe('query A { company(id: 1) { ...C } } fragment C on Company { ledgerId }');
    expect(errorsIn(toggle(toggle(text, 'company.name'), 'company.ledgerId'))).toEqual([]);
  });

  it('a value is written as its type needs it', () => {
    const text = 'query A {\n  company(id: 1) {\n    accounts(first: 5, filter: {name: {contains: ""}}) { totalCount }\n  }\n}';
    const value = (path: string, typed: string): string | undefined =>
      withValue({ schema: schema as never, text, offset: 0, kind: 'query' as never }, pathOf(path), typed);
    expect(value('company.accounts(filter.name.contains', 'say "so"')).toContain('contains: "say \\"so\\""');
    expect(value('company.accounts(first', '20')).toContain('first: 20');
    expect(value('company.accounts(first', '$n')).toContain('first: $n');
    expect(value('company.accounts(first', '2 0')).toBeUndefined();
    expect(value('company.accounts(first', 'two')).toBeUndefined();
    expect(value('company.accounts(last', '2')).toBeUndefined();
    expect(value('company(id', 'company_1')).toContain('company(id: "company_1")');
    expect(value('company(id', '7')).toContain('company(id: "7")');
  });
});

/** A random walk down the tree: opens rows and picks one of the last. */
function walk(random: () => number, kind: Kind, text: string): Row | undefined {
  const open: string[] = [];
  let below = rows(text, [], kind);
  let chosen: Row | undefined;
  for (let depth = 0; depth < 1 + random() * 5 && below.length > 0; depth++) {
    chosen = below[Math.floor(random() * below.length)]!;
    open.push(chosen.id);
    const { level, id } = chosen;
    below = rows(text, open, kind).filter((row) => row.level === level + 1 && row.id.startsWith(`${id}/`));
  }
  return chosen;
}

const generator = (seed: number) => (): number => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return seed / 2 ** 32;
};
// What a reader has to fill in: values that only they know, and choices of exactly one.
const TO_FILL_IN = /must specify exactly one/i;

describe('the tree', () => {
  it.each(['query', 'mutation', 'subscription'] as Kind[])(
    'whatever is picked of a %s is valid, is shown as picked, and goes again',
    (kind) => {
      for (let seed = 1; seed <= 25; seed++) {
        const random = generator(seed * 7_919);
        let text = '';
        for (let turn = 0; turn < 4; turn++) {
          const row = walk(random, kind, text);
          if (!row) continue;
          const next = toggle(text, row.path, kind);
          const at = `seed ${seed}, ${row.id}:\n${text}\n---\n${next}`;
          const before = text && !row.isPicked ? errorsIn(text) : [];
          if (!row.isPicked)
            expect(
              errorsIn(next).filter((message) => !before.includes(message) && !TO_FILL_IN.test(message)),
              at,
            ).toEqual([]);
          const open = row.path.map((_, index) => idOf(row.path.slice(0, index + 1)));
          const isPicked = rows(next, open, kind).find(({ id }) => id === row.id)?.isPicked ?? false;
          expect(isPicked, at).toBe(!row.isPicked);
          if (isPicked && text) {
            const back = toggle(next, row.path, kind);
            // What was added above it stays: it was picked along.
            if (print(parse(back)) !== print(parse(text))) expect(back.length, at).toBeGreaterThan(text.length);
          }
          text = next;
        }
      }
    },
  );

  it('the filter finds roots and the fields below them by words, what is deprecated shows only in use', () => {
    expect(rows('', [], 'mutation', 'creditnote bill create').map(({ step }) => step.name)).toEqual([
      'createBillCreditNote',
      'createBillCreditNotes',
    ]);
    const below = rows('', [], 'query', 'purchaseOrders').filter(({ level }) => level === 2);
    expect(below.map(({ path }) => path.map(({ name }) => name).join('.'))).toContain('company.purchaseOrders');
    const open = [idOf(pathOf('updateProduct')), idOf(pathOf('updateProduct(input'))];
    const names = (text: string): string[] => rows(text, open, 'mutation', 'updateProduct').map(({ step }) => step.name);
    expect(names('')).not.toContain('customsJurisdictionDetails');
    expect(names('mutation A { updateProduct(input: { id: 1, customsJurisdictionDetails: {} }) { errors { code } } }')).toContain(
      'customsJurisdictionDetails',
    );
  });

  it('the name at the cursor leads to its part of the reference', () => {
    const text =
      'query A($f: AccountFilter) { company(id: 1) { accounts(filter: {name: {contains: "a"}}, orderBy: [{field: NAME}]) { totalCount } } }';
    const at = (word: string) => partAt(schema as never, documentOf(text)!, text.indexOf(word) + 1);
    expect(at('company')).toMatchObject({
      label: expect.stringMatching(/^Query.company: Company/),
      reference: '/docs/graphql/queries/company',
    });
    expect(at('accounts')!.reference).toBe('/docs/graphql/types/Company#field-accounts');
    expect(at('filter:')!.label).toBe('filter: AccountFilter');
    expect(at('contains')!.reference).toBe('/docs/graphql/types/TextFilter#field-contains');
    expect(at('NAME')!.reference).toBe('/docs/graphql/types/AccountOrderField');
    expect(at('AccountFilter')!.reference).toBe('/docs/graphql/types/AccountFilter');
    expect(at(' {')).toBeUndefined();
  });

  it('every row leads to a part of the reference', () => {
    const all = rows('', [
      'field:company',
      'field:company/field:accounts',
      'field:company/field:accounts/argument:filter',
      'field:node',
      'field:node/type:Account',
    ]);
    expect(all.find(({ id }) => id === 'field:company')!.reference).toBe('/docs/graphql/queries/company');
    expect(all.find(({ id }) => id === 'field:company/argument:id')!.reference).toBe('/docs/graphql/queries/company#field-id');
    expect(all.find(({ id }) => id.endsWith('field:accounts/argument:filter'))!.reference).toBe(
      '/docs/graphql/types/Company#field-accounts',
    );
    expect(all.find(({ id }) => id.endsWith('filter/input:name'))!.reference).toBe('/docs/graphql/types/AccountFilter#field-name');
    expect(all.find(({ id }) => id.endsWith('type:Account'))!.reference).toBe('/docs/graphql/types/Account');
  });
});
