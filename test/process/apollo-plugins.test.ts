// Which hooks of an Apollo plugin are called for which requests: the statement of docs/decisions/compiled-executor.md.
import type { GraphQLRequestListener } from '@apollo/server';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Plugin } from '../../src/graphql/apollo.ts';
import type { ApolloContext } from '../../src/graphql/idempotent-mutations.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { closeClients, connectWithKey } from '../support/subscriber.ts';

let called: string[] = [];

/** Counts every hook that Apollo offers a plugin for a request, except `willResolveField`, which would wrap every resolver. */
const counting: Plugin = {
  requestDidStart: async () => {
    called.push('requestDidStart');
    const hook = (name: string) => async (): Promise<void> => void called.push(name);
    const listener: GraphQLRequestListener<ApolloContext> = {
      didResolveSource: hook('didResolveSource'),
      parsingDidStart: hook('parsingDidStart'),
      validationDidStart: hook('validationDidStart'),
      didResolveOperation: hook('didResolveOperation'),
      executionDidStart: hook('executionDidStart'),
      didEncounterErrors: hook('didEncounterErrors'),
      willSendResponse: hook('willSendResponse'),
    };
    return listener;
  },
  unexpectedErrorProcessingRequest: async () => void called.push('unexpectedErrorProcessingRequest'),
};

closeClients();

let gateway: Gateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({}, pino({ level: 'silent' }), [counting]);
  key = await gateway.key(['PLATFORM', 'INTEGRATIONS']);
});
afterAll(() => gateway.stop());
beforeEach(() => {
  called = [];
});

const known = ['requestDidStart', 'didResolveSource', 'didResolveOperation', 'executionDidStart', 'willSendResponse'];
const unknown = known.toSpliced(2, 0, 'parsingDidStart');

const graphql = async (body: object): Promise<void> => {
  await gateway.send('POST', '/graphql', { headers: { authorization: `Bearer ${key}` }, body });
};

describe('hooks of plugins', () => {
  it('a plugin sees a document each time it is sent, and its parsing the first time', async () => {
    const query = '{ corporations(first: 1) { nodes { id } } }';
    await graphql({ query });
    expect(called).toEqual(unknown);
    for (const variables of [undefined, {}, null]) {
      called = [];
      await graphql({ query, variables });
      expect(called).toEqual(known);
    }
  });

  it('a document with variables, and a mutation with and without its key, are seen each time', async () => {
    const query =
      'mutation M($name: String!) { createCorporation(input: { legalName: $name, jurisdiction: "US" }) { corporation { id } } }';
    await graphql({ query, variables: { name: 'One Ltd' } });
    expect(called).toEqual(unknown);
    called = [];
    await graphql({ query, variables: { name: 'Two Ltd' } });
    expect(called).toEqual(known);
    const send = (): Promise<unknown> =>
      gateway.send('POST', '/graphql', {
        headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'plugin-1' },
        body: { query, variables: { name: 'Three Ltd' } },
      });
    await send();
    called = [];
    await send();
    expect(called, 'an operation with a kept response is not executed again').toEqual(known.filter((hook) => hook !== 'executionDidStart'));
  });

  it('an error of a resolver and a variable that is rejected are encountered while the operation executes', async () => {
    const failing = ['requestDidStart', 'didResolveSource', 'parsingDidStart', 'didResolveOperation', 'executionDidStart'];
    await graphql({ query: '{ corporation(id: "corp_none") { id } }' });
    expect(called).toEqual([...failing, 'didEncounterErrors', 'willSendResponse']);
    called = [];
    await graphql({ query: 'query($first: Int) { corporations(first: $first) { nodes { id } } }', variables: { first: 'x' } });
    expect(called).toEqual([...failing, 'didEncounterErrors', 'willSendResponse']);
  });

  it('a document that the admission rejects is not executed; its errors are in the response', async () => {
    const refused = ['requestDidStart', 'didResolveSource', 'parsingDidStart', 'didResolveOperation', 'willSendResponse'];
    await graphql({ query: '{ corporations { nope } }' });
    expect(called).toEqual(refused);
    called = [];
    await gateway.graphql(null, '{ corporations(first: 2) { nodes { id } } }');
    expect(called, 'without a key').toEqual(refused);
  });

  it('a document that cannot be parsed, and a persisted one, end with their error', async () => {
    await graphql({ query: '{ corporations {' });
    expect(called).toEqual(['requestDidStart', 'didResolveSource', 'parsingDidStart', 'didEncounterErrors', 'willSendResponse']);
    called = [];
    await graphql({ extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } });
    expect(called).toEqual(['requestDidStart', 'didEncounterErrors', 'willSendResponse']);
  });

  it('a subscription is not for plugins', async () => {
    const stream = connectWithKey(gateway.origin, key).iterate({ query: 'subscription { importJobProgress(jobId: "job_none") { id } }' });
    const { value } = await stream.next();
    expect(value.errors[0].extensions.code).toBe('JOB_NOT_FOUND');
    expect(called).toEqual([]);
  });

  it('a request without a valid key, one of REST and one that is no operation are not for plugins', async () => {
    expect((await gateway.graphql('wrong', '{ __typename }')).status).toBe(401);
    const read = await gateway.send('GET', '/api/v1/corporations', { headers: { authorization: `Bearer ${key}` } });
    expect(read.status).toBe(200);
    expect((await gateway.send('DELETE', '/graphql', { headers: { authorization: `Bearer ${key}` } })).status).toBe(405);
    expect(called).toEqual([]);
  });
});
