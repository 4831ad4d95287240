// Operations on files of the platform API.
import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Extensions, FieldResolver, ID, Info, Resolver, Root } from 'type-graphql';
import { auditRecords } from '../../access/audit.ts';
import { type RequestContext, type Services, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import {
  expireLater,
  FilePurpose,
  MAX_FILE_BYTES,
  StoredFile,
  type StoredUpload,
  takingUpload,
  UNUSED_MS,
  Upload,
  type UploadValue,
} from '../../files/stored-file.ts';
import { connectionOf, type Page, type PageArguments, pageArguments, readConnection } from '../../graphql/connections.ts';
import { argument, optional, resolver } from '../../graphql/declared/fields.ts';
import { recordMutation } from '../../graphql/declared/payloads.ts';
import { listField, recordField } from '../../graphql/declared/record-reads.ts';
import { loadRecord } from '../../graphql/graph/record-loader.ts';
import { FilterArg, type FilterInput, OrderArg, type OrderInput } from '../../graphql/list-inputs.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { Corporation } from '../corporations/corporation.ts';
import { shareLockCorporation } from '../corporations/resolver.ts';
import { sniffText } from '../shared/csv-safety.ts';

const FileConnection = connectionOf(StoredFile);
const PageOptions = pageArguments(10);

/** First bytes of the documents that may support a registration. */
const DOCUMENTS: readonly (readonly [mime: string, start: readonly number[]])[] = [
  ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
];

/** The media type of an upload by its content; FILE_TYPE_UNSUPPORTED when its purpose does not allow it. */
function mediaType({ head, size, isText }: StoredUpload, purpose: string, argument: string): string {
  const document = DOCUMENTS.find(([, start]) => start.every((byte, at) => head[at] === byte));
  if (purpose !== 'PRODUCT_IMPORT' && document) return document[0];
  const sniffed = sniffText(head, size === head.length);
  if (sniffed.kind === 'empty') throw invalid(argument, `${argument} is an empty file`);
  if (sniffed.kind === 'text' && isText) return purpose === 'PRODUCT_IMPORT' ? 'text/csv' : 'text/plain';
  const allowed = purpose === 'PRODUCT_IMPORT' ? 'a CSV text file in UTF-8' : 'a PDF, PNG or JPEG document, or a text file in UTF-8';
  const message = `${argument} must be ${allowed}; it is ${sniffed.kind === 'binary' ? sniffed.reason : 'not UTF-8 text throughout'}`;
  throw new GatewayError('FILE_TYPE_UNSUPPORTED', message, {
    field: argument,
    issues: [{ field: argument, code: 'INVALID_VALUE', message }],
  });
}

/** Turns an upload into a stored file; throws when its purpose does not allow its content. A file that is not used expires. */
export async function adoptUpload(
  em: EntityManager,
  services: Services,
  organisationId: number,
  upload: StoredUpload,
  {
    purpose,
    corporationId = null,
    used,
    argument = 'content',
  }: { purpose: StoredFile['purpose']; corporationId?: string | null; used: boolean; argument?: string },
): Promise<void> {
  const now = services.clock.now();
  const { fileId: id, name, size } = upload;
  const mimeType = mediaType(upload, purpose, argument);
  await em.nativeUpdate(
    StoredFile,
    { id, organisationId },
    { adopted: true, used, name, size, mimeType, purpose, corporationId, createdAt: now },
  );
  auditRecords(em, [{ id }]);
  if (!used) expireLater(em, services, organisationId, id, new Date(now.getTime() + UNUSED_MS));
}

/** Files that belong to the platform; those attached to documents of a company are read there. */
const OF_PLATFORM = { adopted: true, purpose: { in: ['PRODUCT_IMPORT', 'SUPPORTING_DOCUMENT'] } } as const;

/** Newest first. */
const NEWEST = { by: ['createdAt'], descending: true } as const;

@Resolver(() => Corporation)
export class CorporationFilesResolver {
  @FieldResolver(() => FileConnection, { description: 'The files of the corporation, newest first.' })
  @Extensions({ rest: 'never' })
  files(
    @Root() { id }: Pick<Corporation, 'id'>,
    @Args(() => PageOptions) page: PageArguments,
    @FilterArg(StoredFile) filter: FilterInput | null,
    @OrderArg(StoredFile) orderBy: OrderInput[] | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const where = { ...OF_PLATFORM, corporationId: id };
    return readConnection(context, info, page, { record: StoredFile, list: `${id}.files`, where, filter, orderBy, order: NEWEST });
  }
}

@Resolver(() => StoredFile)
export class FileCorporationResolver {
  @needs(StoredFile, 'corporationId')
  @FieldResolver(() => Corporation, { nullable: true, description: 'Corporation that the file belongs to.' })
  @Extensions({ rest: 'never' })
  corporation(
    @Root() { corporationId }: Pick<StoredFile, 'corporationId'>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row | null> | null {
    return corporationId === null ? null : loadRecord(context, info, Corporation, { key: corporationId });
  }
}

const roles = ['PLATFORM'] as const;

export const FileResolver = resolver({
  files: listField(StoredFile, { roles, where: OF_PLATFORM, description: 'The files of the organisation, newest first.' }),
  file: recordField(StoredFile, { roles, where: OF_PLATFORM, noun: 'file' }),
  createFile: recordMutation(StoredFile, { roles, member: 'file' })(
    'Stores a file: CSV text for a product import, or a document. It is removed after seven days unless it is used.',
    {
      content: argument<UploadValue>(() => Upload, 'Content of the file.'),
      name: optional<string>(() => String, 'File name; on REST, the name of the uploaded file.'),
      purpose: optional<StoredFile['purpose']>(() => FilePurpose.values, 'Purpose of the file; default PRODUCT_IMPORT.'),
      corporationId: optional<string>(() => ID, 'Corporation that owns the file.'),
    },
    async ({ content, name, purpose: given, corporationId }, { context }) => {
      const { organisationId } = tenantOf(context);
      const purpose = given ?? 'PRODUCT_IMPORT';
      if (purpose === 'ATTACHMENT') throw invalid('purpose', 'purpose ATTACHMENT is for files that are added to documents of a company');
      const { services } = context;
      const limits = { name, maxBytes: MAX_FILE_BYTES, field: 'name' };
      const id = await takingUpload(services, organisationId, content, limits, async (upload) => {
        await transaction(context, async (em) => {
          if (corporationId) await shareLockCorporation(em, organisationId, corporationId, 'corporationId');
          await adoptUpload(em, services, organisationId, upload, { purpose, corporationId, used: false });
        });
        return upload.fileId;
      });
      return { id };
    },
  ),
});
