// What keeps the rows: one server, or an engine that has the rows of companies on several nodes. All that the two take in different forms is here.
import type { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClientBase, PoolConfig } from 'pg';
import type { Model, RecordClass } from '../../records/metadata.ts';
import type { TextRow } from '../read-path/data-rows.ts';
import type { ReadValues, Statement } from '../read-path/read-path.ts';

/** Runs a statement on one connection and returns its rows. */
export type Run = <T>(sql: string, values?: unknown[]) => Promise<T[]>;

/** Runs a read and returns its rows as text. */
export type ReadTexts = (statement: Statement, values: ReadValues) => Promise<TextRow[]>;

/**
 * Those of the companies, 0 for all, of which something that has committed before the call cannot be read yet. Nothing that follows from a commit, such
 * as an event or a job, may go out before.
 */
export type PendingCommits = (companyIds: readonly number[]) => Promise<ReadonlySet<number>>;

/** Settings of a transaction, by their names. */
export type Settings = Readonly<Record<string, string>>;

/** Which rows of a record to remove. */
export interface ChosenRows {
  model: Model;
  /** Condition in SQL on the row `t`, and the values of its parameters, from `$1` on. */
  condition: string;
  values: readonly unknown[];
  /** The table and the rows of it that meet the condition, in SQL: what follows `from`. */
  chosen: string;
}

/** An engine, by what it takes in a form of its own. */
export interface Engine {
  /** Settings of the sessions that serve requests. */
  readonly session: PoolConfig;
  /** The same behind a pooler; undefined where the engine supports none. */
  readonly pooledSession: PoolConfig | undefined;
  /** The column whose value says which node has a row of the record; undefined where all its rows are on the server that a connection leads to. */
  nodeColumn(model: Pick<Model, 'companyColumn'>): string | undefined;
  /**
   * A table of parents: their values, which the arrays have, and then their places, from 1. `companies` is the index of the array whose values say
   * which node has the rows of a parent, and an array with each of these values once; undefined where the parents have none.
   */
  parents(arrays: readonly string[], companies: { index: number; different: string } | undefined): string;
  /** What a transaction that writes sends before anything else. */
  readonly begin: readonly string[];
  /** What commits have not shown yet; undefined where a commit shows all of its rows at once. */
  readonly pendingCommits: ((read: ReadTexts) => PendingCommits) | undefined;
  /** How a transaction makes its settings: with `set_config`, or with statements that come afterwards. */
  settings(settings: Settings): { own: Settings; statements: readonly string[] };
  /** Locks rows of all companies and leaves out those that another transaction has locked: for the ORM, and what a statement ends with. */
  readonly skipLocked: { mode: LockMode.NONE | LockMode.PESSIMISTIC_PARTIAL_WRITE; sql: string };
  /** How an insert takes many rows: from arrays, or each as a list of values. */
  readonly newRows: 'arrays' | 'values';
  /** Which of several parts that store rows are one statement. */
  together<P>(parts: readonly P[]): (readonly P[])[];
  /** Removes rows, except those that another transaction has locked or changed. Returns their keys. */
  remove(run: Run, rows: ChosenRows): Promise<string[]>;
  /** The rows that a plan expects. */
  expectedRows(plan: [{ Plan: { 'Plan Rows': number } }]): number;
  /** Places the tables that migrations have added. Throws where a placement was interrupted. */
  place(run: Run, records: readonly RecordClass[], hasMigrated: boolean, log: (message: string) => void): Promise<void>;
}

/** An engine that has rows on several nodes, as a start finds it and operators manage it. */
export interface DistributedEngine extends Engine {
  /** Whether it keeps the rows of the database, or an operator was placing them there or bringing them back. */
  isIn(run: Run): Promise<boolean>;
  /** Takes the steps that are left until the tables of companies are placed, or are all back. Returns how many there were. */
  distribute(
    url: string,
    records: readonly RecordClass[],
    /** Whether the tables are brought back, and whether the steps are only reported. */
    options: { undo?: boolean; dryRun?: boolean; onStep: (step: { what: string }, index: number, count: number) => void },
  ): Promise<number>;
  /** Where the tables of companies are, as text; undefined where the server does not have the engine. */
  check(run: Run, records: readonly RecordClass[]): Promise<{ isComplete: boolean; text: string } | undefined>;
}

/** Whether the rows of two records are on the same node, so that statements join them and foreign keys lead from one to the other. */
export const areTogether = (engine: Engine, one: Model, other: Model): boolean =>
  (engine.nodeColumn(one) === undefined) === (engine.nodeColumn(other) === undefined);

/** Runs statements on a connection. */
export const runOn =
  (client: Pick<ClientBase, 'query'>): Run =>
  async <T>(sql: string, values?: unknown[]) =>
    (await client.query(sql, values)).rows as T[];

/** Under this name the settings of the ORM carry the engine to every transaction; their published type leaves it out. */
const SETTING = 'engine' as never;

/** The settings of the ORM for an engine. */
export const engineSettings = (engine: Engine): object => ({ [SETTING as string]: engine });

/** The engine of a transaction. */
export const engineOf = (em: EntityManager): Engine => em.config.get(SETTING);
