// urql with its normalised cache: a list with forms, optimistic names, uploads as urql sends them and documents by their hash.
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { persistedExchange } from '@urql/exchange-persisted';
import type { Gateway } from '../gateway.ts';
import { graphql } from '../generated/gql.ts';
import type { UpdateAccountInput, UrqlScreenChangesSubscription } from '../generated/graphql.ts';
import { openScene, run } from './screen.ts';

const LIST = graphql(`
  query UrqlScreen($company: ID!) {
    company(id: $company) { __typename id accounts(first: 20) { __typename nodes { __typename id name } } }
  }
`);
const CHANGES = graphql(`
  subscription UrqlScreenChanges($company: ID!) {
    recordChanged(type: [ACCOUNT], companyId: $company) { operation nodeId node { __typename id ... on Account { name } } }
  }
`);

const CREATE = graphql(`
  mutation UrqlScreenCreate($input: CreateAccountInput!) {
    createAccount(input: $input) { account { id name } errors { code path message } }
  }
`);
const RENAME = graphql(`
  mutation UrqlScreenRename($input: UpdateAccountInput!) {
    updateAccount(input: $input) { account { id name } errors { code path message } }
  }
`);
const UPLOAD = graphql(`
  mutation UrqlScreenUpload($content: Upload!) {
    createFile(input: { content: $content, purpose: SUPPORTING_DOCUMENT }) {
      file { id name size mimeType }
      errors { code path message }
    }
  }
`);
/** Types whose objects have no id: the cache keeps them inside their parents. */
const PARTS = ['AccountConnection', 'RecordChange', 'CreateAccountPayload', 'UpdateAccountPayload', 'CreateFilePayload', 'MutationError'];

/** Runs the screen; returns a summary of its results. */
export async function urqlScreen(gateway: Gateway): Promise<string> {
  const scene = await openScene(gateway);
  const variables = { company: scene.company };
  const client = new Client({
    url: `${gateway.base}/graphql`,
    // The second header lets forms and GET pass, which a page of another site could send unasked.
    fetchOptions: { headers: { authorization: `Bearer ${gateway.bearer}`, 'apollo-require-preflight': 'true' } },
    fetch: scene.network.fetch,
    exchanges: [
      cacheExchange({
        keys: Object.fromEntries(PARTS.map((type) => [type, () => null])),
        optimistic: {
          updateAccount: (given) => {
            const { id, name } = given.input as UpdateAccountInput;
            return { __typename: 'UpdateAccountPayload', account: { __typename: 'Account', id, name: name ?? null }, errors: [] };
          },
        },
        updates: {
          Subscription: {
            recordChanged: (result, _args, cache) => {
              const { operation, nodeId, node } = (result as UrqlScreenChangesSubscription).recordChanged;
              // A changed account is in the cache by its id already.
              if (operation === 'UPDATED') return;
              cache.updateQuery({ query: LIST, variables }, (shown) => {
                if (!shown?.company?.accounts) return shown;
                const { company } = shown;
                const { accounts } = shown.company;
                const others = accounts.nodes.filter(({ id }) => id !== nodeId);
                const nodes = operation === 'CREATED' && node?.__typename === 'Account' ? [...others, node] : others;
                return { ...shown, company: { ...company, accounts: { ...accounts, nodes } } };
              });
            },
          },
        },
      }),
      persistedExchange({ enableForMutation: true }),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables: given }) => ({
          subscribe: (sink) => ({ unsubscribe: scene.socket.subscribe({ query, ...(given ? { variables: given } : {}) }, sink as never) }),
        }),
      }),
    ],
  });
  const reload = (): Promise<unknown> => client.query(LIST, variables, { requestPolicy: 'network-only' }).toPromise();
  await reload();
  const changes = client.subscription(CHANGES, variables).subscribe(() => {});
  try {
    return await run(scene, {
      accounts: () => client.readQuery(LIST, variables)?.data?.company?.accounts?.nodes ?? [],
      reload,
      create: async (input) => (await client.mutation(CREATE, { input }).toPromise()).data?.createAccount?.errors,
      rename: async (input) => (await client.mutation(RENAME, { input }).toPromise()).data?.updateAccount?.errors,
      upload: async (content) => (await client.mutation(UPLOAD, { content }).toPromise()).data?.createFile?.file,
    });
  } finally {
    changes.unsubscribe();
    await scene.socket.dispose();
  }
}
