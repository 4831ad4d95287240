// Every mutation of the schema with random issues in its input. What is accepted is in the response, and what is rejected is never stored. All issues
// of a call come in one response, each at the place that the caller sent. Half of the calls run compiled, half by graphql-js. The clock goes back
// before each call, and the time of no change does.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { isEnumType, isInputObjectType, parse } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { coerceVariables, Executor } from '../../src/graphql/executor.ts';
import { requestContext } from '../../src/http/authentication.ts';
import { GatewayError } from '../../src/records/errors.ts';
import { modelOf } from '../../src/records/metadata.ts';
import { entities } from '../../src/registry.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';
import { type Arguments, argumentsFor, graphqlOperations, type Operation, type Place, placesOf } from './operations.ts';
import { isCompanion, modelOfOwner, type Reference, referenceOf, sampleOf } from './places.ts';
import { graphqlCall } from './requests.ts';
import { buildTenant, digestOf, freshText, idsOf, type Tenant, unknownLike } from './tenants.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
let tenant: Tenant;
let executor: Executor;
let operations: Operation[];

/** What would take from the other calls what they need: it is called with issues alone. */
const destructive = /^(removeCompany|approveDisconnectRequest|(revoke|rotate)AccessKey|deleteCorporation)/;

beforeAll(async () => {
  tenant = await buildTenant(gateway, 'Issues');
  await gateway.stopWork();
  await refuseEarlierChanges();
  executor = new Executor(gateway.services.schema);
  operations = graphqlOperations(gateway.services.schema).filter(
    (operation) =>
      operation.kind === 'mutation' &&
      operation.fields[0]!.args.every(({ name }) => name === 'input') &&
      !placesOf(operation).some(({ type }) => type.name === 'Upload'),
  );
}, 120_000);

/** Lets the database reject a change whose time is before that of the last one. The other times of ledger records are those of their source. */
async function refuseEarlierChanges(): Promise<void> {
  const timed = entities.map(modelOf).flatMap(({ table, props }) => {
    const prop = props.get('ledgerUpdatedAt') ?? props.get('updatedAt');
    return prop ? [{ table, column: prop.column }] : [];
  });
  expect(timed.length).toBeGreaterThan(30);
  await systemTransaction(gateway.services.database, async (em) => {
    for (const { table, column } of timed) {
      await executeIn(
        em,
        `create function later_${table}() returns trigger language plpgsql as $$ begin
           if new.${column} < old.${column} then raise exception '${table}.${column} goes back'; end if; return new; end $$`,
        [],
      );
      await executeIn(em, `create trigger later before update on "${table}" for each row execute function later_${table}()`, []);
    }
  });
}

/** How a value is wrong: of another type, of no form that the type allows, against a rule that the mutation checks, or naming no record. */
type Kind = 'type' | 'value' | 'rule' | 'reference';
interface Issue {
  kind: Kind;
  value: (usual: unknown) => unknown;
}

const wrongValues: Record<string, unknown> = {
  DateTime: 'yesterday',
  EmailAddress: 'a\u0000b',
  Int: 2 ** 40,
  LocalDate: '2026-02-30',
  PositiveInt: -1,
  String: 'a\u0000b',
  URL: 'a\u0000b',
  UUID: 'none',
};

/** The issues that a place may have. */
function issuesOf(place: Place, reference: Reference | undefined, filled: Iterable<string>): Issue[] {
  const { type } = place;
  const of = (kind: Kind, value: unknown): Issue => ({ kind, value: () => value });
  if (reference?.kind === 'record') return isDecided(place, filled) ? [] : [{ kind: 'reference', value: unknownLike }];
  if (isEnumType(type)) return [of('value', 'NO_SUCH_VALUE'), of('type', {})];
  const owner = gateway.services.schema.getType(place.owner);
  const rules = isInputObjectType(owner) ? owner.getFields()[place.name]?.extensions.rules : undefined;
  return [
    ...(type.name === 'CountryCode' ? [of('rule', 'Atlantis')] : []),
    ...(wrongValues[type.name] === undefined ? [] : [of('value', wrongValues[type.name])]),
    ...(rules?.maxLength === undefined || type.name !== 'String' ? [] : [of('value', 'x'.repeat(rules.maxLength + 1))]),
    ...(rules?.max === undefined ? [] : [of('value', rules.max + 1)]),
    ...(['String', 'Boolean', 'Int', 'LocalDate'].includes(type.name) ? [of('type', {})] : []),
  ];
}

/** Whether the input determines in another way which record a place names: by the record that contains it, by a nested one, or by a related type. */
function isDecided({ owner, name, path }: Place, filled: Iterable<string>): boolean {
  if (name === 'parentId' || path.length > 5) return true;
  const inside = path.slice(1, -1);
  const relations = [...(modelOfOwner(owner)?.relations.values() ?? [])].filter(({ from }) => from === name);
  return relations.some((relation) => [...filled].some((place) => place.startsWith([...inside, relation.name, ''].join('.'))));
}

interface OperationResult {
  data?: Record<string, Payload | null> | null;
  errors?: { message: string; extensions: { code: string; field?: string; details?: readonly { field: string }[] } }[];
}

interface Payload {
  errors: { code: string; path: string[]; message: string }[];
  [member: string]: unknown;
}

/** Runs a call over HTTP, where it is compiled, or by graphql-js. */
async function resultOf(operation: Operation, given: Arguments, isCompiled: boolean): Promise<OperationResult> {
  const isOperator = operation.fields[0]!.extensions.access!.every((role) => role === 'ADMIN');
  const { query, variables } = graphqlCall(operation, given).body as { query: string; variables: Record<string, unknown> };
  const key = isOperator ? ADMIN_TOKEN : tenant.key;
  if (isCompiled) {
    const response = await gateway.graphql(key, query, variables);
    expect(response.status, response.text).toBeLessThan(500);
    return response.body;
  }
  const { services } = gateway;
  const context = requestContext(services, 'test', await services.keys.find(key), null);
  const asResponse = (error: unknown): NonNullable<OperationResult['errors']>[number] => {
    if (!(error instanceof GatewayError)) throw error;
    const { field, issues } = error.info;
    return {
      message: error.message,
      extensions: { code: error.code, ...(field ? { field } : {}), ...(issues ? { details: issues } : {}) },
    };
  };
  try {
    const prepared = executor.interpret(parse(query), undefined);
    const { data, errors } = await prepared.run(context, coerceVariables(prepared, variables, context));
    return JSON.parse(JSON.stringify({ data, ...(errors ? { errors: errors.map((error) => asResponse(error.originalError)) } : {}) }));
  } catch (error) {
    return { errors: [asResponse(error)] };
  }
}

const placeOf = ({ path }: Place): string => path.slice(1).join('.');
/** Whether an error at a place reports an issue at another: the same, or what contains it. */
const isAt = (shown: string, issue: string): boolean => shown === issue || (shown !== '' && issue.startsWith(`${shown}.`));
/** Whether a place names the company, or the record of a bulk form, to which another belongs. */
const holds = (holder: string, place: string): boolean =>
  holder !== place &&
  (['companyId', 'ledgerId'].includes(holder) || (/^(records\.\d+\.)?id$/.test(holder) && place.startsWith(holder.slice(0, -2))));
const asPath = (field: string): string => field.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^input\.?/, '');

it('accepted changes are returned, rejected ones are never stored, and all issues are reported at once where they are', async () => {
  const wrong: string[] = [];
  const seen = new Map<string, number>();
  const accepted = new Set<string>();
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  let number = 0;
  let before = await digestOf(gateway, tenant);
  const call = fc.record({
    chosen: fc.array(fc.nat(), { maxLength: 4 }),
    spoiled: fc.array(fc.nat(), { maxLength: 3 }),
    types: fc.integer({ min: 0, max: 9 }),
    isCompiled: fc.boolean(),
  });
  const property = fc.asyncProperty(call, async ({ chosen, spoiled, types, isCompiled }) => {
    gateway.clock.advance(-1_000);
    const operation = operations[number++ % operations.length]!;
    const field = operation.fields[0]!;
    const places = placesOf(operation).filter(({ name }) => name !== 'idempotencyKey' && name !== 'ifMatch');
    const wanted = chosen.map((index) => places[index % places.length]!);
    // The places that a usual call fills, with their usual values.
    const usual = new Map<string, { place: Place; value: unknown; reference: Reference | undefined }>();
    const filled: Place[] = [];
    argumentsFor(operation, { wanted, always: isCompanion, fill: (place) => filled.push(place) });
    for (const place of filled) {
      const reference = referenceOf(place);
      const value =
        reference?.kind === 'record'
          ? (await idsOf(gateway, tenant, place, reference).catch(() => [undefined]))[0]
          : reference
            ? freshText()
            : sampleOf(place);
      usual.set(placeOf(place), { place, value, reference });
    }
    const issues = new Map<string, { kind: Kind; value: unknown }>();
    for (const index of spoiled) {
      if (usual.size === 0) break;
      const [at, { place, value, reference }] = [...usual][index % usual.size]!;
      // What a webhook's filter names may be made later.
      const isFilter = at.startsWith('filter.');
      const possible = issuesOf(place, reference, usual.keys()).filter(
        ({ kind }) => (kind !== 'type' || types === 0) && (kind !== 'reference' || !isFilter),
      );
      const issue = possible[index % possible.length];
      if (issue && value !== undefined) issues.set(at, { kind: issue.kind, value: issue.value(value) });
    }
    if (issues.size === 0 && destructive.test(field.name)) return;
    const given = argumentsFor(operation, {
      wanted,
      always: isCompanion,
      fill: (place) => (issues.has(placeOf(place)) ? issues.get(placeOf(place))!.value : usual.get(placeOf(place))?.value),
    });
    const { data, errors } = await resultOf(operation, given, isCompiled);
    const after = await digestOf(gateway, tenant);
    const report = (what: string): void => {
      const how = [...issues].map(([at, { kind, value }]) => `${at}=${JSON.stringify(value)?.slice(0, 60)} (${kind})`).join(', ');
      wrong.push(
        `${field.name} ${isCompiled ? 'compiled' : 'interpreted'} ${how}: ${what} -> ${JSON.stringify({ data, errors }).slice(0, 700)}`,
      );
    };
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    before = after;
    const payload = data?.[field.name];
    const kinds = new Set([...issues.values()].map(({ kind }) => kind));
    const shown = errors
      ? errors.flatMap(({ extensions }) => [...(extensions.details ?? []).map((issue) => issue.field), extensions.field ?? '']).map(asPath)
      : (payload?.errors ?? []).map(({ path }) => path.join('.'));
    if (errors || (payload?.errors.length ?? 0) > 0) {
      count(errors ? 'refused as a whole' : 'refused');
      if (changed.length > 0) report(`stored in ${changed.join(', ')}`);
    } else if (issues.size > 0) report('accepted');
    else {
      count('accepted');
      accepted.add(field.name);
      const members = Object.entries(payload ?? {}).filter(([name]) => name !== '__typename' && name !== 'errors');
      if (!members.some(([, value]) => value !== null)) report('returned nothing');
    }
    for (const [at, { kind }] of issues) {
      // Before it runs, a document is rejected for its types and forms alone. What a company or record that is not there would name is not
      // looked for.
      if (kinds.has('type') && kind !== 'type' && kind !== 'value') continue;
      if (kind === 'reference' && [...issues].some(([other, { kind: own }]) => own === 'reference' && holds(other, at))) continue;
      if (!shown.some((place) => isAt(place, at))) report(`${at} is not reported`);
    }
    if (errors && !kinds.has('type')) for (const { extensions } of errors) report(`${extensions.code} at the top`);
  });
  const seed = ROUNDS === 1 ? 1 : randomInt(2 ** 31);
  const calls = operations.length * ROUNDS;
  await fc.assert(property, { numRuns: calls, seed });
  const counts = [...seen].map(([what, times]) => `${times} ${what}`).join(', ');
  console.log(`mutations: seed ${seed}, ${calls} calls of ${operations.length} mutations; ${counts}; ${accepted.size} mutations accepted`);
  expect(wrong.map((line) => line.slice(0, 1_000))).toEqual([]);
}, 3_600_000);
