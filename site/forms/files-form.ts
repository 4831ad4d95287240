// The hosted page of a connection to files: keeps the files that a person drops on it, previews them, and imports them on request.

import { publicError, statusOf } from '../../rest-compat/runtime/error-bodies.ts';
import { readForm, shown } from '../../src/files/posted-form.ts';
import { discardUpload, MAX_FILE_BYTES } from '../../src/files/stored-file.ts';
import { endLink } from '../../src/integrations/connections/connection.ts';
import { changeLinked, checkPosted, formOf, type OpenLink, storeLinked } from '../../src/integrations/connections/link.ts';
import { mappingOf } from '../../src/integrations/connectors/files/file-mappings.ts';
import { MAPPING } from '../../src/integrations/connectors/files/inbox.ts';
import { type ImportedFile, openImported, storeImported, textOfUpload } from '../../src/integrations/imports/imported-file.ts';
import { previewOf } from '../../src/integrations/imports/preview.ts';
import { isPlainObject } from '../../src/records/checked.ts';
import { GatewayError, invalid } from '../../src/records/errors.ts';
import type { PostedState } from './connection-page.ts';
import { type FilesState, filesPage, importedPage, type LookedAt } from './files-page.ts';
import { checkSite, type Visit } from './hosted-page.ts';

const MAX_FILES = 20;
/** Most bytes of one text of the form: a mapping, or the token of a file. */
const MAX_TEXT = 20_000;
const MAX_TEXTS = 60;

/** A file that the page keeps between the preview and the import, as its token says. */
interface KeptFile {
  fileId: string;
  name: string;
  dataModel: string | null;
}

/** What the form has sent. */
interface Posted {
  settings: Record<string, string>;
  dataModel: string | null;
  isImport: boolean;
  kept: KeptFile[];
}

/** One visit of the page, with an open link. */
export class FilesVisit {
  readonly #visit: Visit;
  readonly #link: OpenLink;

  constructor(visit: Visit, link: OpenLink) {
    this.#visit = visit;
    this.#link = link;
  }

  get #services() {
    return this.#visit.options.services;
  }

  get #organisationId(): number {
    return this.#link.connection.organisationId;
  }

  async open(): Promise<void> {
    if (this.#visit.request.method !== 'POST') return this.#show(200, { values: {}, issues: [] }, { dataModel: null, files: [] });
    checkSite(this.#visit);
    const posted = await this.#read();
    const { settings, dataModel } = posted;
    try {
      checkPosted(this.#services, this.#link, settings);
    } catch (error) {
      const { code, info } = publicError(error);
      if (!info.issues) throw error;
      await this.#discard(posted.kept);
      return this.#show(statusOf(code), { values: settings, issues: info.issues }, { dataModel, files: [] });
    }
    if (posted.isImport) return this.#import(posted);
    const files: LookedAt[] = [];
    for (const kept of posted.kept) files.push(await this.#lookAt(kept, settings));
    const isWrong = files.some(({ error }) => error !== undefined);
    this.#show(isWrong ? 400 : 200, { values: settings, issues: [] }, { dataModel, files });
  }

  #show(status: number, state: PostedState, files: FilesState): void {
    this.#visit.page(status, filesPage(formOf(this.#services, this.#link), state, files));
  }

  /** Reads the form. The files of it are stored while they arrive, and removed after an hour. */
  async #read(): Promise<Posted> {
    const posted: Posted = { settings: {}, dataModel: null, isImport: false, kept: [] };
    const uploads = await readForm(this.#services, this.#organisationId, this.#visit.request, {
      files: { names: ['files'], maxBytes: MAX_FILE_BYTES, most: MAX_FILES, isRepeated: true },
      textBytes: MAX_TEXT,
      texts: MAX_TEXTS,
      text: (name, value) => {
        if (name === `settings.${MAPPING}`) posted.settings[MAPPING] = value.replaceAll('\r\n', '\n');
        else if (name === 'data_model') posted.dataModel = value || null;
        else if (name === 'action') posted.isImport = value === 'import';
        else if (name === 'kept') posted.kept.push(this.#keptOf(value));
        else throw invalid(shown(name), `${shown(name)} is not part of this form`, 'UNKNOWN_FIELD');
      },
    });
    const models = this.#link.definition.capabilities.map(({ dataModel }) => dataModel);
    const { dataModel } = posted;
    if (dataModel !== null && !models.includes(dataModel)) throw invalid('data_model', `data_model must be one of ${models.join(', ')}`);
    for (const { fileId, name } of uploads.values()) posted.kept.push({ fileId, name, dataModel });
    return posted;
  }

  /** The token of a file that is kept. Only this connection opens it. */
  #tokenOf(file: KeptFile): string {
    return this.#services.secrets.seal(JSON.stringify(file), this.#link.connection.id);
  }

  #keptOf(token: string): KeptFile {
    try {
      const kept: unknown = JSON.parse(this.#services.secrets.open(token, this.#link.connection.id));
      if (isPlainObject(kept) && typeof kept.fileId === 'string') return kept as unknown as KeptFile;
    } catch {
      // Whatever is wrong with it, it is no token of this page.
    }
    throw invalid('kept', 'the form was changed; open the link again');
  }

  /** The file, with its content. A file that was kept for an hour is gone. */
  async #fileOf({ fileId, name, dataModel }: KeptFile): Promise<ImportedFile> {
    const text = await textOfUpload({ services: this.#services }, this.#organisationId, { fileId });
    if (text === '') throw invalid('files', `${name} is no longer here; choose it again`, 'REQUIRED');
    return { name, text, dataModel };
  }

  #open(file: ImportedFile, settings: Readonly<Record<string, string>>) {
    const text = settings[MAPPING]?.trim() ? settings[MAPPING] : undefined;
    return openImported(this.#services, file, text === undefined ? undefined : mappingOf(text, `settings.${MAPPING}`));
  }

  async #lookAt(kept: KeptFile, settings: Readonly<Record<string, string>>): Promise<LookedAt> {
    const { name } = kept;
    try {
      const preview = await previewOf(this.#services, await this.#open(await this.#fileOf(kept), settings));
      return { name, preview, token: this.#tokenOf(kept) };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      await this.#discard([kept]);
      return { name, error: error.message };
    }
  }

  async #discard(kept: readonly KeptFile[]): Promise<void> {
    for (const { fileId } of kept) await discardUpload(this.#services, this.#organisationId, fileId);
  }

  async #import({ settings, kept }: Posted): Promise<void> {
    if (kept.length === 0) throw invalid('files', 'no file was chosen', 'REQUIRED');
    const services = this.#services;
    const files = await Promise.all(
      kept.map(async (entry) => {
        const file = await this.#fileOf(entry);
        const known = await this.#open(file, settings);
        return { file, checked: { dataModels: known.dataModels, recordCount: await known.count() } };
      }),
    );
    const form = formOf(services, this.#link);
    const { organisationId, companyId } = this.#link.connection;
    const checked = checkPosted(services, this.#link, settings);
    const { status, statusReason } = await changeLinked(this.#visit.context(), this.#link, async (em, source, connection) => {
      for (const file of files) await storeImported(em, services, { organisationId, companyId }, file.file, file.checked);
      storeLinked(em, source, connection, checked);
      endLink(connection);
    });
    await this.#discard(kept);
    const names = kept.map(({ name }) => name);
    this.#visit.page(200, importedPage({ ...form, status, statusReason }, names));
  }
}
