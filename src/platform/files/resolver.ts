// Operations on files of the platform API.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, type Services, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { type Row } from '../../database/reader/projection.ts';
import {
  expireLater,
  FilePurpose,
  StoredFile,
  type StoredUpload,
  takingUpload,
  UNUSED_MS,
  Upload,
  type UploadValue,
} from '../../files/stored-file.ts';
import { exposeNode } from '../../graphql/node.ts';
import { ownRecord } from '../../graphql/own-record.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { modelOf } from '../../records/metadata.ts';
import { shareLockCorporation } from '../corporations/resolver.ts';
import { sniffText } from '../shared/csv-safety.ts';
import { payloadOf, readBack } from '../shared/payloads.ts';

/** Largest file, CSV or document. */
export const MAX_FILE_BYTES = 15 * 1_048_576;

const model = modelOf(StoredFile);
const CreateFilePayload = payloadOf(StoredFile, 'createFile', 'file');
exposeNode('StoredFile', 'PLATFORM');

/** FILE_NOT_FOUND, the same for an unknown id, an expired file and one of another organisation. */
export const fileNotFound = (field: string): GatewayError => {
  const message = 'no such file';
  return new GatewayError('FILE_NOT_FOUND', message, { field, issues: [{ field, code: 'NOT_FOUND', message }] });
};

/** First bytes of the documents that may support a registration. */
const DOCUMENTS: readonly (readonly [mime: string, start: readonly number[]])[] = [
  ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
];

/** The media type of an upload by its content; FILE_TYPE_UNSUPPORTED when its purpose does not allow it. */
function mediaType({ head, size, isText }: StoredUpload, purpose: string, argument: string): string {
  const document = DOCUMENTS.find(([, start]) => start.every((byte, at) => head[at] === byte));
  if (purpose === 'SUPPORTING_DOCUMENT' && document) return document[0];
  const sniffed = sniffText(head, size === head.length);
  if (sniffed.kind === 'empty') throw invalid(argument, `${argument} is an empty file`);
  if (sniffed.kind === 'text' && isText) return purpose === 'PRODUCT_IMPORT' ? 'text/csv' : 'text/plain';
  const allowed = purpose === 'SUPPORTING_DOCUMENT' ? 'a PDF, PNG or JPEG document, or a text file in UTF-8' : 'a CSV text file in UTF-8';
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
  await executeIn(
    em,
    `update stored_file set adopted = true, used = $8, size = $3, mime_type = $4, purpose = $5, corporation_id = $6, created_at = $7::timestamptz
     where id = $1 and organisation_id = $2`,
    [upload.fileId, organisationId, upload.size, mediaType(upload, purpose, argument), purpose, corporationId, now.toISOString(), used],
  );
  if (!used) await expireLater(em, services, organisationId, upload.fileId, new Date(now.getTime() + UNUSED_MS));
}

@Resolver()
export class FileResolver {
  @access('PLATFORM')
  @Query(() => StoredFile, { nullable: true, description: 'The file with this id. FILE_NOT_FOUND when there is none.' })
  file(
    @Arg('id', () => ID, { description: 'Id of the file.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return ownRecord(context, info, model, { id, adopted: true }, () => fileNotFound('id'));
  }

  @access('PLATFORM')
  @Mutation(() => CreateFilePayload as never, {
    description: 'Stores a file: CSV text for a product import, or a document. It is removed after seven days unless something uses it.',
  })
  async createFile(
    @Arg('content', () => Upload, { description: 'The content.' }) content: UploadValue,
    @Arg('name', () => String, { nullable: true, description: 'File name; on REST the name of the uploaded file.' }) name: string | null,
    @Arg('purpose', () => FilePurpose.values, { nullable: true, description: 'What the file is for; PRODUCT_IMPORT when absent.' }) given:
      | StoredFile['purpose']
      | null,
    @Arg('corporationId', () => ID, { nullable: true, description: 'Corporation the file belongs to.' }) corporationId: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId } = tenantOf(context);
    const purpose = given ?? 'PRODUCT_IMPORT';
    const { services } = context;
    const limits = { name, maxBytes: MAX_FILE_BYTES, field: 'name' };
    const fileId = await takingUpload(services, organisationId, content, limits, async (upload) => {
      await transaction(context, async (em) => {
        if (corporationId) await shareLockCorporation(em, organisationId, corporationId, 'corporationId');
        await adoptUpload(em, services, organisationId, upload, { purpose, corporationId, used: false });
      });
      return upload.fileId;
    });
    return { file: await readBack(context, info, StoredFile, 'file', fileId) };
  }
}
