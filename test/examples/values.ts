// The values that recorded examples send: ids of the demo records, and for writes the values of a demo record.
import { isEnumType } from 'graphql';
import { toUUID } from 'typeid-js';
import { valuesOf } from '../../rest-compat/openapi/json-schema.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { ledgerGlobalId } from '../../src/records/ids.ts';
import { type Model, modelOf } from '../../src/records/metadata.ts';
import { ledgerRecords } from '../../src/registry.ts';
import type { Operation, Place } from '../suites/operations.ts';
import { modelOfOwner, referenceOf, sampleOf } from '../suites/places.ts';
import type { Tenant } from '../suites/tenants.ts';
import type { Gateway } from '../support/gateway.ts';
import type { Given } from './subjects.ts';

/** Members of an input next to the required ones; more would hide the shape. */
const MAX_MEMBERS = 6;
const PLAIN = new Set(['text', 'country', 'email', 'url', 'amount', 'integer', 'flag', 'moment', 'date', 'enumeration']);
/** What identifies a record, so that a new one has another. */
const KEYS = new Set(['platformId', 'sku', 'externalId']);

/** Which record type an id next to it names. */
const TYPES = new Set(['parentType', 'documentType']);

/** Levels of an input in which values are given by the name of a member alone. */
const MAX_LEVELS = 5;

type Row = Record<string, unknown>;

/** Values that say more than those of the demo records, by `Type.member` or member. */
const chosen: Record<string, unknown> = {
  'geocode.address': '10 Downing Street, London SW1A 2AA',
  'geocodeBatch.addresses': '10 Downing Street, London SW1A 2AA',
  'suggestAddresses.text': '10 Downing Street, Lond',
  'suggestAddresses.country': 'GB',
  'reverseGeocode.latitude': 51.5033,
  'reverseGeocode.longitude': -0.1276,
  'country.code': 'GB',
  'suggestCustomsCodes.name': 'Laptop, 14 inch',
  'customsCodes.search': 'coffee',
  'accessKeys.organisationName': 'Demo',
  'accessKeyConnection.organisationName': 'Demo',
  'IssueAccessKeyInput.organisationName': 'Demo',
  'IssueAccessKeyInput.roles': 'PLATFORM',
  'IssueAccessKeyInput.label': 'reporting',
  'RemoveCompanyInput.name': 'Connected',
  'removeCompany.name': 'Connected',
  'VerifyTaxIdInput.type': 'DE_VAT',
  'VerifyTaxIdInput.value': 'DE136695976',
  'verifyTaxId.type': 'DE_VAT',
  'verifyTaxId.value': 'DE136695976',
  'CreateWebhookInput.topics': 'CORPORATIONS.CREATED',
  'UpdateWebhookInput.topics': 'CORPORATIONS.CREATED',
  'NewConnectionInput.source': 'DEMO',
  'CreateConnectionInput.source': 'DEMO',
  'GovernmentIdentifierInput.value': '91-1144442',
  'EntityRegistrationInput.displayName': 'Delaware corporate registry',
  'TriggerWebhookTestInput.eventData': { topic: 'corporation.updated' },
  first: 2,
};

/** The property that identifies a record of a type besides its platform id. */
function naturalKeyOf(model: Model | undefined): string | undefined {
  const target = ledgerRecords.find((record) => modelOf(record) === model);
  return target && namesOf(target).naturalKey;
}

/** Looks values up in the rows of one organisation. */
export class DemoValues {
  readonly #gateway: Gateway;
  readonly #tenant: Tenant;
  #copies = 1;

  constructor(gateway: Gateway, tenant: Tenant) {
    this.#gateway = gateway;
    this.#tenant = tenant;
  }

  /** The rows of a record type, the demo data first; of the company where rows belong to one. */
  async rows(model: Model): Promise<Row[]> {
    const column = (prop: string): string => model.props.get(prop)!.column;
    const company = model.companyColumn ? `and ${model.companyColumn} = ${this.#tenant.companyId}` : '';
    const alive = model.deletedAt ? `and ${column(model.deletedAt)} is null` : '';
    const found = await systemTransaction(this.#gateway.services.database, (em) =>
      executeIn<{ row: Row }>(
        em,
        `select to_jsonb(t) as row from "${model.table}" t where organisation_id = $1 ${company} ${alive} order by ${column(model.key)}`,
        [this.#tenant.organisationId],
      ),
    );
    return found.map(({ row }) => row);
  }

  /** Every value that an operation needs, by its place; loads the rows that they come from. */
  async forOperation(
    operation: Operation,
    places: readonly Place[],
    given: Given,
  ): Promise<{ wanted: Place[]; fill: (place: Place) => unknown }> {
    const root = operation.fields.at(-1)!.name;
    const isDelete = /^(delete|remove|revoke)/.test(root);
    const rows = new Map<Model, Row[]>();
    const load = async (model: Model | undefined): Promise<void> => {
      if (model && model.scope === 'organisation' && !rows.has(model)) rows.set(model, await this.rows(model));
    };
    for (const place of places) {
      const reference = referenceOf(place);
      if (reference && 'model' in reference) await load(reference.model);
      await load(modelOfOwner(place.owner));
    }
    const stored = (place: Place): unknown => {
      const model = modelOfOwner(place.owner);
      const prop = model?.props.get(place.name);
      if (!model || !prop || !PLAIN.has(prop.kind) || TYPES.has(place.name)) return undefined;
      // Values of one record, so that they fit each other.
      const value = rows.get(model)?.[0]?.[prop.column];
      return value === null || value === '' ? undefined : value;
    };
    const seen = new Map<string, number>();
    const isGiven = (place: Place): boolean =>
      `${place.owner}.${place.name}` in given || (place.name in given && place.path.length <= MAX_LEVELS);
    const givenTo = ({ owner, name }: Place): unknown => given[`${owner}.${name}`] ?? given[name];
    const wanted = places.filter((place) => {
      if (isGiven(place)) return givenTo(place) !== undefined;
      if (!/Input$/.test(place.owner) || place.path.length > 4 || /^(delete|remove)/.test(root)) return false;
      if (stored(place) === undefined || KEYS.has(place.name)) return false;
      const count = (seen.get(place.owner) ?? 0) + 1;
      seen.set(place.owner, count);
      return count <= MAX_MEMBERS;
    });
    const fill = (place: Place): unknown => {
      const reference = referenceOf(place);
      const known = isGiven(place) ? givenTo(place) : (chosen[`${place.owner}.${place.name}`] ?? chosen[place.name]);
      if (known !== undefined) {
        if (typeof known === 'number' && place.type.name === 'ID' && reference && 'model' in reference)
          return ledgerGlobalId(reference.model.prefix, known);
        return place.type.name === 'UUID' && typeof known === 'string' && known.includes('_') ? toUUID(known as never) : known;
      }
      if (reference && 'model' in reference && reference.kind === 'record') {
        const { model, prop } = reference;
        const own = rows.get(model) ?? [];
        const row = own.at(isDelete && model !== this.company(place) ? -1 : 0);
        const value = row?.[model.props.get(prop)!.column];
        if (value === undefined) return sampleOf(place);
        if (place.type.name === 'UUID') return toUUID(String(value) as never);
        return place.type.name === 'ID' && typeof value === 'number' ? ledgerGlobalId(model.prefix, value) : value;
      }
      if (reference?.kind === 'any') return `company_${this.#tenant.companyId}`;
      const value = stored(place);
      // A part that is found by its natural key is the stored record, under its own id.
      const naturalKey = naturalKeyOf(modelOfOwner(place.owner));
      if (KEYS.has(place.name) && naturalKey !== undefined && given[naturalKey] === undefined) return value;
      if (KEYS.has(place.name)) return `${value ?? place.name}-${++this.#copies}`;
      const sample = (): unknown => sampleOf({ ...place, owner: place.owner.replace(/^(Create|Update|Upsert)/, '') });
      if (!isEnumType(place.type)) return value ?? sample();
      const values = place.type.getValues();
      const named = value ?? sample();
      const at = Math.max(
        0,
        values.findIndex((entry) => entry.value === named || entry.name === named),
      );
      return operation.route ? valuesOf(place.type)[at] : values[at]!.name;
    };
    return { wanted, fill };
  }

  /** The record type of companies, whose first record has all the others. */
  company({ name }: Place): Model | undefined {
    return name === 'companyId' ? modelOfOwner('CompanyInput') : undefined;
  }
}
