// Uploaded files of a company: read, checked, stored in its inbox, and removed from it.
import { auditRecords } from '../../access/audit.ts';
import type { ReadScope, RequestContext, Services } from '../../access/context.ts';
import { requireQuota } from '../../access/quotas.ts';
import { objectsIn } from '../../access/request-turn.ts';
import type { EntityManager } from '../../database/open.ts';
import { fileContent, MAX_FILE_BYTES, type StoredUpload, type UploadValue } from '../../files/stored-file.ts';
import { invalid } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import type { StoredRecord } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import { connectedCompany } from '../companies/company.ts';
import { Connection } from '../connections/connection.ts';
import { LIVE } from '../connections/sources.ts';
import { textOfFile } from '../connectors/files/file-kind.ts';
import { mappingOf } from '../connectors/files/file-mappings.ts';
import { type KnownFile, openFile } from '../connectors/files/file-reading.ts';
import { storeContent } from '../connectors/files/inbox.statements.ts';
import { FILES, MAPPING } from '../connectors/files/inbox.ts';
import { InboxFile } from '../connectors/files/inbox-file.ts';
import { packedSize, unpacked } from '../connectors/files/packed-file.ts';
import type { Mapping } from '../connectors/programs/mapping.ts';

/** A file that was uploaded for a company. */
export interface ImportedFile {
  name: string | null;
  text: string;
  /** Data model that the caller has named; null where the content says what its records are. */
  dataModel: string | null;
}

/** The company whose file it is. */
interface Owner {
  organisationId: number;
  companyId: number;
}

/** What a caller sees of a file in the inbox. */
export type ShownFile = StoredRecord<InboxFile, 'id' | 'companyId' | 'dataModel' | 'dataModels' | 'fileName' | 'recordCount' | 'createdAt'>;

/** The text of an upload, unpacked where it is packed. Throws for a file that is not text, and for one that is too large unpacked. */
export async function textOfUpload(
  { services, turn }: Pick<RequestContext, 'services' | 'turn'>,
  organisationId: number,
  file: Exclude<UploadValue, StoredUpload> | Pick<StoredUpload, 'fileId'>,
): Promise<string> {
  if ('text' in file) return file.text;
  const pieces: Uint8Array[] = 'bytes' in file ? [file.bytes] : await Array.fromAsync(fileContent(services, organisationId, file.fileId));
  const bytes = Buffer.concat(pieces);
  const size = packedSize(bytes);
  if (size === undefined) return textOfFile(bytes);
  if (size > MAX_FILE_BYTES)
    throw invalid('file', `file has ${size} bytes when it is unpacked; it must have at most ${MAX_FILE_BYTES}`, 'OUT_OF_RANGE');
  // The request took a turn for the packed bytes, of which a thousandth may be enough.
  await turn?.atLeast(objectsIn(size));
  return textOfFile(await unpacked(bytes, size));
}

/** The mapping in the settings of the connection of a company to its files. */
export async function mappingOfCompany({ reader }: Services, { organisationId, companyId }: Owner): Promise<Mapping | undefined> {
  const scope: ReadScope = { tenant: { organisationId, companyIds: null } };
  const where = { companyId, source: FILES, status: { in: LIVE } };
  const [connection] = await reader.find(Connection, { where, limit: 1 }, ['settings'], scope);
  const text = connection?.settings[MAPPING];
  return text === undefined ? undefined : mappingOf(text, `settings.${MAPPING}`);
}

/** Finds what a file is and how it is read. Throws for a file that cannot be read. */
export const openImported = (
  { schema }: Services,
  { text, dataModel }: Pick<ImportedFile, 'text' | 'dataModel'>,
  mapping: Mapping | undefined,
): Promise<KnownFile> => openFile(text, { schema, dataModel, mapping });

/** Puts a file, which was counted, into the inbox. `replaces` is the file there that it takes the place of. */
export async function storeImported(
  em: EntityManager,
  services: Services,
  { organisationId, companyId }: Owner,
  { name, text, dataModel }: ImportedFile,
  { dataModels, recordCount }: Pick<KnownFile, 'dataModels'> & { recordCount: number },
  replaces: string | null = null,
): Promise<ShownFile> {
  await requireQuota(em, services.config, organisationId, 'megabytes');
  await connectedCompany(em, organisationId, companyId);
  if (replaces !== null) await removeImported(em, companyId, replaces, 'replaces');
  const row = {
    id: newId('import'),
    companyId,
    dataModel: dataModels.at(-1)!,
    dataModels: dataModels.length > 1 ? [...dataModels] : null,
    fileName: name?.slice(0, 255) ?? null,
    recordCount,
  };
  const isRecognized = dataModel === null;
  const size = Buffer.byteLength(text);
  em.create(InboxFile, { ...row, organisationId, isRecognized, records: '', size, createdAt: services.clock.now() });
  await em.flush();
  const createdAt = await storeContent(em, { ...row, dataModels }, text);
  return { ...row, createdAt: createdAt.toISOString() };
}

/** Removes a file from the inbox. Throws RECORD_NOT_FOUND for one that the company does not have. */
export async function removeImported(em: EntityManager, companyId: number, id: string, field: string): Promise<void> {
  auditRecords(em, [{ id }]);
  if ((await em.nativeDelete(InboxFile, { id, companyId })) === 0) throw notFound(InboxFile, id, field);
}
