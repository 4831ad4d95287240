// The inbox as a source, for a company whose records come as files, and the pull that reads them.
import type { ReadScope, Services } from '../../../access/context.ts';
import { GatewayError } from '../../../records/errors.ts';
import type { StoredRecord } from '../../../records/metadata.ts';
import { sourcedModels } from '../../ledger/ledger-record.ts';
import { recordFields } from '../../ledger/record-fields.ts';
import {
  type Connector,
  type ConnectorCompany,
  type ConnectorDefinition,
  type PullRequest,
  READ_ONLY,
  type SourcePage,
  type SourceRecord,
} from '../connector.ts';
import { fieldsOf } from '../declared.ts';
import type { Mapping } from '../programs/mapping.ts';
import { MAX_MAPPING, mappingOf } from './file-mappings.ts';
import { type FileRecord, openFile } from './file-reading.ts';
import { fullSet } from './inbox.statements.ts';
import { InboxFile } from './inbox-file.ts';

/** The source of companies whose records come as files. */
export const FILES = 'FILES';

/** Records of a page. */
const PAGE = 500;

/** The setting with the mapping of a connection. */
export const MAPPING = 'mapping';

function mappingIssue(text: string, path: string): string | undefined {
  try {
    mappingOf(text, path);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
    throw error;
  }
}

/** The inbox as a source that companies can be connected to. */
export const inbox = (services: Services): ConnectorDefinition => ({
  source: FILES,
  title: 'Files',
  settings: [
    {
      name: MAPPING,
      title: 'Mapping',
      description:
        'How the columns of your files become records: YAML, as docs/connectors/files.md describes it. Leave it empty for files of the field names of this API, of banks, and of hledger, Beancount, GnuCash, Shopify and Stripe.',
      kind: 'text',
      isRequired: false,
      maxLength: MAX_MAPPING,
      issue: mappingIssue,
    },
  ],
  capabilities: sourcedModels().map((dataModel) => ({ dataModel, ...READ_ONLY, fields: fieldsOf({ read: recordFields(dataModel) }) })),
  open: ({ company, settings }) => new InboxConnector(services, company, settings[MAPPING]),
});

/** The data models that the inbox of each company has files of. All companies are of one organisation. */
export async function inboxModels(services: Services, companies: readonly ConnectorCompany[]): Promise<string[][]> {
  const files = Map.groupBy(await inboxFiles(services, companies), (file) => file.companyId);
  return companies.map(({ ledgerId }) => [...new Set(files.get(ledgerId)?.flatMap(modelsOf))]);
}

const modelsOf = ({ dataModel, dataModels }: Pick<InboxFile, 'dataModel' | 'dataModels'>): readonly string[] => dataModels ?? [dataModel];

/**
 * Pulls from uploaded files. A changes-only pull reads the files uploaded since the last one, in the order of their upload. A full pull takes the
 * files uploaded since the last full pull, or the files of that pull where there are no newer ones, together as everything that the source has. Of
 * several records with one id it takes that of the newest file.
 */
export class InboxConnector implements Connector {
  readonly isTyped = true;
  readonly #services: Services;
  readonly #company: ConnectorCompany;
  readonly #mapping: string | undefined;

  constructor(services: Services, company: ConnectorCompany, mapping?: string) {
    this.#services = services;
    this.#company = company;
    this.#mapping = mapping;
  }

  async check(): Promise<void> {
    this.#openMapping();
  }

  async *pull({ dataModel, since, isFull }: PullRequest): AsyncGenerator<SourcePage> {
    const mapping = this.#openMapping();
    const before = new Set<string>();
    for (const id of await this.#files(dataModel, since, isFull)) {
      const own = new Set<string>();
      for await (const page of pagesOf(this.#records(id, dataModel, mapping))) {
        const isOlder = ({ record: { platform_id: platformId } }: PlacedRecord): boolean => before.has(String(platformId));
        const entries = isFull ? page.filter((entry) => !isOlder(entry)) : page;
        if (isFull) for (const { record } of page) if (record.platform_id != null) own.add(String(record.platform_id));
        if (entries.length > 0) yield pageOf(entries);
      }
      for (const platformId of own) before.add(platformId);
    }
  }

  #openMapping(): Mapping | undefined {
    return this.#mapping === undefined ? undefined : mappingOf(this.#mapping, `settings.${MAPPING}`);
  }

  /** The records of a file. Throws for a row that its mapping makes no record of: nothing may be left out. */
  async *#records(id: string, dataModel: string, mapping: Mapping | undefined): AsyncGenerator<PlacedRecord> {
    const where = { companyId: this.#company.ledgerId, id };
    const props = ['records', 'fileName', 'dataModel', 'isRecognized'] as const;
    const file = await this.#services.reader.one(InboxFile, where, props, scopeOf(this.#company));
    // It was removed since the pull began.
    if (!file) return;
    const name = file.fileName ?? id;
    const options = { schema: this.#services.schema, dataModel: file.isRecognized ? null : file.dataModel, mapping };
    const known = await openFile(file.records, options).catch((error) => {
      throw inFile(error, name);
    });
    for await (const { record, place, error } of known.records(dataModel)) {
      const rejected = error && inFile(error, name);
      if (record === undefined) throw rejected;
      yield { record, place: `${name}, ${place}`, rejected };
    }
  }

  /** The files of a pull, in the order in which they are read. */
  async #files(dataModel: string, since: Date | null, isFull: boolean): Promise<string[]> {
    const { organisationId, ledgerId } = this.#company;
    if (isFull)
      return (await this.#services.database.read(fullSet, [String(ledgerId), String(organisationId), dataModel])).map(([id]) => id!);
    const from = since?.toISOString() ?? '';
    const own = await inboxFiles(this.#services, [this.#company]);
    return own.filter((file) => modelsOf(file).includes(dataModel) && file.createdAt >= from).map(({ id }) => id);
  }
}

interface PlacedRecord {
  record: SourceRecord;
  place: FileRecord['place'];
  rejected: GatewayError | undefined;
}

const pageOf = (entries: readonly PlacedRecord[]): SourcePage => ({
  records: entries.map(({ record }) => record),
  places: entries.map(({ place }) => place),
  rejected: new Map(entries.flatMap(({ rejected }, index) => (rejected ? [[index, rejected] as const] : []))),
});

const inFile = <T>(error: T, name: string): T | GatewayError =>
  error instanceof GatewayError ? new GatewayError(error.code, `${name}: ${error.message}`, error.info) : error;

async function* pagesOf(records: AsyncIterable<PlacedRecord>): AsyncGenerator<PlacedRecord[]> {
  let page: PlacedRecord[] = [];
  for await (const entry of records) {
    page.push(entry);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

function inboxFiles(
  { reader }: Services,
  companies: readonly ConnectorCompany[],
): Promise<StoredRecord<InboxFile, 'id' | 'companyId' | 'dataModel' | 'dataModels' | 'createdAt'>[]> {
  const where = { companyId: { in: companies.map(({ ledgerId }) => ledgerId) } };
  const select = ['id', 'companyId', 'dataModel', 'dataModels', 'createdAt'] as const;
  return reader.find(InboxFile, { where, order: { by: ['createdAt'] } }, select, scopeOf(companies[0]!));
}

const scopeOf = ({ organisationId }: ConnectorCompany): ReadScope => ({ tenant: { organisationId, companyIds: null } });
