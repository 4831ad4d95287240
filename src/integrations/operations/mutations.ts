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

const syncId: Member = { type: () => ID, description: 'Sync that reports the write; null when nothing was stored.' };

const texts = {
  unnamed:
    'A record without a platform id is created again by each write, because nothing identifies it (a currency is identified by its code); `Idempotency-Key` makes such a write safe to repeat.',
  runAsync: 'Accept the records now and store them later; the sync reports the outcome. The answer then has no records.',
  strict: 'Refuse records that break an integrity rule; otherwise they are stored and flagged.',
  ifMatch: 'Write only if the record is still this version, given as its `etag`; `*` matches any version. For a single record.',
  atomic:
    'Store all records or none. Otherwise each is stored or refused on its own, provided that the operation selects `errors` or `results { errors }`.',
  wait: `Seconds to wait for the source, up to ${MAX_SECONDS}; the record is then answered as the source has it, over REST with \`source_state\` and \`source_error\`. Without an answer in time, the response is the same as without \`wait\`.`,
  waitDeleted: `Seconds to wait for the source, up to ${MAX_SECONDS}. A deletion that it refuses is an error in its words, and the record is there again. Without an answer in time, the response is the same as without \`wait\`.`,
  company: 'Number of the company.',
};

/** A stored record in one of its versions, for bulk forms that change nothing else. */
const RecordVersionInput = inputType('RecordVersionInput', 'A stored record, and the version it has to be.', [
  { name: 'id', type: () => ID, description: 'Global id or number of the record.', nullable: false },
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
  const stored: Member = { type: () => target, description: 'The record as it is stored now; null for one that was refused.' };
  const Result = objectType(`${model.name}Result`, `Outcome of one ${label} of a bulk form.`, {
    index: { type: () => Int, description: 'Place of the record in the input, from 0.' },
    [one]: stored,
  });
  const WritePayload = objectType(`${model.name}WritePayload`, `Result of a write of ${label} records.`, {
    syncId,
    [many]: { type: () => [target], description: 'The stored records, in the order given; null when the write runs asynchronously.' },
    results: {
      type: () => [Result],
      description: 'The outcome of each record, in the order given; null when the write runs asynchronously or was refused as a whole.',
    },
  });
  const OnePayload = objectType(`${model.name}Payload`, `Result of a change of one ${label}.`, { syncId, [one]: stored });
  const writes = new RecordWrites(target);

  @Resolver()
  class RecordMutations {
    @access('INTEGRATIONS')
    @Mutation(() => OnePayload, {
      name: `create${model.name}`,
      description: `Creates one ${label}. RECORD_ALREADY_EXISTS when its platform id is taken.`,
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
      description: `Creates one ${label}, or updates the one whose platform id is known. ${texts.unnamed}`,
    })
    upsert(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @Arg('data', () => Input, { description: 'The record, with its `platformId` where it may exist already.' }) data: RecordInput,
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
      description: `Creates ${label} records, each on its own unless \`atomic\`. RECORD_ALREADY_EXISTS when a platform id is taken.`,
    })
    createMany(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @Arg('data', () => [Input], { description: `The records, at most ${MAX_BATCH}.` }) data: RecordInput[],
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
      description: `Creates ${label} records, or updates those whose platform id is known, each on its own unless \`atomic\`. ${texts.unnamed}`,
    })
    upsertMany(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @Arg('data', () => [Input], {
        description: `The records, at most ${MAX_BATCH}, each with its \`platformId\` where it may exist already.`,
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
    @Mutation(() => OnePayload, { name: `update${model.name}`, description: `Changes the given fields of one ${label}.` })
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
      description: `Changes the given fields of ${label} records, each on its own unless \`atomic\`.`,
    })
    updateMany(
      @RecordArg('companyId', () => Company, { description: 'Company the records belong to.' }) companyId: number,
      @Arg('data', () => [ChangeInput], { description: `The records with the fields to change, at most ${MAX_BATCH}.` })
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
    @Mutation(() => OnePayload, { name: `delete${model.name}`, description: `Marks one ${label} and what belongs to it deleted.` })
    remove(
      @RecordArg('companyId', () => Company, { description: texts.company }) companyId: number,
      @RecordArg('ledgerId', () => target, { description: 'Number of the record.' }) ledgerId: number,
      @Arg('ifMatch', () => String, { nullable: true, description: texts.ifMatch }) ifMatch: string | null,
      @Arg('wait', () => Int, { nullable: true, description: texts.waitDeleted }) wait: number | null,
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
      description: `Marks ${label} records and what belongs to them deleted, each on its own unless \`atomic\`.`,
    })
    removeMany(
      @RecordArg('companyId', () => Company, { description: 'Company the records belong to.' }) companyId: number,
      @RecordsArg(
        'data',
        () => target,
        () => [RecordVersionInput],
        { description: `The records, at most ${MAX_BATCH}.` },
      )
      data: NamedInput[],
      @Arg('atomic', () => Boolean, { defaultValue: false, description: texts.atomic }) atomic: boolean,
      @Arg('wait', () => Int, { nullable: true, description: texts.waitDeleted }) wait: number | null,
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
