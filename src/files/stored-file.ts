// Uploaded files: stored in the database in pieces as they arrive, adopted by the operation they belong to, removed when nothing uses them.
import { createHash } from 'node:crypto';
import type { FilterQuery } from '@mikro-orm/postgresql';
import { GraphQLScalarType, Kind } from 'graphql';
import type { Services } from '../access/context.ts';
import { requireQuota } from '../access/quotas.ts';
import type { EntityManager } from '../database/open.ts';
import { organisationTransaction } from '../database/transaction.ts';
import { Node } from '../graphql/node.ts';
import { enqueue, type Task } from '../queue/queue.ts';
import { bytes, enumeration, flag, identifier, integer, ledgerNumber, moment, record, text } from '../records/decorators.ts';
import { defineEnum } from '../records/enums.ts';
import { GatewayError, invalid, missing } from '../records/errors.ts';
import { newId } from '../records/ids.ts';
import { insertPiece } from './stored-file.statements.ts';

export const FilePurpose = defineEnum('FilePurpose', 'Purpose of a file.', {
  PRODUCT_IMPORT: 'A CSV file of products to import.',
  SUPPORTING_DOCUMENT: 'A document that supports a registration or an application.',
  ATTACHMENT: 'Attached to documents of a company, such as invoices; removed with the last of them.',
});

@record({
  description: 'An uploaded file. Unused files are removed seven days after the upload.',
  scope: 'organisation',
  key: 'id',
  prefix: 'file',
  notFound: 'FILE_NOT_FOUND',
  indexes: [
    { name: 'stored_file_list', columns: 'organisation_id, created_at, id' },
    { name: 'stored_file_corporation', columns: 'corporation_id, created_at, id' },
  ],
  node: { roles: ['PLATFORM'] },
  implements: Node,
})
export class StoredFile {
  @identifier('Identifier, `file_…`.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the file.', { required: true, hidden: true }) organisationId!: number;
  @text('File name without a path.', { required: true }) name!: string;
  @integer('Size in bytes.', { required: true }) size!: number;
  @text('Media type, detected from the content.', { required: true }) mimeType!: string;
  @enumeration(FilePurpose, 'What the file is used for.', { required: true }) purpose!: keyof typeof FilePurpose.values;
  @identifier('Corporation that owns the file.') corporationId!: string | null;
  @moment('When it was uploaded.', { required: true }) createdAt!: Date;
  @flag('Whether an operation has adopted it; until then only its pieces are stored.', { required: true, hidden: true, list: 'indexed' })
  adopted!: boolean;
  @flag('Whether something uses it; such a file does not expire.', { required: true, hidden: true, list: 'indexed' }) used!: boolean;
}

@record({
  description: 'A piece of a stored file.',
  scope: 'organisation',
  key: 'fileId',
  prefix: 'file_piece',
  primaryKey: ['fileId', 'position'],
  internal: true,
})
export class FilePiece {
  @identifier('File.', { required: true }) fileId!: string;
  @integer('Place of the piece in the file, from 0.', { required: true }) position!: number;
  @ledgerNumber('Organisation that owns the file.', { required: true }) organisationId!: number;
  @bytes('Content.', { required: true, hidden: true }) content!: Buffer;
}

/** A file whose bytes are stored and that no operation has adopted yet. */
export interface StoredUpload {
  fileId: string;
  name: string;
  size: number;
  /** The first piece. */
  head: Uint8Array;
  /** Whether every byte is part of well-formed UTF-8 text without NUL characters. */
  isText: boolean;
  /** SHA-256 of all bytes. */
  digest: string;
}

/** What makes a retry of a request equal to it: the same file has another id each time it is sent. */
export const uploadIdentity = ({ name, size, digest }: StoredUpload): unknown => [name, size, digest];

/** The value of an `Upload` argument: a file that is stored already, or its content. */
export type UploadValue = StoredUpload | { text: string } | { bytes: Uint8Array };

/** A file of a GraphQL request, stored while it arrived. Callers cannot name one by its members, because only the server makes instances. */
export class ReceivedUpload implements StoredUpload {
  readonly fileId: string;
  readonly name: string;
  readonly size: number;
  readonly head: Uint8Array;
  readonly isText: boolean;
  readonly digest: string;

  constructor({ fileId, name, size, head, isText, digest }: StoredUpload) {
    this.fileId = fileId;
    this.name = name;
    this.size = size;
    this.head = head;
    this.isText = isText;
    this.digest = digest;
  }

  toJSON(): unknown {
    return uploadIdentity(this);
  }
}

/** A text as the content of a file. */
class TextUpload {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What is read already stays as it is: a literal is read by graphql-js, and again as a member of its input. */
const uploadOf = (value: unknown): UploadValue => {
  if (value instanceof ReceivedUpload || value instanceof TextUpload) return value;
  if (typeof value !== 'string') throw new TypeError('must be text, or a file of a multipart request');
  return new TextUpload(value);
};

/** The content of a file: text or a file of a multipart request on /graphql, a part of a multipart body on REST. */
export const Upload = new GraphQLScalarType<UploadValue, string>({
  name: 'Upload',
  description:
    'Content of a file: its text, or any bytes as a part of a multipart request (GraphQL multipart request specification; multipart/form-data on REST).',
  parseValue: uploadOf,
  parseLiteral: (node) => uploadOf(node.kind === Kind.STRING ? node.value : undefined),
});

/** Largest file, CSV or document. */
export const MAX_FILE_BYTES = 15 * 1_048_576;

/** Bytes per stored piece: the embedded database inserts one in a few milliseconds. */
const PIECE = 262_144;
/** An interrupted upload is removed after an hour, an unused file after seven days. */
const INTERRUPTED_MS = 3_600_000;
export const UNUSED_MS = 7 * 86_400_000;

/** Task that removes a file unless something uses it by then. */
export const EXPIRY_TASK = 'file-expiry';

const tooLarge = (maxBytes: number, field: string): GatewayError => {
  const message = `the file is larger than ${maxBytes / 1_048_576} MB`;
  return new GatewayError('FILE_TOO_LARGE', message, { field, issues: [{ field, code: 'OUT_OF_RANGE', message }] });
};

/** A name for display only: no path, no control characters, at most 200 characters with its ending. */
export function cleanFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1)!;
  const name = last
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(-200)
    // Half of the character that was cut.
    .replace(/^[\uDC00-\uDFFF]/, '');
  return name === '.' || name === '..' ? '' : name;
}

/** The name of a file as it is stored; throws where nothing is left of it. */
function fileName(given: string, field: string): string {
  const name = cleanFileName(given);
  if (name === '') throw missing(field, `${field} needs a file name`);
  return name;
}

/** Stores the bytes of a file piece by piece, each in a short transaction, so that a slow sender does not keep one open. */
export async function storeUpload(
  services: Services,
  organisationId: number,
  given: { name: string; source: AsyncIterable<Uint8Array>; maxBytes: number; field: string },
): Promise<StoredUpload> {
  const name = fileName(given.name, given.field);
  const fileId = newId('file');
  const { database, clock } = services;
  const now = clock.now();
  await organisationTransaction(database, organisationId, async (em) => {
    await requireQuota(em, services.config, organisationId, 'megabytes');
    em.persist(
      em.create(StoredFile, {
        id: fileId,
        organisationId,
        name,
        size: 0,
        mimeType: '',
        purpose: 'PRODUCT_IMPORT',
        createdAt: now,
        adopted: false,
        used: false,
      }),
    );
    expireLater(em, services, organisationId, fileId, new Date(now.getTime() + INTERRUPTED_MS));
  });
  try {
    return { fileId, name, ...(await storePieces(services, organisationId, fileId, given)) };
  } catch (error) {
    await discardUpload(services, organisationId, fileId);
    throw error;
  }
}

async function storePieces(
  { database }: Services,
  organisationId: number,
  fileId: string,
  given: { source: AsyncIterable<Uint8Array>; maxBytes: number; field: string },
): Promise<Omit<StoredUpload, 'fileId' | 'name'>> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const hash = createHash('sha256');
  let head: Uint8Array = new Uint8Array();
  let [size, position, isText] = [0, 0, true];
  for await (const piece of pieces(given.source)) {
    size += piece.length;
    if (size > given.maxBytes) throw tooLarge(given.maxBytes, given.field);
    if (position === 0) head = piece;
    hash.update(piece);
    isText = isText && !piece.includes(0) && decodes(decoder, piece);
    await organisationTransaction(database, organisationId, (em) => insertPiece(em, { fileId, position, organisationId, content: piece }));
    position++;
  }
  if (size === 0) throw invalid(given.field, `${given.field} is an empty file`);
  return { size, head, isText: isText && decodes(decoder, undefined), digest: hash.digest('base64') };
}

/** Stores an upload as `storedUpload` does and passes it to `adopt`; removes it when that fails. */
export async function takingUpload<T>(
  services: Services,
  organisationId: number,
  value: UploadValue,
  given: { name: string | null | undefined; maxBytes: number; field: string },
  adopt: (upload: StoredUpload) => Promise<T>,
): Promise<T> {
  const upload = await storedUpload(services, organisationId, value, given);
  try {
    return await adopt(upload);
  } catch (error) {
    await discardUpload(services, organisationId, upload.fileId);
    throw error;
  }
}

/** Stores the content of an `Upload` argument. A file that was stored while it arrived gets the given name when an operation adopts it. */
export async function storedUpload(
  services: Services,
  organisationId: number,
  value: UploadValue,
  given: { name: string | null | undefined; maxBytes: number; field: string },
): Promise<StoredUpload> {
  if ('fileId' in value) return given.name == null ? value : { ...value, name: fileName(given.name, given.field) };
  const content = 'text' in value ? Buffer.from(value.text) : value.bytes;
  return storeUpload(services, organisationId, { ...given, name: given.name ?? '', source: once(content) });
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

function decodes(decoder: InstanceType<typeof TextDecoder>, piece: Uint8Array | undefined): boolean {
  try {
    decoder.decode(piece, { stream: piece !== undefined });
    return true;
  } catch {
    return false;
  }
}

/** Cuts a stream into pieces of the stored size. */
async function* pieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const part of source) {
    waiting.push(part);
    length += part.length;
    if (length < PIECE) continue;
    const whole = Buffer.concat(waiting);
    let from = 0;
    for (; length - from >= PIECE; from += PIECE) yield whole.subarray(from, from + PIECE);
    waiting = [whole.subarray(from)];
    length -= from;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

/** Enqueues the removal of a file at a time, in case nothing uses it by then. */
export function expireLater(em: EntityManager, { queue }: Services, organisationId: number, fileId: string, at: Date): void {
  enqueue(em, queue, EXPIRY_TASK, { organisationId, fileId }, { runAfter: at });
}

/** The bytes of a file, piece by piece, each read in a short transaction. */
export async function* fileContent({ database }: Services, organisationId: number, fileId: string): AsyncGenerator<Buffer> {
  for (let position = 0; ; position++) {
    const piece = await organisationTransaction(database, organisationId, (em) => em.findOne(FilePiece, { fileId, position }));
    if (!piece) return;
    yield piece.content;
  }
}

/** Removes a file and its bytes where the conditions hold. */
async function removeFile(em: EntityManager, fileId: string, conditions: FilterQuery<StoredFile>): Promise<void> {
  const removed = await em.nativeDelete(StoredFile, { $and: [{ id: fileId }, conditions] });
  if (removed > 0) await em.nativeDelete(FilePiece, { fileId });
}

/** Removes an upload that no operation has adopted. */
export function discardUpload({ database }: Services, organisationId: number, fileId: string): Promise<void> {
  return organisationTransaction(database, organisationId, (em) => removeFile(em, fileId, { adopted: false }));
}

/** The task that removes unused files. It runs an hour after the upload began, and again when an adopted file has been unused for seven days. */
export const fileTasks = (services: Services): Task<{ organisationId: number; fileId: string }>[] => [
  {
    name: EXPIRY_TASK,
    retry: { limit: 20, delaySeconds: 60, backoff: true, maxDelaySeconds: 3_600 },
    handler: ({ organisationId, fileId }, job) =>
      organisationTransaction(services.database, organisationId, async (em) => {
        const unusedSince = new Date(services.clock.now().getTime() - UNUSED_MS);
        await removeFile(em, fileId, { used: false, $or: [{ adopted: false }, { createdAt: { $lte: unusedSince } }] });
        await job.completeIn(em.getTransactionContext());
      }),
  },
];
