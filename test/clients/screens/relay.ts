// Relay: a connection in the store, with forms, optimistic names, uploads and trusted documents, the only ones that its gateway runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import relay, { type FetchFunction, type GraphQLTaggedNode, type MutationParameters } from 'relay-runtime';
import { startGateway } from '../../tools/gateway.ts';
import { expect, type Gateway } from '../gateway.ts';
import CREATE, { type relayScreenCreateMutation } from '../generated/relay/relayScreenCreateMutation.graphql.ts';
import LIST, { type relayScreenQuery } from '../generated/relay/relayScreenQuery.graphql.ts';
import RENAME, { type relayScreenRenameMutation } from '../generated/relay/relayScreenRenameMutation.graphql.ts';
import CHANGES, { type relayScreenSubscription } from '../generated/relay/relayScreenSubscription.graphql.ts';
import UPLOAD, { type relayScreenUploadMutation } from '../generated/relay/relayScreenUploadMutation.graphql.ts';
import { openScene, run, type Scene } from './screen.ts';

const { ConnectionHandler, Environment, Network, Observable, RecordSource, Store } = relay;
/** What relay-compiler wrote: the text of every document by its hash. */
const MANIFEST = join(import.meta.dirname, '../generated/relay/manifest.json');

/** Runs the screen on a gateway of its own, which trusts the documents of the screen alone; returns a summary of its results. */
export async function relayScreen(): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'gateway-trusting-'));
  const gateway = await startGateway(data, { TRUSTED_DOCUMENTS: MANIFEST });
  try {
    const other = await fetch(`${gateway.base}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { roles } }' }),
    });
    expect((await other.text()).includes('DOCUMENT_NOT_TRUSTED'), 'a document outside the manifest to be rejected');
    return await screenOn(gateway);
  } finally {
    await gateway.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Sends the hash of a document and its variables; files go next to them, as the multipart specification says. */
const sender =
  ({ base, bearer }: Gateway, { network }: Scene): FetchFunction =>
  async ({ id }, variables, _cache, files) => {
    const operation = JSON.stringify({ documentId: id, variables });
    const form = new FormData();
    form.set('operations', operation);
    form.set('map', JSON.stringify(Object.fromEntries(Object.keys(files ?? {}).map((path) => [path, [path]]))));
    for (const [path, file] of Object.entries(files ?? {})) form.set(path, file);
    const response = await network.fetch(`${base}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearer}`,
        // Lets forms pass, which a page of another site could send unasked.
        ...(files ? { 'apollo-require-preflight': 'true' } : { 'content-type': 'application/json' }),
      },
      body: files ? form : operation,
    });
    return (await response.json()) as never;
  };

async function screenOn(gateway: Gateway): Promise<string> {
  const scene = await openScene(gateway);
  const variables = { company: String(scene.company) };
  const environment = new Environment({
    store: new Store(new RecordSource()),
    network: Network.create(
      sender(gateway, scene),
      ({ id, name }, given) =>
        Observable.create((sink) => {
          const extensions = { persistedQuery: { version: 1, sha256Hash: id } };
          return scene.socket.subscribe({ query: '', operationName: name, variables: given, extensions }, sink as never);
        }) as never,
    ),
  });
  const reload = (): Promise<unknown> => relay.fetchQuery<relayScreenQuery>(environment, LIST, variables).toPromise();
  const commit = <T extends MutationParameters>(
    mutation: GraphQLTaggedNode,
    given: T['variables'],
    more: { optimisticResponse?: T['rawResponse']; uploadables?: Record<string, File> } = {},
  ): Promise<T['response']> =>
    new Promise((resolve, reject) => {
      relay.commitMutation<T>(environment, {
        mutation,
        variables: given,
        onCompleted: (response, errors) => (errors?.length ? reject(new Error(JSON.stringify(errors))) : resolve(response)),
        onError: reject,
        ...(more as object),
      });
    });
  await reload();
  const operation = relay.createOperationDescriptor(LIST, variables);
  const retained = environment.retain(operation);
  const changes = relay.requestSubscription<relayScreenSubscription>(environment, {
    subscription: CHANGES,
    variables,
    updater: (store, data) => {
      if (!data) return;
      // A changed account is in the store by its id already.
      const { operation: what, nodeId } = data.recordChanged;
      const company = store.getRoot().getLinkedRecord('company', { id: variables.company });
      const list = company && ConnectionHandler.getConnection(company, 'relayScreen_accounts');
      const node = store.get(nodeId);
      if (!list || what === 'UPDATED') return;
      ConnectionHandler.deleteNode(list, nodeId);
      if (what === 'CREATED' && node)
        ConnectionHandler.insertEdgeAfter(list, ConnectionHandler.createEdge(store, list, node, 'AccountEdge'));
    },
  });
  try {
    return await run(scene, {
      accounts: () => {
        const { company } = environment.lookup(operation.fragment).data as unknown as relayScreenQuery['response'];
        return company?.accounts?.edges.map(({ node }) => node) ?? [];
      },
      reload,
      create: async (input) => (await commit<relayScreenCreateMutation>(CREATE, { input })).createAccount?.errors,
      rename: async (input) => {
        const optimisticResponse = { updateAccount: { account: { id: input.id, name: input.name }, errors: [] } };
        return (await commit<relayScreenRenameMutation>(RENAME, { input }, { optimisticResponse })).updateAccount?.errors;
      },
      upload: async (content) => {
        const uploadables = { 'variables.content': content };
        return (await commit<relayScreenUploadMutation>(UPLOAD, { content: null }, { uploadables })).createFile?.file;
      },
    });
  } finally {
    changes.dispose();
    retained.dispose();
    await scene.socket.dispose();
  }
}
