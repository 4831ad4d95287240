// The mutations of every ledger record type: create, upsert, update, delete, of one record and of many. What is special to one type belongs in
// that record's file.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, ID, Info, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import type { Row } from '../../database/reader/projection.ts';
import { type InputClass, inputType, RecordArg, RecordsArg } from '../../graphql/input-types.ts';
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

/** A field of a payload. */
interface Member {
  type: () => object;
  description: string;
}

/** Declares an object type of the given fields; each is null where the call, or the record, was refused. */
function objectType(name: string, description: string, members: Record<string, Member>): RecordClass {
  const target = { [name]: class {} }[name]!;
  for (const [member, { type, description: what }] of Object.entries(members))
    Field(type, { description: what, nullable: true })(target.prototype, member);
  ObjectType(name, { description, simpleResolvers: true })(target);
  return target;
}

const syncId: Member = { type: () => ID, description: 'Sync that reports the write.' };

const texts = {
  unnamed: 'Without a `platformId`, every call creates a new record.',
  runAsync: 'Store in the background.',
  strict: 'Reject records that break a rule.',
  ifMatch: 'Required `etag` of the record.',
  atomic: 'Store all records or none.',
  wait: `Seconds to wait, at most ${MAX_SECONDS}.`,
  company: 'Id of the company.',
};

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

  @Resolver()
  class RecordMutations {
    @access('INTEGRATIONS')
    @Mutation(() => OnePayload, {
      name: `create${model.name}`,
      description: `Creates one ${label}. RECORD_ALREADY_EXISTS if its \`platformId\` is taken.`,
    })
    create(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @Arg('data', () => Input, { description: 'The record.' }) data: RecordInput,
      @Arg('strict', () => Boolean, { defaultValue: false, description: texts.strict }) strict: boolean,
      @Arg('wait', () => Int, { nullable: true, description: texts.wait }) wait: number | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return writes.write(context, info, companyId, data, { mode: 'create', strict, ifMatch: null, wait });
    }

    @access('INTEGRATIONS')
    @Mutation(() => OnePayload, {
      name: `upsert${model.name}`,
      description: `Creates one ${label}, or updates the one with its \`platformId\`. ${texts.unnamed}`,
    })
    upsert(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @Arg('data', () => Input, { description: 'The record, with its `platformId` if it may exist.' }) data: RecordInput,
      @Arg('strict', () => Boolean, { defaultValue: false, description: texts.strict }) strict: boolean,
      @Arg('ifMatch', () => String, { nullable: true, description: texts.ifMatch }) ifMatch: string | null,
      @Arg('wait', () => Int, { nullable: true, description: texts.wait }) wait: number | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return writes.write(context, info, companyId, data, { mode: 'upsert', strict, ifMatch: ifMatch ?? null, wait });
    }

    @access('INTEGRATIONS')
    @Mutation(() => WritePayload, {
      name: `create${plural}`,
      description: `Creates ${label} records. RECORD_ALREADY_EXISTS if a \`platformId\` is taken.`,
    })
    createMany(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @Arg('data', () => [Input], { description: `Records, at most ${MAX_BATCH}.` }) data: RecordInput[],
      @Arg('runAsync', () => Boolean, { defaultValue: false, description: texts.runAsync }) runAsync: boolean,
      @Arg('strict', () => Boolean, { defaultValue: false, description: texts.strict }) strict: boolean,
      @Arg('atomic', () => Boolean, { defaultValue: false, description: texts.atomic }) atomic: boolean,
      @Arg('wait', () => Int, { nullable: true, description: texts.wait }) wait: number | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return writes.writeMany(context, info, companyId, data, { mode: 'create', runAsync, strict, ifMatch: null, wait, atomic });
    }

    @access('INTEGRATIONS')
    @Mutation(() => WritePayload, {
      name: `upsert${plural}`,
      description: `Creates ${label} records, or updates those with a known \`platformId\`.`,
    })
    upsertMany(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @Arg('data', () => [Input], {
        description: `Records, at most ${MAX_BATCH}, with a \`platformId\` if they may exist.`,
      })
      data: RecordInput[],
      @Arg('runAsync', () => Boolean, { defaultValue: false, description: texts.runAsync }) runAsync: boolean,
      @Arg('strict', () => Boolean, { defaultValue: false, description: texts.strict }) strict: boolean,
      @Arg('ifMatch', () => String, { nullable: true, description: texts.ifMatch }) ifMatch: string | null,
      @Arg('atomic', () => Boolean, { defaultValue: false, description: texts.atomic }) atomic: boolean,
      @Arg('wait', () => Int, { nullable: true, description: texts.wait }) wait: number | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return writes.writeMany(context, info, companyId, data, { mode: 'upsert', runAsync, strict, ifMatch: ifMatch ?? null, wait, atomic });
    }

    @access('INTEGRATIONS')
    @Mutation(() => OnePayload, { name: `update${model.name}`, description: `Updates the given fields of one ${label}.` })
    update(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @RecordArg('ledgerId', () => target, { description: 'Number of the record.' }) ledgerId: number,
      @Arg('data', () => Input, { description: 'The fields to change.' }) data: RecordInput,
      @Arg('strict', () => Boolean, { defaultValue: false, description: texts.strict }) strict: boolean,
      @Arg('ifMatch', () => String, { nullable: true, description: texts.ifMatch }) ifMatch: string | null,
      @Arg('wait', () => Int, { nullable: true, description: texts.wait }) wait: number | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return writes.change(context, info, companyId, { configMode: 'UPDATE', strict, wait }, async (em, scope) => {
        const result = await updateRecord(em, scope, target, ledgerId, data, ifMatch);
        if (result instanceof GatewayError) throw result;
        return ledgerId;
      });
    }

    @access('INTEGRATIONS')
    @Mutation(() => WritePayload, {
      name: `update${plural}`,
      description: `Updates the given fields of ${label} records.`,
    })
    updateMany(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @Arg('data', () => [ChangeInput], { description: `Records with the fields to change, at most ${MAX_BATCH}.` })
      data: NamedInput[],
      @Arg('strict', () => Boolean, { defaultValue: false, description: texts.strict }) strict: boolean,
      @Arg('atomic', () => Boolean, { defaultValue: false, description: texts.atomic }) atomic: boolean,
      @Arg('wait', () => Int, { nullable: true, description: texts.wait }) wait: number | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return writes.updateMany(context, info, companyId, entriesOf(context, data), { strict, wait }, atomic);
    }

    @access('INTEGRATIONS')
    @Mutation(() => OnePayload, { name: `delete${model.name}`, description: `Marks one ${label} and its children as deleted.` })
    remove(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @RecordArg('ledgerId', () => target, { description: 'Number of the record.' }) ledgerId: number,
      @Arg('ifMatch', () => String, { nullable: true, description: texts.ifMatch }) ifMatch: string | null,
      @Arg('wait', () => Int, { nullable: true, description: texts.wait }) wait: number | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return writes.change(context, info, companyId, { configMode: 'DELETE', strict: false, wait }, async (em, scope) => {
        await deleteRecord(em, scope, target, ledgerId, ifMatch);
        return ledgerId;
      });
    }

    @access('INTEGRATIONS')
    @Mutation(() => WritePayload, {
      name: `delete${plural}`,
      description: `Marks ${label} records and their children as deleted.`,
    })
    removeMany(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @RecordsArg(
        'data',
        () => target,
        () => [RecordVersionInput],
        { description: `Records, at most ${MAX_BATCH}.` },
      )
      data: NamedInput[],
      @Arg('atomic', () => Boolean, { defaultValue: false, description: texts.atomic }) atomic: boolean,
      @Arg('wait', () => Int, { nullable: true, description: texts.wait }) wait: number | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      requireCount(data);
      return writes.bulk(context, info, companyId, { configMode: 'DELETE', strict: false, wait }, atomic, (em, scope) =>
        deleteRecords(em, scope, target, entriesOf(context, data)),
      );
    }
  }
  return RecordMutations;
}
