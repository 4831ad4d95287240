// The OpenAPI documents in their other forms: YAML and OpenAPI 3.0.3, as they are served.
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';

interface Document {
  openapi: string;
  info: { version: string };
  paths: Record<string, object>;
  components: { schemas: Record<string, object> };
  webhooks?: object;
  'x-webhooks'?: object;
}

const gateway = useGateway();
const get = (file: string) => gateway.send('GET', `/openapi/${file}`);
const SURFACES = ['platform', 'address', 'integrations'];

/** Every object of a document but those below `example`, which callers send and get. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item);
  else if (typeof value === 'object' && value !== null) {
    yield value as Record<string, unknown>;
    for (const [name, member] of Object.entries(value)) if (name !== 'example') yield* objectsIn(member);
  }
}

describe.each(SURFACES)('%s', (surface) => {
  it('YAML says what JSON says, in both versions', async () => {
    for (const version of ['', '-3.0']) {
      const [json, yaml] = [await get(`${surface}${version}.json`), await get(`${surface}${version}.yaml`)];
      expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
      expect(load(yaml.text)).toEqual(json.body);
    }
  });

  it('3.0.3 has the same operations, schemas and events, and no keyword of 3.1', async () => {
    const [own, counterpart] = [(await get(`${surface}.json`)).body as Document, (await get(`${surface}-3.0.json`)).body as Document];
    expect([own.openapi, counterpart.openapi, counterpart.webhooks]).toEqual(['3.1.0', '3.0.3', undefined]);
    const names = (value: object | undefined): string[] => Object.keys(value ?? {});
    expect(names(counterpart.paths)).toEqual(names(own.paths));
    expect(names(counterpart.components.schemas)).toEqual(names(own.components.schemas));
    expect(names(counterpart['x-webhooks'])).toEqual(names(own.webhooks));
    for (const part of objectsIn(counterpart)) {
      expect(Array.isArray(part.type) ? part : undefined).toBeUndefined();
      expect('const' in part ? part : undefined).toBeUndefined();
      if (part.$ref !== undefined) expect(names(part)).toEqual(['$ref']);
      if (part.nullable !== undefined) expect(part.type).toBeTypeOf('string');
    }
  });
});
