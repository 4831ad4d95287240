// The operations on attachments of each type of document: add a file, by upload or by a stored one, and remove it.
import { LockMode } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, ID, Info, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { auditRecords } from '../../access/audit.ts';
import { access } from '../../access/authorise.ts';
import { type RequestContext, type Services, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import { emitEvents } from '../../events/events.ts';
import { documentLink } from '../../files/document-link.ts';
import { MAX_FILE_BYTES, StoredFile, takingUpload, Upload, type UploadValue } from '../../files/stored-file.ts';
import { readBack } from '../../graphql/declared/payloads.ts';
import { RecordArg } from '../../graphql/input-types.ts';
import { adoptUpload } from '../../platform/files/resolver.ts';
import { invalid } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import { URLScalar } from '../../records/scalars.ts';
import { Company, companyOf, connectedCompany } from '../companies/company.ts';
import { etagOf, type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import type { ChangeEvent, WriteScope } from '../writes/change.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { readStored } from '../writes/record.statements.ts';
import { Attachment } from './attachment.ts';

/** Most files of one document. */
export const MAX_ATTACHMENTS = 50;

@Resolver(() => Attachment)
export class AttachmentResolver {
  @needs(Attachment, 'fileId')
  @FieldResolver(() => URLScalar, { description: 'Signed URL of the content, valid for 15 minutes.' })
  url(@Root() { fileId }: Pick<Attachment, 'fileId'>, @Ctx() { services }: RequestContext): string {
    return documentLink(services, fileId);
  }
}

@ObjectType({ description: 'Result of adding or removing an attachment.', simpleResolvers: true })
export class AttachmentPayload {
  @Field(() => Attachment, { nullable: true, description: 'The stored attachment; null after removal.' })
  attachment!: Attachment | null;
}

/** A document whose attachments change. */
interface Named {
  target: RecordClass<LedgerRecord>;
  companyId: number;
  ledgerId: number;
}

/** The outcome of a change of attachments. */
interface Outcome {
  id: string;
  isChanged: boolean;
}

/** Runs a change of the attachments of a document in a transaction that locks the document, and reports it as a change of that if it is one. */
async function changing(
  context: RequestContext,
  { target, companyId, ledgerId }: Named,
  work: (em: EntityManager, of: Pick<Attachment, 'organisationId' | 'companyId' | 'documentType' | 'documentId'>) => Promise<Outcome>,
): Promise<string> {
  await companyOf(context, companyId);
  const { services } = context;
  const { organisationId } = tenantOf(context);
  return transaction(context, async (em) => {
    const company = await connectedCompany(em, organisationId, companyId);
    const scope: WriteScope = { services, organisationId, company, now: services.clock.now(), changes: [] };
    const [document] = await readStored(em, scope, modelOf(target), 'ledger_id = $3::bigint', [ledgerId]);
    if (!document) throw notFound(target, ledgerId, 'ledgerId');
    const { id, isChanged } = await work(em, {
      organisationId,
      companyId,
      documentType: namesOf(target).dataModel,
      documentId: ledgerId,
    });
    if (!isChanged) return id;
    // The source does not have the files, so the document is no new version for it.
    const change: ChangeEvent = { target, ledgerId, operation: 'UPDATE', previousEtag: etagOf(document) };
    const source = { services, organisationId, organisation: context.principal?.organisation ?? null };
    emitEvents(em, source, changeEventsOf(em, source, company, [change]));
    return id;
  });
}

/** Attaches a stored file; one that the document has already stays. */
async function attach(
  em: EntityManager,
  services: Services,
  of: Pick<Attachment, 'organisationId' | 'companyId' | 'documentType' | 'documentId'>,
  file: Pick<StoredFile, 'id' | 'name' | 'mimeType' | 'size'>,
): Promise<Outcome> {
  const { organisationId: _, ...document } = of;
  const known = await em.findOne(Attachment, { ...document, fileId: file.id });
  if (known) return { id: known.id, isChanged: false };
  if ((await em.count(Attachment, document)) >= MAX_ATTACHMENTS)
    throw invalid('ledgerId', `the document has ${MAX_ATTACHMENTS} attachments already, and may have no more`, 'OUT_OF_RANGE');
  const id = newId('attachment');
  const { name, mimeType, size } = file;
  em.persist(em.create(Attachment, { ...of, id, fileId: file.id, name, mimeType, size, createdAt: services.clock.now() }));
  return { id, isChanged: true };
}

/** A file that is attached to a document of a company that the caller may see. It is locked so that it is not removed in the meantime. */
async function attachedFile(em: EntityManager, context: RequestContext, fileId: string): Promise<StoredFile> {
  const { companyIds } = tenantOf(context);
  const isSeen = (await em.count(Attachment, { fileId, ...(companyIds ? { companyId: { $in: [...companyIds] } } : {}) })) > 0;
  const file = isSeen && (await em.findOne(StoredFile, { id: fileId }, { lockMode: LockMode.PESSIMISTIC_WRITE }));
  if (!file) throw notFound(StoredFile, fileId, 'fileId');
  return file;
}

/** The mutations of the attachments of a type of document. */
export function attachmentMutations(target: RecordClass<LedgerRecord>): RecordClass {
  const { name } = modelOf(target);
  const label = namesOf(target).dataModel.toLowerCase().replaceAll('_', ' ');

  @Resolver()
  class AttachmentMutations {
    @access('INTEGRATIONS')
    @Mutation(() => AttachmentPayload, {
      name: `add${name}Attachment`,
      description: `Attaches a file, new or of another attachment, to one ${label}. FILE_TYPE_UNSUPPORTED unless PDF, PNG, JPEG or UTF-8 text.`,
    })
    async add(
      @RecordArg('companyId', () => Company, { description: 'Id of the company.' }) companyId: number,
      @RecordArg('ledgerId', () => target, { description: 'Number of the record.' }) ledgerId: number,
      @Arg('content', () => Upload, { nullable: true, description: 'Content of a new file, at most 15 MB; alternative to `fileId`.' })
      content: UploadValue | null,
      @Arg('name', () => String, { nullable: true, description: 'Name of the new file; that of `fileId` keeps its own.' })
      fileName: string | null,
      @Arg('fileId', () => ID, {
        nullable: true,
        description: '`fileId` of another attachment. FILE_NOT_FOUND if you cannot read a document that has it.',
      })
      fileId: string | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      if ((content == null) === (fileId == null))
        throw invalid(content == null ? 'content' : 'fileId', 'exactly one of content and fileId is needed', 'REQUIRED');
      const { services } = context;
      const { organisationId } = tenantOf(context);
      const named = { target, companyId, ledgerId };
      const audited = (em: EntityManager, outcome: Outcome): Outcome => {
        auditRecords(em, [{ id: outcome.id }]);
        return outcome;
      };
      const id = content
        ? await takingUpload(services, organisationId, content, { name: fileName, maxBytes: MAX_FILE_BYTES, field: 'content' }, (upload) =>
            changing(context, named, async (em, of) => {
              await adoptUpload(em, services, organisationId, upload, { purpose: 'ATTACHMENT', used: true });
              const file = await em.findOneOrFail(StoredFile, { id: upload.fileId });
              return audited(em, await attach(em, services, of, file));
            }),
          )
        : await changing(context, named, async (em, of) => attach(em, services, of, await attachedFile(em, context, fileId!)));
      return { attachment: await readBack(context, info, Attachment, 'attachment', { id }) };
    }

    @access('INTEGRATIONS')
    @Mutation(() => AttachmentPayload, {
      name: `remove${name}Attachment`,
      description: `Removes an attachment from one ${label}. A file that no document has is deleted a week after its upload. RECORD_NOT_FOUND if the ${label} has no such attachment.`,
    })
    async remove(
      @RecordArg('companyId', () => Company, { description: 'Id of the company.' }) companyId: number,
      @RecordArg('ledgerId', () => target, { description: 'Number of the record.' }) ledgerId: number,
      @Arg('attachmentId', () => ID, { description: 'Identifier of the attachment.' }) id: string,
      @Ctx() context: RequestContext,
    ): Promise<Row> {
      await changing(context, { target, companyId, ledgerId }, async (em, { organisationId: _, ...document }) => {
        const attachment = await em.findOne(Attachment, { ...document, id });
        if (!attachment) throw notFound(Attachment, id, 'attachmentId');
        em.remove(attachment);
        return { id, isChanged: true };
      });
      return { attachment: null };
    }
  }
  return AttachmentMutations;
}
