// Removes ended product imports after their retention, in batches, with the rows they rejected and the file they read.

import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '../../../database/open.ts';
import { FilePiece, StoredFile } from '../../../files/stored-file.ts';
import { RETENTION_BATCH, removeRows } from '../../../queue/retention.statements.ts';
import { type Chore, cutoff } from '../../../queue/schedules.ts';
import { ImportJob, ImportRowIssue } from './job.ts';

/** Imports in one batch. */
const JOBS = 50;

/** The chore works for all organisations. */
const ALL = { filters: { tenant: false } };

/** Removes ended imports whose retention has passed. A file is removed with the last import that read it. */
export const importRetention: Chore = {
  name: 'import-retention',
  async batch(em, services) {
    const before = cutoff(services, services.config.retention.importJobDays);
    if (!before) return false;
    const jobs = await em.find(
      ImportJob,
      { completedAt: { $lt: new Date(before) } },
      { ...ALL, fields: ['fileId'], orderBy: { id: 'asc' }, limit: JOBS, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    if (jobs.length === 0) return false;
    const ids = jobs.map(({ id }) => id);
    const issues = await removeRows(em, ImportRowIssue, { condition: 't.job_id = any($1::text[])', values: [ids] });
    if (issues.length === RETENTION_BATCH) return true;
    await em.nativeDelete(ImportJob, { id: { $in: ids } }, ALL);
    await removeUnusedFiles(
      em,
      jobs.map(({ fileId }) => fileId),
    );
    return jobs.length === JOBS;
  },
};

/** Removes the files that no import reads any more, with their pieces. */
async function removeUnusedFiles(em: EntityManager, ids: readonly string[]): Promise<void> {
  const files = await em.find(
    StoredFile,
    { id: { $in: [...ids] }, purpose: 'PRODUCT_IMPORT' },
    { ...ALL, fields: ['id'], lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  const jobs = await em.find(ImportJob, { fileId: { $in: files.map(({ id }) => id) } }, { ...ALL, fields: ['fileId'] });
  const used = new Set(jobs.map(({ fileId }) => fileId));
  const unused = files.map(({ id }) => id).filter((id) => !used.has(id));
  await em.nativeDelete(FilePiece, { fileId: { $in: unused } }, ALL);
  await em.nativeDelete(StoredFile, { id: { $in: unused } }, ALL);
}
