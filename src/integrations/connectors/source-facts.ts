// What a record keeps of its source besides its fields: the record as the source sent it, and the custom fields that a connection names.
import type { Connector, CustomFieldRule, PushResponse, SourceRecord } from './connector.ts';

const RAW = Symbol('what the source sent');

type WithRaw = SourceRecord & { [RAW]?: object };

/** The record with what the source sent of it. */
export const withRaw = (record: SourceRecord, raw: object | undefined): SourceRecord =>
  raw === undefined ? record : Object.assign(record as WithRaw, { [RAW]: raw });

/** What the source sent of a record; undefined where that is the record itself. */
export const rawOf = (record: SourceRecord): object | undefined => (record as WithRaw)[RAW];

/** What a connection keeps. */
export interface SourceFacts {
  /** Whether records keep what the source sent; `full` where the quota of the organisation leaves no room for it. */
  rawData: 'kept' | 'full' | 'none';
  customFields: readonly CustomFieldRule[];
}

/** A connector whose records are changed on their way in. */
export function mapRecords(connector: Connector, shown: (dataModel: string, record: SourceRecord) => SourceRecord): Connector {
  const withShownRecord = (dataModel: string, response: PushResponse): PushResponse =>
    response.record ? { ...response, record: shown(dataModel, response.record) } : response;
  const { read, push, findPushed, unmapped, disconnect, trialBalance, isCheckedFirst, isTyped, taken } = connector;
  return {
    check: () => connector.check(),
    async *pull(request) {
      for await (const page of connector.pull(request))
        yield { ...page, records: page.records.map((record) => shown(request.dataModel, record)) };
    },
    ...(isCheckedFirst && { isCheckedFirst }),
    ...(isTyped && { isTyped }),
    ...(taken && { taken }),
    ...(unmapped && { unmapped: () => unmapped.call(connector) }),
    ...(disconnect && { disconnect: () => disconnect.call(connector) }),
    ...(trialBalance && { trialBalance: (asOf) => trialBalance.call(connector, asOf) }),
    ...(read && {
      read: async (dataModel, id) => {
        const record = await read.call(connector, dataModel, id);
        return record && shown(dataModel, record);
      },
    }),
    ...(push && { push: async (request) => withShownRecord(request.dataModel, await push.call(connector, request)) }),
    ...(findPushed && {
      findPushed: async (request) => {
        const response = await findPushed.call(connector, request);
        return response && withShownRecord(request.dataModel, response);
      },
    }),
  };
}

/** The connector with what its connection keeps of each record and of its children. `hasFacts` says whether the records of a data model have members for it. */
export function keepingFacts(
  connector: Connector,
  { rawData, customFields }: SourceFacts,
  hasFacts: (dataModel: string) => boolean,
): Connector {
  if (rawData === 'none' && customFields.length === 0) return connector;
  const rules = Map.groupBy(customFields, ({ dataModel }) => dataModel);
  const kept = mapRecords(connector, (dataModel, record) => {
    if (!hasFacts(dataModel)) return record;
    const raw = (rawOf(record) ?? record) as SourceRecord;
    const shown = withRawData(record, rawData);
    const own = rules.get(dataModel)?.flatMap(({ name, from }) => (raw[from] == null ? [] : [{ name, value: textOf(raw[from]) }]));
    return own ? { ...shown, custom_fields: [...((record.custom_fields ?? []) as unknown[]), ...own] } : shown;
  });
  if (rawData !== 'full') return kept;
  return {
    ...kept,
    async *pull(request) {
      if (!hasFacts(request.dataModel)) return yield* kept.pull(request);
      let count = 0;
      for await (const page of kept.pull(request)) {
        count += page.records.length;
        yield { ...page, leftOut: { ...page.leftOut, 'raw_data beyond the quota': count } };
      }
    },
  };
}

/** The record and its children with `raw_data`, unless the source gives that itself. */
function withRawData(record: SourceRecord, rawData: SourceFacts['rawData']): SourceRecord {
  if (rawData === 'none') return record;
  const members = Object.entries(record).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((child) => childOf(child, rawData)) : value,
  ]);
  const raw = rawData === 'full' ? null : (rawOf(record) ?? { ...record });
  return { raw_data: raw, ...Object.fromEntries(members) };
}

const childOf = (child: unknown, rawData: SourceFacts['rawData']): unknown => {
  const raw = typeof child === 'object' && child !== null ? rawOf(child as SourceRecord) : undefined;
  return raw === undefined ? child : withRawData(child as SourceRecord, rawData);
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
