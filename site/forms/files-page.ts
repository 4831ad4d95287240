// The hosted page of a connection to files as HTML: where they are dropped, and the records that they would become.
import type { LinkForm } from '../../src/integrations/connections/link.ts';
import type { FilePreview, PreviewedRecord } from '../../src/integrations/imports/preview.ts';
import { type Fragment, html } from '../pages/parts/html.ts';
import { box, footer, header, outcomeOf, type PostedState, sentence, THANKS, words } from './connection-page.ts';
import { asSentence, document, progress } from './form-document.ts';

/** A file that was looked at: with its preview and the token that imports it, or why it cannot be read. */
export type LookedAt = { name: string } & ({ preview: FilePreview; token: string; error?: undefined } | { error: string });

/** The files of a visit. */
export interface FilesState {
  /** Data model that the person has named. */
  dataModel: string | null;
  files: readonly LookedAt[];
}

const KINDS: Readonly<Record<string, string>> = {
  CSV: 'CSV',
  JSON: 'JSON',
  OFX: 'Bank statement (OFX)',
  CAMT_053: 'Bank statement (camt.053)',
  MT940: 'Bank statement (MT940)',
  GNUCASH: 'Book of GnuCash',
};

/** Characters of a value that the table shows. */
const MAX_VALUE = 60;

const valueText = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
};

const counted = (count: number, one: string): string => `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`;

/** A table of the previewed records of a data model: a column for each field that one of them has. */
function table(dataModel: string, records: readonly PreviewedRecord[]): Fragment {
  const names = [...new Set(records.flatMap(({ record }) => Object.keys(record ?? {})))];
  const rows = records.map(
    ({ place, record }) => html`<tr><th scope="row">${place}</th>${names.map((name) => html`<td>${valueText(record?.[name])}</td>`)}</tr>`,
  );
  const title = words({ dataModel });
  return html`<div class="scroll" role="region" aria-label="Preview of ${title}" tabindex="0"><table><caption>The first ${title}</caption><thead><tr><th scope="col">Place</th>${names.map((name) => html`<th scope="col">${name.replaceAll('_', ' ')}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function previewed(name: string, preview: FilePreview, index: number): Fragment {
  const { kind, title, recordCount, counts, records, rejected, isComplete } = preview;
  const what = title === null ? KINDS[kind]! : `${title} (${KINDS[kind]!})`;
  const tables = counts.flatMap(({ dataModel }) => {
    const own = records.filter((record) => record.dataModel === dataModel);
    return own.length > 0 ? [table(dataModel, own)] : [];
  });
  const total = counts.reduce((sum, count) => sum + count.rejected, 0);
  const issues =
    rejected.length > 0
      ? html`<div class="summary" role="alert"><h3>${counted(total, 'record')} cannot be stored</h3><ul>${rejected.map(({ message }) => html`<li>${asSentence(message!)}</li>`)}</ul>${total > rejected.length ? html`<p>And ${counted(total - rejected.length, 'other')}.</p>` : ''}</div>`
      : '';
  const partly = isComplete ? '' : html`<p class="hint">The file is large: only its beginning was looked at.</p>`;
  return html`<section class="card" aria-labelledby="file-${String(index)}"><h2 id="file-${String(index)}">${name}</h2><p>${what}, ${counted(recordCount, 'record')}. It would store ${counts.map(({ dataModel, stored }, at) => html`${at > 0 ? ', ' : ''}${words({ dataModel })} (${stored.toLocaleString('en-US')})`)}.</p>${issues}${tables}${partly}</section>`;
}

const unreadable = (name: string, error: string, index: number): Fragment =>
  html`<section class="card" aria-labelledby="file-${String(index)}"><h2 id="file-${String(index)}">${name}</h2><div class="summary" role="alert"><h3>This file cannot be read</h3><p>${asSentence(error)}</p></div></section>`;

/** A record that its mapping cannot make fails the import of its whole file. Where all records are rejected, there is nothing to import. */
const blocks = (file: LookedAt): boolean =>
  file.error !== undefined ||
  file.preview.rejected.some(({ record }) => record === null) ||
  (file.preview.isComplete && file.preview.counts.every(({ stored }) => stored === 0));

function chooser(form: LinkForm, state: PostedState, { dataModel, files }: FilesState): Fragment {
  const { path, capabilities, fields } = form;
  const models = capabilities.map(
    (capability) =>
      html`<option value="${capability.dataModel}"${capability.dataModel === dataModel ? html` selected` : ''}>${words(capability)}</option>`,
  );
  const isOpen = state.issues.length > 0 || Object.values(state.values).some((value) => value.trim() !== '');
  const boxes = fields.map((field) => box(field, form, state));
  return html`<form method="post" action="${path}" enctype="multipart/form-data" autocomplete="off"><fieldset><legend>${files.length > 0 ? 'Choose other files' : 'Your files'}</legend><div class="grid"><div class="wide"><label for="files">Drop files here, or choose them</label><p class="hint" id="files-hint">CSV or JSON of your accounting program, a book of GnuCash, or statements of your bank (OFX, camt.053, MT940); up to 15 MB each.</p><input class="drop" type="file" id="files" name="files" multiple required aria-describedby="files-hint"></div><div class="wide"><label for="data-model">What the files contain</label><p class="hint" id="data-model-hint">Choose the records only where the columns are the field names of this API.</p><select id="data-model" name="data_model" aria-describedby="data-model-hint"><option value="">Find out from the file</option>${models}</select></div></div><details${isOpen ? html` open` : ''}><summary>Columns of another program</summary><div class="grid">${boxes}</div></details></fieldset><p><button class="${files.length > 0 ? 'other' : 'main'}" name="action" value="preview">Preview</button></p></form>`;
}

function importer({ path }: LinkForm, { values }: PostedState, files: readonly LookedAt[]): Fragment {
  if (files.length === 0) return html``;
  if (files.some(blocks))
    return html`<p class="note">Nothing was imported. Correct the ${files.length === 1 ? 'file' : 'files'} and choose ${files.length === 1 ? 'it' : 'them'} again.</p>`;
  const hasRejected = files.some((file) => file.error === undefined && file.preview.rejected.length > 0);
  const kept = files.flatMap((file) => (file.error === undefined ? [html`<input type="hidden" name="kept" value="${file.token}">`] : []));
  const settings = Object.entries(values).map(([name, value]) => html`<input type="hidden" name="settings.${name}" value="${value}">`);
  return html`<form method="post" action="${path}" enctype="multipart/form-data" autocomplete="off">${kept}${settings}<p><button class="main" name="action" value="import">${hasRejected ? 'Import the others' : 'Import'}</button></p></form>`;
}

const STEPS = ['Files', 'Preview', 'Imported'];

/** The page of an open link to files. */
export function filesPage(form: LinkForm, state: PostedState, files: FilesState): string {
  const { company, organisation, expiresAt } = form;
  const until = html`<li>Link works until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC</li>`;
  const isLooked = files.files.length > 0;
  const lead = isLooked
    ? 'This is what would happen. Nothing is stored before you import.'
    : `${organisation} asks for the books of ${company}. You see what your files would become before anything is stored.`;
  const steps = STEPS.map((title, index) => ({
    title,
    state: index < Number(isLooked) ? ('done' as const) : index === Number(isLooked) ? ('current' as const) : ('open' as const),
  }));
  const looked = files.files.map((file, index) =>
    file.error === undefined ? previewed(file.name, file.preview, index) : unreadable(file.name, file.error, index),
  );
  const issues =
    state.issues.length > 0
      ? html`<div class="summary" role="alert"><h2>Please correct the mapping</h2><ul>${state.issues.map((issue) => html`<li>${sentence(issue, form.fields)}</li>`)}</ul></div>`
      : '';
  const name = 'Bring your files';
  return document(
    name,
    html`${header(name, lead, form, until)}<main>${progress(steps)}${issues}${looked}${importer(form, state, files.files)}${chooser(form, state, files)}</main>${footer(form)}`,
  );
}

/** The page after an import. */
export function importedPage(form: LinkForm, files: readonly string[]): string {
  const name = files.length === 1 ? 'Your file is imported' : `Your ${files.length} files are imported`;
  const steps = STEPS.map((title) => ({ title, state: 'done' as const }));
  return document(
    name,
    html`${header(name, THANKS, form)}<main>${progress(steps)}<div class="card" role="status"><p>${outcomeOf(form)}</p><ul>${files.map((file) => html`<li>${file}</li>`)}</ul></div></main>${footer(form)}`,
  );
}
