// Reads posted forms: text parts, and files that are stored while they arrive. Independent of routes, records and operations.

import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import type { Services } from '../access/context.ts';
import { ownBody, refuseBeyond } from '../http/request-body.ts';
import { GatewayError, invalid, missing } from '../records/errors.ts';
import { owned } from '../runtime/owned.ts';
import { discardUpload, type StoredUpload, storeUpload } from './stored-file.ts';

/** The content of a multipart body. */
export interface Multipart {
  file: StoredUpload;
  parts: Map<string, string>;
}

/** What a multipart body may hold. */
export interface MultipartForm {
  /** Name of the part with the file. */
  file: string;
  maxBytes: number;
  /** Names of the text parts. */
  parts: readonly string[];
}

/** The file parts of a form. */
export interface FileParts {
  /** Their names; a form that names its files itself adds to them while its texts arrive. */
  names: readonly string[];
  /** Most bytes of one file, and most files. */
  maxBytes: number;
  most: number;
  /** Whether a part may occur again, as a box for several files sends it; the later ones are named by their numbers: `files.1`. */
  isRepeated?: boolean;
}

/** What a posted form may hold, and the callback for its texts. */
export interface FormRules {
  /** What may be a file; undefined where no part may. */
  files: FileParts | undefined;
  /** Most bytes of one text. */
  textBytes: number;
  /** Most texts. */
  texts: number;
  /** Called with each text in the order sent; throws to reject the form. */
  text(name: string, value: string): void;
}

const MAX_PART = 10_000;
/** Most bytes of a form besides its file: texts and names together, the headers of parts, and boundaries. */
const MAX_AROUND = 1_048_576;

const damaged = (): GatewayError => invalid('body', 'the form is damaged or ends early', 'INVALID_FORMAT');
const tooMany = (): GatewayError => invalid('body', 'the body has too many parts', 'OUT_OF_RANGE');

function parserOf(request: IncomingMessage, { textBytes, texts }: FormRules): busboy.Busboy {
  const type = request.headers['content-type'] ?? '';
  const limits = { fieldSize: textBytes, fields: texts, parts: texts + 10 };
  try {
    return busboy({ headers: request.headers, defParamCharset: 'utf8', limits });
  } catch {
    if (/^multipart\/form-data\s*;/i.test(type)) throw invalid('body', 'the multipart body has no usable boundary', 'INVALID_FORMAT');
    const message = 'a form must be sent as multipart/form-data or application/x-www-form-urlencoded';
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', message);
  }
}

/** Reads the form of an authorised sender. Its files, by the names of their parts, are stored for the organisation until an operation adopts them. */
export async function readForm(
  services: Services,
  organisationId: number,
  request: IncomingMessage,
  rules: FormRules,
): Promise<Map<string, StoredUpload>> {
  const parser = parserOf(request, rules);
  const storing = new Map<string, Promise<StoredUpload>>();
  try {
    await new Promise<void>((resolve, reject) => {
      let isRefused = false;
      const refuse = (error: unknown): void => {
        isRefused = true;
        reject(error);
      };
      let around = 0;
      parser.on('file', (name, stream, { filename }) => {
        // Storing begins with a statement, so a part can fail before it is read. The parser waits until it is read.
        let streamError: Error | undefined;
        const source = owned(stream, (error) => {
          streamError = error;
        });
        const key = rules.files?.isRepeated && storing.has(name) ? `${name}.${storing.size}` : name;
        const refusal = isRefused ? undefined : fileIssue(rules, name, key, storing);
        if (refusal) refuse(refusal);
        // A browser sends an empty part without a file name where no file was chosen.
        if (isRefused || !filename) {
          source.once('data', () => refuse(missing(shown(name), `${shown(name)} needs a file name`)));
          source.resume();
          return;
        }
        const { maxBytes } = rules.files!;
        const stored = storeUpload(services, organisationId, { name: filename, source, maxBytes, field: name });
        stored.catch((error) => refuse(error === streamError ? damaged() : error));
        storing.set(key, stored);
      });
      parser.on('field', (name, value, { valueTruncated }) => {
        if (isRefused) return;
        try {
          around += checkText(rules, name, value, valueTruncated);
          if (around > MAX_AROUND) throw new GatewayError('PAYLOAD_TOO_LARGE', 'the texts of the form are too large');
          rules.text(name, value);
        } catch (error) {
          refuse(error);
        }
      });
      parser.on('partsLimit', () => refuse(tooMany()));
      parser.on('fieldsLimit', () => refuse(tooMany()));
      owned(parser, () => refuse(damaged()));
      parser.on('close', resolve);
      ownBody(request, () => refuse(damaged()));
      refuseBeyond(request, (rules.files ? rules.files.maxBytes * rules.files.most : 0) + MAX_AROUND, refuse);
      request.pipe(parser);
    });
    return new Map(await Promise.all([...storing].map(async ([name, stored]): Promise<[string, StoredUpload]> => [name, await stored])));
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    // The storing ends on its own, because its stream was destroyed; then the file is removed.
    for (const storage of storing.values()) {
      const stored = await storage.catch(() => undefined);
      if (stored) await discardUpload(services, organisationId, stored.fileId);
    }
    throw error;
  }
}

/** Reads the multipart body of a request; its file is stored for the organisation until an operation adopts it. */
export async function readMultipart(
  services: Services,
  organisationId: number,
  request: IncomingMessage,
  form: MultipartForm,
): Promise<Multipart> {
  if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? ''))
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the body must be sent as multipart/form-data');
  const parts = new Map<string, string>();
  const files = await readForm(services, organisationId, request, {
    files: { names: [form.file], maxBytes: form.maxBytes, most: 1 },
    textBytes: MAX_PART,
    texts: 20,
    text(name, value) {
      if (name !== form.file && !form.parts.includes(name))
        throw invalid(
          shown(name),
          `${shown(name)} is not a part here; allowed are ${[form.file, ...form.parts].join(', ')}`,
          'UNKNOWN_FIELD',
        );
      if (parts.has(name)) throw invalid(name, `${name} is given more than once`, 'DUPLICATE');
      parts.set(name, value);
    },
  });
  const file = files.get(form.file);
  if (!file) throw missing(form.file, `${form.file} is required: one part with a file`);
  return { file, parts };
}

function fileIssue(
  { files }: FormRules,
  name: string | undefined,
  key: string,
  storing: ReadonlyMap<string, unknown>,
): GatewayError | undefined {
  if (!name) return nameless();
  if (files?.names.includes(name)) {
    if (storing.has(key)) return invalid(shown(name), `${shown(name)} must be given once`, 'DUPLICATE');
    return storing.size < files.most ? undefined : invalid('body', `a form may have at most ${files.most} files`, 'OUT_OF_RANGE');
  }
  const message = files
    ? `${shown(name)} is not a file part here; ${files.names.length > 0 ? `the file goes into ${files.names.map(shown).join(', ')}` : 'no file part has been declared yet'}`
    : `${shown(name)} takes no file; no part here does`;
  return invalid(shown(name), message, 'UNKNOWN_FIELD');
}

/** Throws for an invalid text part; returns its size. */
function checkText({ files, textBytes }: FormRules, name: string | undefined, value: string | undefined, isCut: boolean): number {
  if (!name) throw nameless();
  if (files?.names.includes(name)) throw invalid(name, `${name} must be a part with a file name`, 'INVALID_TYPE');
  if (value === undefined) throw invalid(shown(name), `${shown(name)} is in an unknown character set; send UTF-8`, 'INVALID_FORMAT');
  // The parser puts this character in the place of bytes that are not UTF-8; a text that holds it has been damaged here or before.
  if (value.includes('\uFFFD')) throw invalid(shown(name), `${shown(name)} must be UTF-8 text`, 'INVALID_FORMAT');
  if (isCut || value.includes('\u0000'))
    throw invalid(shown(name), `${shown(name)} must be text of at most ${textBytes} bytes, without NUL characters`, 'TOO_LONG');
  return name.length + value.length;
}

const nameless = (): GatewayError => invalid('body', 'a part of the form has no name', 'INVALID_FORMAT');

/** A name the caller sent, made safe for an error message. */
export const shown = (name: string | undefined): string => (name ?? '').slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
