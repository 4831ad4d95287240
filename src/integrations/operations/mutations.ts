// The mutations of every ledger record type: create, upsert, update, delete, of one record and of many. What is special to one type belongs in
// that record's file.
import { ID, Int } from 'type-graphql';
import type { RequestContext } from '../../access/context.ts';
import { type Argument, argument, mutation, namedRecords, optional, recordNumber, resolver } from '../../graphql/declared/fields.ts';
import { type Member, objectType } from '../../graphql/declared/object-type.ts';
import { type InputClass, inputType } from '../../graphql/input-types.ts';
import { GatewayError } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { Company } from '../companies/company.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import { changeInput, recordInput } from '../ledger/record-input.ts';
import { MAX_BATCH } from '../syncs/batch.ts';
import type { Entry, RecordInput } from '../writes/change.ts';
import { deleteRecords } from '../writes/named-records.ts';
import { deleteRecord, updateRecord } from '../writes/write.ts';
import { MAX_SECONDS } from './push-wait.ts';
import { RecordWrites, requireCount } from './record-writes.ts';

const syncId: Member = { type: () => ID, description: 'Sync that reports the write.' };

const texts = {
  unnamed: 'Without a `platformId`, each call creates a record.',
  ifMatch: 'Required `etag` of the record.',
};

const companyId = recordNumber(() => Company, 'Id of the company.');
const strict = argument<boolean>(() => Boolean, 'Reject records that break a rule.', { defaultValue: false });
const runAsync = argument<boolean>(() => Boolean, 'Store in the background.', { defaultValue: false });
const atomic = argument<boolean>(() => Boolean, 'Store all records or none.', { defaultValue: false });
const ifMatch = optional<string>(() => String, texts.ifMatch);
const wait = optional<number>(() => Int, `Seconds to wait, at most ${MAX_SECONDS}.`);

/** A stored record in one of its versions, for bulk forms that change nothing else. */
const RecordVersionInput = inputType('RecordVersionInput', 'A stored record with its required version.', [
  { name: 'id', type: () => ID, description: 'Id of the record.', nullable: false },
  { name: 'ifMatch', type: () => String, description: texts.ifMatch, nullable: true },
]);

/** A record of a bulk form that names a stored one. */
interface NamedInput extends RecordInput {
  id: number;
  ifMatch?: string | null;
}

const entriesOf = ({ refused }: RequestContext, data: readonly NamedInput[]): Entry[] =>
  data.map((record, index) => {
    const { id, ifMatch = null, ...input } = record;
    return { path: `data[${index}]`, input, ledgerId: id, ifMatch, error: refused?.get(record) };
  });

/** The mutations of a ledger record type. */
export function recordMutations(target: RecordClass<LedgerRecord>): RecordClass {
  const model = modelOf(target);
  const { one, many, dataModel } = namesOf(target);
  const label = dataModel.toLowerCase().replaceAll('_', ' ');
  const plural = many[0]!.toUpperCase() + many.slice(1);
  const Input: InputClass = recordInput(target);
  const ChangeInput: InputClass = changeInput(target, texts.ifMatch);
  const stored: Member = { type: () => target, description: 'The stored record; null if rejected.' };
  const Result = objectType(`${model.name}Result`, `Outcome of one ${label} of a bulk mutation.`, {
    index: { type: () => Int, description: 'Index of the record in the input, from 0.' },
    [one]: stored,
  });
  const WritePayload = objectType(`${model.name}WritePayload`, `Result of writing ${label} records.`, {
    syncId,
    [many]: { type: () => [target], description: 'Stored records, in input order.' },
    results: {
      type: () => [Result],
      description: 'Outcome of each record, in input order.',
    },
  });
  const OnePayload = objectType(`${model.name}Payload`, `Result of writing one ${label}.`, { syncId, [one]: stored });
  const writes = new RecordWrites(target);

  const single = mutation(() => OnePayload, { roles: ['INTEGRATIONS'] });
  const bulk = mutation(() => WritePayload, { roles: ['INTEGRATIONS'] });
  const ledgerId = recordNumber(() => target, 'Number of the record.');
  const record = (description: string): Argument<RecordInput> => argument<RecordInput>(() => Input, description);
  const records = (description: string): Argument<RecordInput[]> => argument<RecordInput[]>(() => [Input], description);
  const some = `Records, at most ${MAX_BATCH}`;

  return resolver({
    [`create${model.name}`]: single(
      `Creates one ${label}. RECORD_ALREADY_EXISTS if its \`platformId\` is taken.`,
      { companyId, data: record('The record.'), strict, wait },
      ({ companyId, data, ...options }, { context, info }) =>
        writes.write(context, info, companyId, data, { ...options, mode: 'create', ifMatch: null }),
    ),
    [`upsert${model.name}`]: single(
      `Creates one ${label}, or updates the one with its \`platformId\`. ${texts.unnamed}`,
      { companyId, data: record('The record, with its `platformId` if it may exist.'), strict, ifMatch, wait },
      ({ companyId, data, ifMatch, ...options }, { context, info }) =>
        writes.write(context, info, companyId, data, { ...options, mode: 'upsert', ifMatch: ifMatch ?? null }),
    ),
    [`create${plural}`]: bulk(
      `Creates ${label} records. RECORD_ALREADY_EXISTS if a \`platformId\` is taken.`,
      { companyId, data: records(`${some}.`), runAsync, strict, atomic, wait },
      ({ companyId, data, ...options }, { context, info }) =>
        writes.writeMany(context, info, companyId, data, { ...options, mode: 'create', ifMatch: null }),
    ),
    [`upsert${plural}`]: bulk(
      `Creates ${label} records, or updates those with a known \`platformId\`.`,
      { companyId, data: records(`${some}, with a \`platformId\` if they may exist.`), runAsync, strict, ifMatch, atomic, wait },
      ({ companyId, data, ifMatch, ...options }, { context, info }) =>
        writes.writeMany(context, info, companyId, data, { ...options, mode: 'upsert', ifMatch: ifMatch ?? null }),
    ),
    [`update${model.name}`]: single(
      `Updates the given fields of one ${label}.`,
      { companyId, ledgerId, data: record('The fields to change.'), strict, ifMatch, wait },
      ({ companyId, ledgerId, data, strict, ifMatch, wait }, { context, info }) =>
        writes.change(context, info, companyId, { configMode: 'UPDATE', strict, wait }, async (em, scope) => {
          const result = await updateRecord(em, scope, target, ledgerId, data, ifMatch);
          if (result instanceof GatewayError) throw result;
          return ledgerId;
        }),
    ),
    [`update${plural}`]: bulk(
      `Updates the given fields of ${label} records.`,
      {
        companyId,
        data: argument<NamedInput[]>(() => [ChangeInput], `Records with the fields to change, at most ${MAX_BATCH}.`),
        strict,
        atomic,
        wait,
      },
      ({ companyId, data, strict, atomic, wait }, { context, info }) =>
        writes.updateMany(context, info, companyId, entriesOf(context, data), { strict, wait }, atomic),
    ),
    [`delete${model.name}`]: single(
      `Marks one ${label} and its children as deleted.`,
      { companyId, ledgerId, ifMatch, wait },
      ({ companyId, ledgerId, ifMatch, wait }, { context, info }) =>
        writes.change(context, info, companyId, { configMode: 'DELETE', strict: false, wait }, async (em, scope) => {
          await deleteRecord(em, scope, target, ledgerId, ifMatch);
          return ledgerId;
        }),
    ),
    [`delete${plural}`]: bulk(
      `Marks ${label} records and their children as deleted.`,
      {
        companyId,
        data: namedRecords<NamedInput>(
          () => target,
          () => [RecordVersionInput],
          `${some}.`,
        ),
        atomic,
        wait,
      },
      ({ companyId, data, atomic, wait }, { context, info }) => {
        requireCount(data);
        return writes.bulk(context, info, companyId, { configMode: 'DELETE', strict: false, wait }, atomic, (em, scope) =>
          deleteRecords(em, scope, target, entriesOf(context, data)),
        );
      },
    ),
  });
}
