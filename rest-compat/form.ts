// Reads a multipart form with one file, in memory and within limits.
import busboy from 'busboy';
import type { Request } from 'express';
import { GatewayError, invalid } from '../src/core/errors.ts';

/** A form: its text fields, and its file as text. */
export interface Form {
  fields: Map<string, string>;
  file?: { name: string; text: string };
}

const FILE_LIMIT = 15 * 1_048_576;
const FIELD_LIMIT = 10_000;

/** The form of a request; refused when it is not multipart, too large, or its file is not UTF-8 text. */
export async function readForm(request: Request): Promise<Form> {
  if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '')) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the body must be sent as multipart/form-data');
  const form: Form = { fields: new Map() };
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown): void => {
      request.unpipe(parser);
      request.resume();
      reject(error instanceof GatewayError ? error : invalid('body', 'the body is not a well-formed multipart form', 'INVALID_FORMAT'));
    };
    const parser = openParser(request, fail);
    if (!parser) return;
    parser.on('field', (name, value) => {
      if (form.fields.has(name)) fail(invalid(name, `${name} is given more than once`, 'DUPLICATE'));
      form.fields.set(name, value);
    });
    parser.on('file', (name, stream, { filename }) => {
      if (name !== 'file') fail(invalid(name, 'the file must be sent as file', 'UNKNOWN_FIELD'));
      form.file = { name: filename ?? '', text: '' };
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () => fail(new GatewayError('PAYLOAD_TOO_LARGE', `the file is larger than ${FILE_LIMIT} bytes`, { field: 'file' })));
    });
    parser.on('filesLimit', () => fail(invalid('file', 'only one file can be sent')));
    parser.on('error', fail);
    parser.on('close', resolve);
    request.on('aborted', () => fail(invalid('body', 'the body ended early', 'INVALID_FORMAT')));
    request.pipe(parser);
  });
  if (form.file) form.file.text = textOf(Buffer.concat(chunks));
  return form;
}

function openParser(request: Request, fail: (error: unknown) => void): busboy.Busboy | undefined {
  try {
    return busboy({ headers: request.headers, limits: { files: 1, fileSize: FILE_LIMIT, fields: 20, fieldSize: FIELD_LIMIT } });
  } catch (error) {
    fail(error);
    return undefined;
  }
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('file', 'file must be UTF-8 text', 'INVALID_FORMAT');
  }
}
