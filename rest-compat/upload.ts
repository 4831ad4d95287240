// Reads a multipart body: one file, stored while it arrives, and text parts. Knows neither rows nor records.

import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import type { Services } from '../src/core/context.ts';
import { GatewayError, invalid, missing } from '../src/core/errors.ts';
import { refuseBeyond } from '../src/core/request-body.ts';
import { discardUpload, type StoredUpload, storeUpload } from '../src/core/stored-file.ts';

/** A multipart body that was read. */
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

const MAX_PART = 10_000;
/** What may stand around the file: 20 text parts, the heads of 30 parts, and boundaries. */
const MAX_AROUND = 1_048_576;

const damaged = (): GatewayError => invalid('body', 'the multipart body is damaged or ends early', 'INVALID_FORMAT');

function parserOf(request: IncomingMessage): busboy.Busboy {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the body must be sent as multipart/form-data');
  try {
    return busboy({ headers: request.headers, defParamCharset: 'utf8', limits: { fieldSize: MAX_PART, fields: 20, parts: 30 } });
  } catch {
    throw invalid('body', 'the multipart body has no usable boundary', 'INVALID_FORMAT');
  }
}

/** Reads the body of a request; the file is stored for the organisation and waits to be adopted. */
export async function readMultipart(
  services: Services,
  organisationId: number,
  request: IncomingMessage,
  form: MultipartForm,
): Promise<Multipart> {
  const parser = parserOf(request);
  const parts = new Map<string, string>();
  let storing: Promise<StoredUpload> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('file', (name, stream, { filename }) => {
        const fault = fileFault(form, name, filename, storing !== undefined);
        if (fault) {
          stream.resume();
          reject(fault);
          return;
        }
        let broken = false;
        // Storing begins with a statement, so the stream can fail before anybody reads it.
        stream.on('error', () => {
          broken = true;
        });
        storing = storeUpload(services, organisationId, { name: filename!, source: stream, maxBytes: form.maxBytes, field: form.file });
        // Storing that refuses the file lets go of the stream, which may call that an error of its own.
        storing.catch((error) => reject(broken && !(error instanceof GatewayError) ? damaged() : error));
      });
      parser.on('field', (name, value, { valueTruncated }) => {
        const fault = partFault(form, name, value, valueTruncated, parts);
        if (fault) reject(fault);
        parts.set(name, value);
      });
      parser.on('partsLimit', () => reject(invalid('body', 'the body has too many parts', 'OUT_OF_RANGE')));
      parser.on('error', () => reject(damaged()));
      parser.on('close', resolve);
      request.on('aborted', () => reject(damaged()));
      refuseBeyond(request, form.maxBytes + MAX_AROUND, reject);
      request.pipe(parser);
    });
    if (!storing) throw missing(form.file, `${form.file} is required: one part with a file`);
    return { file: await storing, parts };
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    // What is still being stored ends by itself now that its stream is gone; then it is removed.
    const stored = await storing?.catch(() => undefined);
    if (stored) await discardUpload(services, organisationId, stored.fileId);
    throw error;
  }
}

function fileFault(form: MultipartForm, name: string | undefined, filename: string | undefined, second: boolean): GatewayError | undefined {
  if (name !== form.file)
    return invalid(shown(name), `${shown(name)} is not a file part here; the file goes into ${form.file}`, 'UNKNOWN_FIELD');
  if (second) return invalid(name, `${name} must be given once`, 'DUPLICATE');
  return filename ? undefined : missing(name, `${name} needs a file name`);
}

function partFault(
  form: MultipartForm,
  name: string,
  value: string,
  cut: boolean,
  parts: ReadonlyMap<string, string>,
): GatewayError | undefined {
  if (name === form.file) return invalid(name, `${name} must be a part with a file name`, 'INVALID_TYPE');
  if (!form.parts.includes(name))
    return invalid(shown(name), `${shown(name)} is not a part here; allowed are ${[form.file, ...form.parts].join(', ')}`, 'UNKNOWN_FIELD');
  if (parts.has(name)) return invalid(name, `${name} is given more than once`, 'DUPLICATE');
  return cut || value.includes('\u0000') ? invalid(name, `${name} must be text of at most ${MAX_PART} bytes`, 'TOO_LONG') : undefined;
}

const shown = (name: string | undefined): string => (name ?? '').slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
