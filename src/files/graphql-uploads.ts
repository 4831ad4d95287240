// Files of GraphQL requests, as upload links send them (GraphQL multipart request specification): `operations`, `map`, then the files, of any bytes.
import type { IncomingMessage } from 'node:http';
import { type GraphQLSchema, getNamedType } from 'graphql';
import { authorise } from '../access/authorise.ts';
import { type RequestContext, type Services, tenantOf } from '../access/context.ts';
import { parseJson } from '../http/json-body.ts';
import { isPlainObject } from '../records/checked.ts';
import { GatewayError, invalid, missing } from '../records/errors.ts';
import type { RoleName } from '../records/roles.ts';
import { readForm, shown } from './posted-form.ts';
import { discardUpload, MAX_FILE_BYTES, ReceivedUpload, Upload } from './stored-file.ts';

/** Most files of one request. */
export const MAX_FILES = 5;

/** Most bytes of `operations` or `map`: as many as a request without files may have. */
const TEXT_BYTES = 1_048_576;

/** Headers that a page of another origin cannot send unasked; Apollo asks for the same before it runs a simple request. */
const PREFLIGHT_HEADERS = ['apollo-require-preflight', 'x-apollo-operation-name'];

/** Where the files of a form go in its operation. */
type FileMap = Map<string, string[]>;

/** Reads the multipart requests of one gateway. */
export class GraphqlUploads {
  readonly #services: Services;
  readonly #roles: readonly RoleName[];

  constructor(services: Services) {
    this.#services = services;
    this.#roles = rolesOfUploads(services.schema);
  }

  /** Reads the form of a request, runs the request with the operation it holds, and removes the files that no operation adopted. */
  async during(request: IncomingMessage, context: RequestContext, run: (body: unknown) => Promise<void>): Promise<void> {
    if (!PREFLIGHT_HEADERS.some((name) => request.headers[name]))
      throw new GatewayError(
        'INVALID_PARAMS',
        `a multipart request needs one of the headers ${PREFLIGHT_HEADERS.join(', ')}, with any value`,
        {
          header: PREFLIGHT_HEADERS[0]!,
        },
      );
    const { organisationId } = tenantOf(context);
    // No file of a caller is stored whose operation would be rejected for its role.
    authorise(context, this.#roles);
    let operations: Record<string, unknown> | undefined;
    let map: FileMap | undefined;
    const names: string[] = [];
    const files = await readForm(this.#services, organisationId, request, {
      files: { names, maxBytes: MAX_FILE_BYTES, most: MAX_FILES },
      textBytes: TEXT_BYTES,
      texts: 3,
      text(name, value) {
        if (name === 'operations' && !operations) operations = operationsOf(value);
        else if (name === 'map' && operations && !map) {
          map = mapOf(value);
          for (const file of map.keys()) names.push(file);
        } else throw invalid(shown(name), 'the parts of the form are operations, then map, then the files that map names', 'UNKNOWN_FIELD');
      },
    });
    try {
      if (!operations) throw missing('operations', 'operations is required: the JSON of a GraphQL request');
      if (!map) throw missing('map', 'map is required: the JSON of the places of the files');
      for (const [name, places] of map) {
        const file = files.get(name);
        if (!file) throw missing(shown(name), `${shown(name)} is required: map names it, and no such file was sent`);
        const upload = new ReceivedUpload(file);
        for (const place of places) put(operations, place, upload);
      }
      await run(operations);
    } finally {
      // Does nothing to a file that an operation has adopted.
      for (const { fileId } of files.values()) await discardUpload(this.#services, organisationId, fileId);
    }
  }
}

/** The roles of the fields that take files from callers with a key. */
function rolesOfUploads(schema: GraphQLSchema): RoleName[] {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  const takesFile = fields.filter(({ extensions }) =>
    extensions.inputArgument?.declared.some(({ type }) => getNamedType(type).name === Upload.name),
  );
  return [...new Set(takesFile.flatMap(({ extensions }) => extensions.access ?? []))];
}

function operationsOf(text: string): Record<string, unknown> {
  const operations = parseJson(text);
  if (isPlainObject(operations)) return operations;
  throw invalid('operations', 'operations must be one GraphQL request as a JSON object; batches are not supported', 'INVALID_TYPE');
}

function mapOf(text: string): FileMap {
  const given = parseJson(text);
  const entries = isPlainObject(given) ? Object.entries(given) : [];
  const isMap =
    entries.length > 0 &&
    entries.every(([name, places]) => name !== '' && Array.isArray(places) && places.every((place) => typeof place === 'string'));
  if (!isMap) throw invalid('map', 'map must be a JSON object of arrays of places, such as { "0": ["variables.content"] }', 'INVALID_TYPE');
  if (entries.length > MAX_FILES) throw invalid('map', `map may name at most ${MAX_FILES} files`, 'OUT_OF_RANGE');
  return new Map(entries as [string, string[]][]);
}

/** Puts a file into its place in the operation, where null is its placeholder. */
function put(operations: Record<string, unknown>, place: string, file: ReceivedUpload): void {
  const steps = place.split('.');
  const last = steps.pop()!;
  let holder: unknown = operations;
  for (const step of steps) holder = memberOf(holder, step);
  if (steps[0] !== 'variables' || memberOf(holder, last) !== null)
    throw invalid('map', `map names ${shown(place)}, which is not a variable that is null`, 'INVALID_VALUE');
  (holder as Record<string, unknown>)[last] = file;
}

const memberOf = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name) ? (holder as Record<string, unknown>)[name] : undefined;
