// What a pull does with the records of a data model: how they are checked, stored and deleted.
import type { GraphQLSchema } from 'graphql';
import type { EntityManager } from '../../database/open.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { LEDGER_TRANSACTION, LedgerTransaction } from '../books/ledger-transaction.ts';
import { removeTransactions, type SentTransaction, type SourceBooks, writeTransactions } from '../books/source-transactions.statements.ts';
import { checkTransaction, type TransactionInput, transactionType } from '../books/source-transactions.ts';
import { type LedgerRecord, namesOf, recordOf } from '../ledger/ledger-record.ts';
import { inOrderOfReferences } from '../ledger/references.ts';
import { resolveArrivals } from '../writes/arrivals.ts';
import type { Entry, WriteScope } from '../writes/change.ts';
import { deleteFromSource } from '../writes/source-versions.ts';
import { type Outcome, writeEntries } from './job-entries.ts';
import { named } from './pull.statements.ts';
import { inputCoercer, type RecordCoercer, recordCoercer } from './source-record.ts';
import type { SyncState } from './sync-state.ts';

/** A type of pulled records. */
export interface PulledType {
  /** The table that has a row of each record, with its source id and when it was deleted. */
  record: RecordClass;
  coercer(schema: GraphQLSchema, isTyped?: boolean): RecordCoercer;
  /** Stores records, each or none of it. */
  store(em: EntityManager, scope: WriteScope, sync: SyncState, entries: Entry[], start: number): Promise<Outcome>;
  /** Marks records deleted that the source has no more. */
  remove(em: EntityManager, scope: WriteScope, ids: readonly string[]): Promise<unknown>;
}

const recordType = (record: RecordClass<LedgerRecord>): PulledType => ({
  record,
  coercer: (schema, isTyped) => recordCoercer(schema, record, isTyped),
  async store(em, scope, sync, entries, start) {
    const outcome = await writeEntries(em, scope, sync, record, entries, start);
    await resolveArrivals(em, scope);
    return outcome;
  },
  remove: (em, scope, ids) => deleteFromSource(em, scope, record, { condition: named, values: [ids] }),
});

const booksOf = ({ organisationId, company }: WriteScope): SourceBooks => ({
  organisationId,
  companyId: company.ledgerId,
  integrationType: company.integrationType,
});

const transactions: PulledType = {
  record: LedgerTransaction,
  coercer(schema, isTyped = false) {
    const coerce = inputCoercer(transactionType(schema), (record) => record, isTyped);
    return (record, path) => {
      const input = coerce(record, path);
      checkTransaction(input as unknown as TransactionInput, path);
      return input;
    };
  },
  async store(em, scope, _sync, entries) {
    const sent = entries.map(
      ({ input, source }): SentTransaction => ({ transaction: input as unknown as TransactionInput, hash: source!.hash }),
    );
    await writeTransactions(em, booksOf(scope), sent);
    return { stored: sent.length, refusals: [] };
  },
  remove: (em, scope, ids) => removeTransactions(em, booksOf(scope), ids, scope.now),
};

/** The types of pulled records by data model, in the order of their references: those that others name come first. */
export const pulledTypes = (records: readonly RecordClass<LedgerRecord>[]): ReadonlyMap<string, PulledType> =>
  new Map([
    ...inOrderOfReferences(records.filter((target) => namesOf(target).parent.length === 0)).map(
      (target) => [namesOf(target).dataModel, recordType(target)] as const,
    ),
    [LEDGER_TRANSACTION, transactions],
  ]);

/** What coerces the records of a data model that is pulled. */
export const modelCoercer = (schema: GraphQLSchema, dataModel: string): RecordCoercer =>
  (dataModel === LEDGER_TRANSACTION ? transactions : recordType(recordOf(dataModel)!)).coercer(schema);
