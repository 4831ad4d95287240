// Commands about an organisation's records: companies, product imports, syncs, addresses.
import { existsSync, openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { count } from './arguments.ts';
import type { Caller } from './caller.ts';
import { type Printer, progressBar } from './print.ts';

const POLL_MS = 250;

interface Company {
  ledgerId: number;
  name: string;
  integrationType: string;
  ledgerCreatedAt: string;
}

interface ImportJob {
  id: string;
  status: string;
  totalRows: number;
  processedRows: number;
  createdCount: number;
  updatedCount: number;
  unchangedCount: number;
  failedCount: number;
  errorReportUrl: string | null;
}

interface Sync {
  id: string;
  status: string;
  jobCounts: { total: number; success: number; failed: number };
}

const COMPANIES = `query Companies($after: String) {
  companies(first: 100, after: $after) { nodes { ledgerId name integrationType ledgerCreatedAt } pageInfo { hasNextPage endCursor } }
}`;
const JOB =
  'query Job($id: ID!) { importJob(id: $id) { id status totalRows processedRows createdCount updatedCount unchangedCount failedCount errorReportUrl } }';
const START = 'mutation Start($input: StartProductImportInput!) { startProductImport(input: $input) { job { id } } }';
const isOver = (status: string): boolean => !['PENDING', 'RUNNING', 'IN_PROGRESS'].includes(status);

async function listCompanies(caller: Caller, printer: Printer): Promise<void> {
  const rows: unknown[][] = [];
  let after: string | null = null;
  do {
    const { companies }: { companies: { nodes: Company[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } } =
      await caller.withKey(COMPANIES, { after });
    rows.push(...companies.nodes.map((company) => [company.ledgerId, company.name, company.integrationType, company.ledgerCreatedAt]));
    after = companies.pageInfo.hasNextPage ? companies.pageInfo.endCursor : null;
  } while (after !== null);
  printer.table(['number', 'name', 'source', 'created'], rows);
}

async function importProducts(caller: Caller, printer: Printer, file: string, corporationId: string | undefined): Promise<void> {
  const form = new FormData();
  form.set('purpose', 'PRODUCT_IMPORT');
  form.set('file', await openAsBlob(file), basename(file));
  const stored = await caller.rest<{ id: string }>('POST', '/api/v1/files', form);
  const { startProductImport } = await caller.withKey<{ startProductImport: { job: { id: string } } }>(START, {
    input: { fileId: stored.id, corporationId },
  });
  const bar = progressBar();
  for (;;) {
    const { importJob } = await caller.withKey<{ importJob: ImportJob }>(JOB, { id: startProductImport.job.id });
    bar.show(importJob.processedRows, importJob.totalRows);
    if (isOver(importJob.status)) {
      bar.end();
      const { id, status, createdCount, updatedCount, unchangedCount, failedCount, errorReportUrl } = importJob;
      printer.table(
        ['job', 'status', 'created', 'updated', 'unchanged', 'failed'],
        [[id, status, createdCount, updatedCount, unchangedCount, failedCount]],
      );
      if (failedCount > 0 && errorReportUrl) printer.result({ report: errorReportUrl }, `report  ${errorReportUrl}`);
      if (status === 'FAILED' || failedCount > 0) process.exitCode = 1;
      return;
    }
    await sleep(POLL_MS);
  }
}

async function runSync(caller: Caller, printer: Printer, companyId: number, fullSync: boolean): Promise<void> {
  const request = 'mutation Pull($input: RequestSyncInput!) { requestSync(input: $input) { sync { id } } }';
  const { requestSync } = await caller.withKey<{ requestSync: { sync: { id: string } } }>(request, { input: { companyId, fullSync } });
  const read = 'query Sync($id: ID!) { sync(id: $id) { id status jobCounts { total success failed } } }';
  const bar = progressBar();
  for (;;) {
    const { sync } = await caller.withKey<{ sync: Sync }>(read, { id: requestSync.sync.id });
    const { total, success, failed } = sync.jobCounts;
    bar.show(success + failed, total);
    if (isOver(sync.status)) {
      bar.end();
      printer.table(['sync', 'status', 'jobs', 'failed'], [[sync.id, sync.status, total, failed]]);
      if (sync.status === 'FAILED') process.exitCode = 1;
      return;
    }
    await sleep(POLL_MS);
  }
}

/** Adds the commands. */
export function recordCommands(program: Command, caller: Caller, printer: Printer): void {
  program
    .command('companies')
    .description('list the companies of the organisation of --key')
    .action(() => listCompanies(caller, printer));
  program
    .command('create-company')
    .description('create a company in the organisation of --key')
    .argument('<name>', 'name of the company')
    .action(async (name: string) => {
      const query = 'mutation Create($input: CreateCompanyInput!) { createCompany(input: $input) { company { ledgerId } } }';
      const { createCompany } = await caller.withKey<{ createCompany: { company: { ledgerId: number } } }>(query, { input: { name } });
      const { ledgerId } = createCompany.company;
      printer.result({ number: ledgerId }, `number  ${ledgerId}`);
    });
  program
    .command('import')
    .description('import products from a CSV file and wait for the end')
    .argument('<file>', 'CSV file')
    .option('--corporation <id>', 'corporation of every row; the column corporation_id may then be absent')
    .action((file: string, { corporation }: { corporation?: string }) => {
      if (!existsSync(file)) program.error(`there is no file ${file}`);
      return importProducts(caller, printer, file, corporation);
    });
  program
    .command('sync')
    .description('pull the data of one company from its source and wait for the end')
    .argument('<company>', 'number of the company', count)
    .option('--full', 'pull every record, and mark those deleted that the source no longer has', false)
    .action((company: number, { full }: { full: boolean }) => runSync(caller, printer, company, full));
}
