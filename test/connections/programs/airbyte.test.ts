// Airbyte sources as connectors: a source in Perl that writes what the test says, and the examples that Airbyte publishes.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/integrations/connectors/connector.ts';
import { definitionsOf, directory, nextTo, open, pull, type Session } from './program.ts';

const stream = (name: string, more: Record<string, Json> = {}) => ({
  name,
  json_schema: {},
  supported_sync_modes: ['full_refresh'],
  ...more,
});

const incremental = {
  supported_sync_modes: ['full_refresh', 'incremental'],
  source_defined_cursor: true,
  default_cursor_field: ['updated'],
};

const catalog = (...streams: unknown[]) => ({ type: 'CATALOG', catalog: { streams } });

const record = (name: string, id: string) => ({
  type: 'RECORD',
  record: { stream: name, data: { id, name: `Name of ${id}` }, emitted_at: 1_623_861_660_000 },
});

const streamState = (name: string, state: Json) => ({
  type: 'STATE',
  state: { type: 'STREAM', stream: { stream_descriptor: { name }, stream_state: state } },
});

const trace = (failureType: string, message: string) => ({
  type: 'TRACE',
  trace: { type: 'ERROR', emitted_at: 1_623_861_660_000, error: { message, internal_message: 'internal', failure_type: failureType } },
});

const log = (level: string, message: string) => ({ type: 'LOG', log: { level, message } });

const streamStatus = (name: string, value: string) => ({
  type: 'TRACE',
  trace: {
    type: 'STREAM_STATUS',
    emitted_at: 1_623_861_660_000,
    stream_status: { stream_descriptor: { name }, status: value },
  },
});

const status = (value: string, message?: string) => ({ type: 'CONNECTION_STATUS', connectionStatus: { status: value, message } });

/** A state as `faros-airbyte-cdk` writes it when reading has failed. */
const errored = (about: Record<string, unknown>) => ({
  ...streamState('contacts', { at: 9 }),
  sourceStatus: { status: 'ERRORED', ...about },
});

const settings = [
  { name: 'client_secret', title: 'Secret', kind: 'secret', path: ['credentials', 'client_secret'] },
  { name: 'refresh_token', title: 'Token', kind: 'secret', path: ['credentials', 'refresh_token'], isRequired: false },
  { name: 'page_size', title: 'Records in a page', isJson: true, isRequired: false },
];

interface Source extends Session {
  /** What the source was given in each of its runs. */
  given(): Promise<{ command: string; config?: Json; catalog?: Json; state?: Json }[]>;
}

/** A source that writes these messages for its commands. */
async function source(responses: Record<string, unknown>, values: Record<string, string> = {}, mapping?: string): Promise<Source> {
  const folder = await directory();
  const [script, seen] = [join(folder, 'messages.json'), join(folder, 'seen')];
  await writeFile(script, JSON.stringify({ discover: [catalog(stream('contacts', incremental), stream('accounts'))], ...responses }));
  const program = { name: 'SOURCE', protocol: 'AIRBYTE', command: 'perl', arguments: [nextTo('source.pl'), script, seen], settings };
  const entry = { ...program, config: { account: { region: 'eu' } }, mapping: './mapping.yaml' };
  const [definition] = await definitionsOf([entry], mapping ? { 'mapping.yaml': mapping } : {});
  return {
    ...open(definition!, { client_secret: 'secret-of-the-client', ...values }),
    given: async () =>
      (await readFile(seen, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

const spec = { type: 'SPEC', spec: { protocol_version: '0.2.0', connectionSpecification: { type: 'object', required: ['credentials'] } } };

describe('an Airbyte source', () => {
  it('is given its configuration, the configured catalog of the data model and no state at first', async () => {
    const { connector, given } = await source({ read: [record('contacts', 'C-1')] }, { page_size: '50' });
    const { ids, error } = await pull(connector, 'CONTACT');
    expect([ids, error]).toEqual([['C-1'], undefined]);
    expect((await given())[1]).toEqual({
      command: 'read',
      config: { account: { region: 'eu' }, credentials: { client_secret: 'secret-of-the-client' }, page_size: 50 },
      catalog: {
        streams: [
          {
            stream: stream('contacts', incremental),
            sync_mode: 'incremental',
            destination_sync_mode: 'append',
            cursor_field: ['updated'],
          },
        ],
      },
    });
  });

  it('the state of each stream goes back to it as it came last', async () => {
    const first = await source({
      read: [record('contacts', 'C-1'), streamState('contacts', { at: 1 }), record('contacts', 'C-2'), streamState('contacts', { at: 2 })],
    });
    const { cursor } = await pull(first.connector, 'CONTACT');
    expect(cursor).toEqual([streamState('contacts', { at: 2 }).state]);
    const second = await source({ read: [streamState('other', { at: 7 })] });
    const again = await pull(second.connector, 'CONTACT', cursor);
    expect((await second.given())[1]!.state).toEqual(cursor);
    expect(again.cursor).toEqual([streamState('contacts', { at: 2 }).state, streamState('other', { at: 7 }).state]);
  });

  it('a state of all streams together, and one in the old form, take the place of what was there', async () => {
    const global = {
      type: 'GLOBAL',
      global: { shared_state: { lsn: 5 }, stream_states: [{ stream_descriptor: { name: 'contacts' }, stream_state: { at: 1 } }] },
    };
    const first = await source({ read: [streamState('contacts', { at: 1 }), { type: 'STATE', state: global }] });
    expect((await pull(first.connector, 'CONTACT')).cursor).toEqual([global]);
    const second = await source({ read: [{ type: 'STATE', state: { data: { contacts: 3 } } }] });
    expect((await pull(second.connector, 'CONTACT', [global])).cursor).toEqual({ contacts: 3 });
    expect((await second.given())[1]!.state).toEqual([global]);
    const third = await source({ read: [] });
    await pull(third.connector, 'CONTACT', { contacts: 3 });
    expect((await third.given())[1]!.state).toEqual({ contacts: 3 });
  });

  it('a stream that was read whole is read whole again, although its state says that it is done', async () => {
    const done = streamState('accounts', { __ab_full_refresh_sync_complete: true });
    const first = await source({ read: [record('accounts', 'A-1'), done] });
    const { cursor } = await pull(first.connector, 'ACCOUNT');
    const second = await source({ read: [record('accounts', 'A-1'), done] });
    expect((await pull(second.connector, 'ACCOUNT', cursor)).ids).toEqual(['A-1']);
    expect((await second.given())[1]).not.toHaveProperty('state');
    expect((await second.given())[1]!.catalog).toMatchObject({ streams: [{ sync_mode: 'full_refresh' }] });
  });

  it.each([
    ['config_error', 'the tenant does not exist', 'PLATFORM_DENIED'],
    ['config_error', 'the refresh token has expired', 'CONNECTION_EXPIRED'],
    ['system_error', 'the source broke', 'PLATFORM_ERROR'],
    ['transient_error', 'try again', 'PLATFORM_ERROR'],
  ])('an error of the type %s (%s) is %s, after what came before it', async (type, words, code) => {
    const { connector } = await source({
      read: [record('contacts', 'C-1'), streamState('contacts', { at: 1 }), trace(type, words)],
      exit: { read: 1 },
    });
    const { ids, cursor, error } = await pull(connector, 'CONTACT');
    expect([ids, cursor]).toEqual([['C-1'], [streamState('contacts', { at: 1 }).state]]);
    expect(error).toMatchObject({ code, message: `the program of SOURCE failed: ${words}` });
  });

  it.each([
    ['a failed check', [log('ERROR', 'no'), status('FAILED', 'User is not chris'), errored({})], 'PLATFORM_DENIED', 'User is not chris'],
    ['an expired token', [status('FAILED', 'the token has expired')], 'CONNECTION_EXPIRED', 'the token has expired'],
    ['a failed check without words', [status('FAILED')], 'PLATFORM_DENIED', 'the source rejected the settings'],
    ['a state with an error', [errored({ message: { summary: 'no rights', code: 0 } })], 'PLATFORM_ERROR', 'no rights'],
    [
      'a state with the error of a part',
      [errored({ status: 'RUNNING', message: { summary: 'part 1', type: 'ERROR' } })],
      'PLATFORM_ERROR',
      'part 1',
    ],
    ['a state with a text as error', [errored({ error: 'no rights' })], 'PLATFORM_ERROR', 'no rights'],
    ['a log of the level FATAL', [log('FATAL', 'the disk is full')], 'PLATFORM_ERROR', 'the disk is full'],
    [
      'a stream that is incomplete',
      [streamStatus('contacts', 'STARTED'), log('ERROR', 'cut off'), streamStatus('contacts', 'INCOMPLETE')],
      'PLATFORM_ERROR',
      'it did not report contacts as COMPLETE: cut off',
    ],
    ['a stream without a last status', [streamStatus('contacts', 'RUNNING')], 'PLATFORM_ERROR', 'it did not report contacts as COMPLETE'],
    [
      'a stream without any status next to others',
      [streamStatus('others', 'COMPLETE')],
      'PLATFORM_ERROR',
      'it did not report contacts as COMPLETE',
    ],
  ])('%s is a failure though the exit code is 0; what came before is kept', async (_, messages, code, words) => {
    const { connector } = await source({ read: [record('contacts', 'C-1'), streamState('contacts', { at: 1 }), ...messages] });
    const { ids, cursor, error } = await pull(connector, 'CONTACT');
    expect([ids, cursor]).toEqual([['C-1'], [streamState('contacts', { at: 1 }).state]]);
    expect(error).toMatchObject({ code, message: `the program of SOURCE failed: ${words}` });
  });

  it('a run that brings nothing and logs an error is a failure; an error before records or a state is not', async () => {
    const nothing = await source({ read: [log('ERROR', 'secret-of-the-client is not known')] });
    expect((await pull(nothing.connector, 'CONTACT')).error).toMatchObject({
      code: 'PLATFORM_ERROR',
      message: 'the program of SOURCE failed: [removed] is not known',
    });
    for (const later of [record('contacts', 'C-1'), streamState('contacts', { at: 1 })]) {
      const { connector } = await source({ read: [log('ERROR', 'tried again'), later] });
      expect((await pull(connector, 'CONTACT')).error).toBeUndefined();
    }
  });

  it('what comes after an error that the source has survived is stored, without the state that would skip the rest', async () => {
    const { connector } = await source({
      read: [errored({ error: 'slice 1' }), record('contacts', 'C-2'), streamState('contacts', { at: 2 })],
    });
    const { ids, cursor, error } = await pull(connector, 'CONTACT');
    expect([ids, cursor]).toEqual([['C-2'], undefined]);
    expect(error).toMatchObject({ message: 'the program of SOURCE failed: slice 1' });
  });

  it('streams that are all COMPLETE in the end are a success', async () => {
    const statuses = ['STARTED', 'RUNNING', 'COMPLETE'].map((value) => streamStatus('contacts', value));
    const { connector } = await source({ read: [...statuses.slice(0, 2), record('contacts', 'C-1'), statuses[2]] });
    const { ids, error } = await pull(connector, 'CONTACT');
    expect([ids, error]).toEqual([['C-1'], undefined]);
  });

  it('an exit code without an error message reports the log, without secrets', async () => {
    const { connector } = await source({ read: ['starting', log('ERROR', 'refused: secret-of-the-client')], exit: { read: 2 } });
    const { error } = await pull(connector, 'CONTACT');
    expect(error).toMatchObject({
      code: 'PLATFORM_ERROR',
      message: 'the program of SOURCE ended with exit code 2: ERROR refused: [removed]',
    });
    expect((error as { info: unknown }).info).toMatchObject({
      platformError: { exitCode: 2, output: expect.stringContaining('starting') },
    });
  });

  it('a configuration that the source sends becomes the settings, whichever command sends it', async () => {
    const control = (token: string) => ({
      type: 'CONTROL',
      control: {
        type: 'CONNECTOR_CONFIG',
        emitted_at: 1_623_861_660_000,
        connectorConfig: { config: { credentials: { client_secret: 'secret-of-the-client', refresh_token: token }, page_size: 70 } },
      },
    });
    const discovered = [control('token-2'), catalog(stream('contacts', incremental))];
    const { connector, saved, given } = await source(
      { discover: discovered, read: [control('token-3')] },
      { refresh_token: 'token-1', page_size: '70' },
    );
    await pull(connector, 'CONTACT');
    expect(saved).toEqual([{ refresh_token: 'token-2' }, { refresh_token: 'token-3' }]);
    expect((await given())[1]!.config).toMatchObject({ credentials: { refresh_token: 'token-2' } });
  });

  it('a check asks for the specification, the connection and the streams', async () => {
    const { connector, given } = await source({
      spec: [spec],
      check: [status('SUCCEEDED')],
      discover: [catalog(stream('contacts'), stream('tags'))],
    });
    await connector.check();
    expect((await given()).map(({ command }) => command)).toEqual(['spec', 'check', 'discover']);
    expect(await connector.unmapped!()).toEqual(['tags']);
  });

  it('a check reports members that are missing, and why the source rejects', async () => {
    const required = { ...spec, spec: { connectionSpecification: { required: ['credentials', 'start_date'] } } };
    const incomplete = await source({ spec: [required] });
    await expect(incomplete.connector.check()).rejects.toMatchObject({
      code: 'PLATFORM_DENIED',
      message: 'the program of SOURCE requires start_date in its configuration',
    });
    const refused = await source({ spec: [spec], check: [status('FAILED', 'secret-of-the-client is wrong')] });
    await expect(refused.connector.check()).rejects.toMatchObject({
      code: 'PLATFORM_DENIED',
      message: 'the program of SOURCE failed: [removed] is wrong',
    });
    const unknown = await source({ spec: [spec], check: [status('SUCCEEDED')], discover: [catalog(stream('tags'))] });
    await expect(unknown.connector.check()).rejects.toMatchObject({
      code: 'OPERATION_NOT_SUPPORTED',
      message: expect.stringContaining('tags'),
    });
  });

  it.each([
    ['no catalog', { discover: [] }, /wrote no CATALOG message/],
    ['a record without data', { read: [{ type: 'RECORD', record: { stream: 'contacts' } }] }, /wrote a RECORD message without data/],
    ['a state without a stream', { read: [{ type: 'STATE', state: { type: 'STREAM' } }] }, /wrote a STATE message without stream/],
    ['a message that is cut off', { read: ['{"type":"RECORD","rec'] }, /wrote a line that is not JSON/],
  ])('%s is an error', async (_, responses, message) => {
    const { connector } = await source(responses);
    expect((await pull(connector, 'CONTACT')).error).toMatchObject({ code: 'PLATFORM_ERROR', message: expect.stringMatching(message) });
  });

  it('the messages of the source that the tutorial of Airbyte writes', async () => {
    const prices = `
title: Prices
streams:
  stock_prices:
    - dataModel: ITEM
      record: '{ "platform_id": stock_ticker & "-" & date, "sku": stock_ticker, "price": price }'
`;
    const schema = { properties: { date: { type: 'string' }, price: { type: 'number' }, stock_ticker: { type: 'string' } } };
    const responses = {
      spec: [{ type: 'SPEC', spec: { connectionSpecification: { type: 'object', required: ['credentials'] } } }],
      check: [{ type: 'CONNECTION_STATUS', connectionStatus: { status: 'SUCCEEDED' } }],
      discover: [
        { type: 'CATALOG', catalog: { streams: [{ name: 'stock_prices', supported_sync_modes: ['full_refresh'], json_schema: schema }] } },
      ],
      read: [
        '{"type": "RECORD", "record": {"stream": "stock_prices", "data": {"date": "2020-12-15", "stock_ticker": "TSLA", "price": 633.25}, "emitted_at": 1608626365000}}',
        '{"type": "RECORD", "record": {"stream": "stock_prices", "data": {"date": "2020-12-16", "stock_ticker": "TSLA", "price": 622.77}, "emitted_at": 1608626365000}}',
      ],
    };
    const { connector } = await source(responses, {}, prices);
    await connector.check();
    expect((await pull(connector, 'ITEM')).pages).toEqual([
      {
        records: [
          { platform_id: 'TSLA-2020-12-15', sku: 'TSLA', price: 633.25 },
          { platform_id: 'TSLA-2020-12-16', sku: 'TSLA', price: 622.77 },
        ],
      },
    ]);
  });
});
