// The operations of a platform record, made from one declaration: fields of the schema with their inputs and payloads, bulk forms, and events. The
// REST routes are made from the same declaration. What is no plain creation, read, change or deletion is a field of its own.
import { LockMode } from '@mikro-orm/core';
import type { FilterQuery } from '@mikro-orm/postgresql';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { declareTopic } from '../../events/event.ts';
import type { NewEvent } from '../../events/events.ts';
import { TOPICS, type Topic, type TopicName } from '../../events/topics.ts';
import { argument, type DeclaredField, id, resolver } from '../../graphql/declared/fields.ts';
import { recordMutation, type Written } from '../../graphql/declared/payloads.ts';
import { listField, type Owner, recordField, summaryField } from '../../graphql/declared/record-reads.ts';
import { createInput, type InputClass, updateInput } from '../../graphql/input-types.ts';
import type { Checked } from '../../records/checked.ts';
import { type ErrorCode, GatewayError } from '../../records/errors.ts';
import { checkChange, checkNew, differing, type Given } from '../../records/fields.ts';
import { newId } from '../../records/ids.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { constantCase } from '../../records/naming.ts';
import { nounOf } from '../../records/not-found.ts';
import type { RoleName } from '../../records/roles.ts';
import { emit, recordEvent } from './event-data.ts';
import { acceptedWithWarnings, requireChange, withUnique } from './payloads.ts';
import { lockRecord } from './transitions.ts';

/** What every record with such operations has. */
interface PlatformRecord {
  id: string;
  organisationId: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The checks of a record's input, where they are more than those of its properties. */
interface Rules<T> {
  create?: (input: Given<T>) => Checked<Partial<T>>;
  change?: (input: Given<T>, stored: T) => Checked<Partial<T>>;
}

/** A record that is about to be stored in the open transaction. */
export interface Saving<T> {
  em: EntityManager;
  context: RequestContext;
  id: string;
  /** As it is stored; undefined for a new one. */
  stored: T | undefined;
  /** The checked fields of a new record, or those that change. */
  fields: Partial<T>;
}

const happenings = { CREATED: 'created', UPDATED: 'changed', DELETED: 'deleted' } as const;
type Happening = keyof typeof happenings;

interface ResourceOptions<T> {
  roles: readonly RoleName[];
  /** What its events report, under the plural of the record: `CORPORATIONS.CREATED`. */
  events: readonly Happening[];
  owner?: Owner & { property: keyof T };
  inputs?: { create: InputClass; update: InputClass };
  /** The checks of a call, made before its transaction begins. */
  rules?: (context: RequestContext) => Rules<T> | Promise<Rules<T>>;
  /** The code of a rejected value that another record has, by property; RECORD_ALREADY_EXISTS when absent. */
  duplicates?: { readonly [K in keyof T]?: ErrorCode };
  /** Runs before a record is stored; returns what is reported with its event. */
  saving?: (saving: Saving<T>) => readonly NewEvent[] | Promise<readonly NewEvent[]>;
  /** Runs after a record was marked as deleted; returns what is reported with its event. */
  removed?: (em: EntityManager, context: RequestContext, record: T, now: Date) => Promise<readonly NewEvent[]>;
  /** Descriptions that say more than what every such field says. */
  texts?: { readonly [K in 'create' | 'remove' | 'summary']?: string };
}

/** The declared operations of a record: the class of their resolver, and what REST routes are made from. */
export interface Resource<T extends object = object> {
  record: RecordClass<T>;
  /** Its name in fields, in the singular and in the plural. */
  one: string;
  many: string;
  owner: Owner | undefined;
  resolver: RecordClass;
  /** The topics of its events. */
  topics: ReadonlyMap<Happening, Topic<TopicName>>;
  /** Creates a record; returns its id and the remarks on its input. */
  create: (context: RequestContext, input: Given<T>) => Promise<Written<string>>;
}

/** `a corporation`, `an address`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** The name of the topic of an event of a record. */
const topicNameOf = (record: RecordClass, happening: Happening): string => `${constantCase(`${record.name}s`)}.${happening}`;

/** The topic of an event of a record; undefined where it has none. */
export const knownTopicOf = (record: RecordClass, happening: Happening): Topic<TopicName> | undefined =>
  TOPICS.find(({ topic }) => topic === topicNameOf(record, happening));

/** The topic of an event of a record: the one of the catalogue, or a new one there. */
function topicOf(record: RecordClass, happening: Happening): Topic<TopicName> {
  const known = knownTopicOf(record, happening);
  return (
    known ?? declareTopic(topicNameOf(record, happening), `${sentence(withArticle(nounOf(record)))} was ${happenings[happening]}.`, record)
  );
}

const sentence = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** Declares the operations of a record. */
export function resource<T extends PlatformRecord>(record: new () => T, options: ResourceOptions<T>): Resource<T>;
export function resource(record: new () => PlatformRecord, options: ResourceOptions<PlatformRecord>): Resource<PlatformRecord> {
  const { roles, owner, texts = {}, saving = () => [] } = options;
  const model = modelOf(record);
  const { deletedAt, prefix } = model;
  if (!deletedAt || !model.listed) throw new Error(`${record.name} needs deletedAt and listed to have the operations of a resource`);
  const noun = nounOf(record);
  const one = record.name[0]!.toLowerCase() + record.name.slice(1);
  const many = `${one}s`;
  const topics = new Map(options.events.map((happening) => [happening, topicOf(record, happening)]));
  const inputs = options.inputs ?? {
    create: createInput(record, `${sentence(withArticle(noun))} to create.`),
    update: updateInput(record, `Fields of ${withArticle(noun)} to change; null clears optional ones.`),
  };
  const uniqueErrors = Object.fromEntries(
    model.unique.map(({ name, columns }) => {
      const { name: property } = [...model.props.values()].find(({ column }) => column === columns.split(', ').at(-1))!;
      const message = `${property} belongs to another ${noun}${owner ? ` of the ${nounOf(owner.record)}` : ''}`;
      const field = `input.${property}`;
      const code = options.duplicates?.[property as keyof PlatformRecord] ?? 'RECORD_ALREADY_EXISTS';
      return [name, () => new GatewayError(code, message, { field, issues: [{ field, code: 'DUPLICATE', message }] })];
    }),
  );

  const report = (em: EntityManager, context: RequestContext, happening: Happening, id: string, more: readonly NewEvent[] = []): void => {
    const known = topics.get(happening);
    const { organisationId } = tenantOf(context);
    const event = known ? [recordEvent(em, context.services, organisationId, known.topic, record, id)] : [];
    emit(em, context, [...event, ...more]);
  };

  const lock = (em: EntityManager, id: string): Promise<PlatformRecord> =>
    lockRecord(em, record, { id, [deletedAt]: null } as FilterQuery<PlatformRecord>, { id, field: 'id' });

  async function create(context: RequestContext, input: Given<PlatformRecord>): Promise<Written<string>> {
    const { create: check = (given) => checkNew(record, given) }: Rules<PlatformRecord> = (await options.rules?.(context)) ?? {};
    const { value: fields, warnings } = acceptedWithWarnings(check(input));
    const { organisationId } = tenantOf(context);
    const now = context.services.clock.now();
    const id = newId(prefix);
    return withUnique(uniqueErrors, () =>
      transaction(context, async (em) => {
        if (owner) await shareLock(em, owner, organisationId, input[owner.property as keyof PlatformRecord] as string);
        em.persist(em.create(record, { ...fields, id, organisationId, createdAt: now, updatedAt: now }));
        report(em, context, 'CREATED', id, await saving({ em, context, id, stored: undefined, fields }));
        return { id, warnings };
      }),
    );
  }

  async function update(context: RequestContext, id: string, input: Given<PlatformRecord>): Promise<Written<string>> {
    requireChange(input);
    const { change: check = (given, stored) => checkChange(record, given, stored) }: Rules<PlatformRecord> =
      (await options.rules?.(context)) ?? {};
    return withUnique(uniqueErrors, () =>
      transaction(context, async (em) => {
        const stored = await lock(em, id);
        const { value, warnings } = acceptedWithWarnings(check(input, stored));
        const fields = differing(value, stored);
        if (Object.keys(fields).length === 0) return { id, warnings };
        const more = await saving({ em, context, id, stored, fields });
        em.assign(stored, { ...fields, updatedAt: context.services.clock.now() }, { mergeObjectProperties: false });
        report(em, context, 'UPDATED', id, more);
        return { id, warnings };
      }),
    );
  }

  const remove = (context: RequestContext, id: string): Promise<Written> =>
    transaction(context, async (em) => {
      const stored = await lock(em, id);
      const now = context.services.clock.now();
      em.assign(stored, { [deletedAt]: now, updatedAt: now });
      report(em, context, 'DELETED', id);
      emit(em, context, (await options.removed?.(em, context, stored, now)) ?? []);
      return { id };
    });

  const [created, updated, removed] = ['create', 'update', 'delete'].map((action) => action + record.name) as [string, string, string];
  const whose = owner ? `of ${withArticle(nounOf(owner.record))}` : 'of the organisation';
  const given = id(`Id of the ${noun}.`);
  const fields: Record<string, DeclaredField> = {
    [one]: recordField(record, { roles }),
    [many]: listField(record, { roles, owner, description: `The ${noun}s ${whose}, newest first.` }),
    [`${many}Summary`]: summaryField(record, {
      roles,
      owner,
      description: texts.summary ?? `Counts and extremes of the ${noun}s ${whose}, in groups.`,
    }),
    [created]: recordMutation(record, { roles, warnings: true, bulk: `${created}s` })(
      texts.create ?? `Creates ${withArticle(noun)}.`,
      { input: argument<Given<PlatformRecord>>(() => inputs.create, `The ${noun}.`) },
      ({ input }, { context }) => create(context, input),
    ),
    [updated]: recordMutation(record, { roles, warnings: true, bulk: `${updated}s` })(
      `Updates the given fields of ${withArticle(noun)}.`,
      { id: given, input: argument<Given<PlatformRecord>>(() => inputs.update, 'The fields to change.') },
      ({ id, input }, { context }) => update(context, id, input),
    ),
    [removed]: recordMutation(record, { roles, bulk: `${removed}s` })(
      texts.remove ?? `Deletes ${withArticle(noun)}.`,
      { id: given },
      ({ id }, { context }) => remove(context, id),
    ),
  };
  return { record, one, many, owner, resolver: resolver(fields), topics, create };
}

/** The owner of a new record, locked so that it cannot be deleted before the transaction ends. */
async function shareLock(em: EntityManager, { record, property }: Owner, organisationId: number, id: string): Promise<void> {
  const where = { organisationId, id, [modelOf(record).deletedAt!]: null };
  await lockRecord(em, record, where as FilterQuery<object>, { id, field: `input.${property}` }, LockMode.PESSIMISTIC_READ);
}
