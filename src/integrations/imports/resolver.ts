// Uploads of records in GraphQL: a file is previewed, put into the inbox, and removed from it.
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { DataModel } from '../../events/data-model.ts';
import { discardUpload, Upload, type UploadValue } from '../../files/stored-file.ts';
import { argument, id, mutation, optional, recordNumber, resolver } from '../../graphql/declared/fields.ts';
import { JSONObject } from '../../records/scalars.ts';
import { Company, companyOf } from '../companies/company.ts';
import { FileKind } from '../connectors/files/file-kind.ts';
import { mappingOf } from '../connectors/files/file-mappings.ts';
import { InboxFile } from '../connectors/files/inbox-file.ts';
import { mappingOfCompany, openImported, removeImported, storeImported, textOfUpload } from './imported-file.ts';
import { type FilePreview, type PreviewedRecord, previewOf } from './preview.ts';

@ObjectType({ description: 'Result of `importRecords`.', simpleResolvers: true })
export class ImportRecordsPayload {
  @Field(() => InboxFile, { description: 'The file in the inbox.' }) file!: InboxFile;
}

@ObjectType({ description: 'Result of `deleteImportedFile`.', simpleResolvers: true })
export class DeleteImportedFilePayload {
  @Field(() => ID, { description: 'Identifier of the file that was removed.' }) id!: string;
}

@ObjectType({ description: 'A record that a pull would make of a file, or why it would not be stored.', simpleResolvers: true })
export class ImportPreviewRecord implements PreviewedRecord {
  @Field(() => DataModel.values, { description: 'Data model of the record.' }) dataModel!: string;
  @Field(() => String, { description: 'Place in the file, such as "line 17", or "record 3" of a JSON array.' }) place!: string;
  @Field(() => String, { nullable: true, description: 'Id of the record in the source; null where it has none.' }) platformId!:
    | string
    | null;
  @Field(() => JSONObject, { nullable: true, description: 'The record with the field names of REST bodies; null where the mapping fails.' })
  record!: Record<string, unknown> | null;
  @Field(() => String, { nullable: true, description: 'Error code of a record that would be rejected; otherwise null.' }) code!:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'Why it would be rejected, with its place; otherwise null.' }) message!:
    | string
    | null;
}

@ObjectType({ description: 'How many records of a data model a file has.', simpleResolvers: true })
export class ImportPreviewCount {
  @Field(() => DataModel.values, { description: 'Data model, such as CONTACT.' }) dataModel!: string;
  @Field(() => Int, { description: 'Different records that would be stored.' }) stored!: number;
  @Field(() => Int, { description: 'Records that would be rejected.' }) rejected!: number;
}

@ObjectType({ description: 'What a pull would make of a file. Nothing is stored.', simpleResolvers: true })
export class ImportPreview implements FilePreview {
  @Field(() => FileKind.values, { description: 'Kind of the file.' }) kind!: string;
  @Field(() => String, { nullable: true, description: 'Title of the mapping that knows its columns; null without one.' }) title!:
    | string
    | null;
  @Field(() => Int, { description: 'Rows, objects or transactions in the file.' }) recordCount!: number;
  @Field(() => [ImportPreviewCount], { description: 'Its records by data model.' }) counts!: ImportPreviewCount[];
  @Field(() => [ImportPreviewRecord], { description: 'The first 20 records that would be stored.' }) records!: ImportPreviewRecord[];
  @Field(() => [ImportPreviewRecord], { description: 'The first 100 records that would be rejected.' }) rejected!: ImportPreviewRecord[];
  @Field(() => Boolean, { description: 'Whether the whole file was looked at. A large file is looked at for ten seconds.' })
  isComplete!: boolean;
}

@ObjectType({ description: 'Result of `previewImport`.', simpleResolvers: true })
export class PreviewImportPayload {
  @Field(() => ImportPreview, { description: 'What a pull would make of the file.' }) preview!: ImportPreview;
}

/** What the argument of a file says about its forms. */
const FILE_DESCRIPTION =
  'The file: CSV with a header row, a JSON array of records, bank statements (OFX, camt.053, MT940), or a book of GnuCash (XML or SQLite), each of them also packed with gzip. With a data model, its columns are REST field names, and records name others by the ids of the source: `contact_id` is the `platform_id` of a contact. Without one, its columns are those of a mapping.';

/**
 * What a preview costs: its mapping runs in a thread of its own, with a heap and a processor for seconds. An organisation therefore has two at a
 * time.
 */
const PREVIEW_PRICE = 10_000;

const MODEL_DESCRIPTION =
  'Data model of the records; absent for a bank statement, for a book of GnuCash, and for a file that a mapping knows by its columns.';

const roles = ['INTEGRATIONS'] as const;

/** The company of a file, and what its records are. */
const uploaded = {
  companyId: recordNumber(() => Company, 'Company whose records they are.'),
  dataModel: optional<string>(() => DataModel.values, MODEL_DESCRIPTION),
  file: argument<UploadValue>(() => Upload, FILE_DESCRIPTION),
};

export const InboxResolver = resolver({
  importRecords: mutation(() => ImportRecordsPayload, { roles })(
    "Puts a file of records into the company's inbox; the next pull reads it. CSV_HEADER_INVALID for columns that neither the data model nor a mapping has.",
    {
      ...uploaded,
      fileName: optional<string>(() => String, 'Name of the file.'),
      replaces: optional<string>(() => ID, 'Identifier of the file in the inbox that this one takes the place of.'),
    },
    async ({ companyId, dataModel, file, fileName, replaces }, { context }) => {
      await companyOf(context, companyId);
      const { services } = context;
      const { organisationId } = tenantOf(context);
      const owner = { organisationId, companyId };
      const text = await textOfUpload(context, organisationId, file);
      const imported = { name: fileName ?? ('fileId' in file ? file.name : null), text, dataModel: dataModel ?? null };
      const known = await openImported(services, imported, await mappingOfCompany(services, owner));
      const checked = { dataModels: known.dataModels, recordCount: await known.count() };
      const stored = await transaction(context, (em) => storeImported(em, services, owner, imported, checked, replaces ?? null));
      // The content is in the inbox now, so the uploaded bytes are no longer needed.
      if ('fileId' in file) await discardUpload(services, organisationId, file.fileId);
      return { file: stored };
    },
  ),
  previewImport: mutation(() => PreviewImportPayload, { roles, extensions: { price: PREVIEW_PRICE } })(
    'Shows what a pull would make of a file, without storing anything: the first records, and those that would be rejected. The errors of a file that cannot be read are those of `importRecords`.',
    {
      ...uploaded,
      mapping: optional<string>(
        () => String,
        'Mapping to try in the place of that of the connection: YAML as the setting `mapping` takes it.',
      ),
    },
    async ({ companyId, dataModel, file, mapping }, { context }) => {
      await companyOf(context, companyId);
      const { services } = context;
      const { organisationId } = tenantOf(context);
      const text = await textOfUpload(context, organisationId, file);
      const tried = mapping == null ? await mappingOfCompany(services, { organisationId, companyId }) : mappingOf(mapping, 'mapping');
      const known = await openImported(services, { text, dataModel: dataModel ?? null }, tried);
      const preview = await previewOf(services, known);
      if ('fileId' in file) await discardUpload(services, organisationId, file.fileId);
      return { preview };
    },
  ),
  deleteImportedFile: mutation(() => DeleteImportedFilePayload, { roles })(
    'Removes a file from the inbox of a company. Records that were pulled from it stay until a full pull without it.',
    { companyId: recordNumber(() => Company, 'Company whose file it is.'), id: id('Identifier of the file.') },
    async ({ companyId, id }, { context }) => {
      await companyOf(context, companyId);
      await transaction(context, (em) => removeImported(em, companyId, id, 'id'));
      return { id };
    },
  ),
});
