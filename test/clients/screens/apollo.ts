// Apollo Client: a list in the normalised cache, with forms, optimistic names, uploads by the upload link and documents by their hash.
import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client/core';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
import { OperationTypeNode } from 'graphql';
import type { Gateway } from '../gateway.ts';
import { graphql } from '../generated/gql.ts';
import { openScene, run } from './screen.ts';

const LIST = graphql(`
  query ApolloScreen($company: ID!) {
    company(id: $company) { id accounts(first: 20) { nodes { id name } } }
  }
`);
const CHANGES = graphql(`
  subscription ApolloScreenChanges($company: ID!) {
    recordChanged(type: [ACCOUNT], companyId: $company) { operation nodeId node { __typename id ... on Account { name } } }
  }
`);
const CREATE = graphql(`
  mutation ApolloScreenCreate($input: CreateAccountInput!) {
    createAccount(input: $input) { account { id name } errors { code path message } }
  }
`);
const RENAME = graphql(`
  mutation ApolloScreenRename($input: UpdateAccountInput!) {
    updateAccount(input: $input) { account { id name } errors { code path message } }
  }
`);
const UPLOAD = graphql(`
  mutation ApolloScreenUpload($content: Upload!) {
    createFile(input: { content: $content, purpose: SUPPORTING_DOCUMENT }) {
      file { id name size mimeType }
      errors { code path message }
    }
  }
`);

/** Runs the screen; returns a summary of its results. */
export async function apolloScreen(gateway: Gateway): Promise<string> {
  const scene = await openScene(gateway);
  const variables = { company: scene.company };
  const http = new UploadHttpLink({
    uri: `${gateway.base}/graphql`,
    // The second header lets forms and GET pass, which a page of another site could send unasked.
    headers: { authorization: `Bearer ${gateway.bearer}`, 'apollo-require-preflight': 'true' },
    fetch: scene.network.fetch,
  });
  const byHash = new PersistedQueryLink({
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    useGETForHashedQueries: true,
  });
  const isSubscription = ({ operationType }: ApolloLink.Operation): boolean => operationType === OperationTypeNode.SUBSCRIPTION;
  const client = new ApolloClient({
    link: ApolloLink.split(isSubscription, new GraphQLWsLink(scene.socket), byHash.concat(http)),
    cache: new InMemoryCache(),
  });
  const { cache } = client;
  const reload = (): Promise<unknown> => client.query({ query: LIST, variables, fetchPolicy: 'network-only' });
  await reload();
  const changes = client.subscribe({ query: CHANGES, variables }).subscribe(({ data }) => {
    if (!data) return;
    // A changed account is in the cache by its id already; lists leave out what was evicted.
    const { operation, nodeId, node } = data.recordChanged;
    if (operation === 'DELETED') cache.evict({ id: cache.identify({ __typename: 'Account', id: nodeId }) ?? '' });
    if (operation === 'CREATED' && node?.__typename === 'Account')
      cache.updateQuery({ query: LIST, variables }, (shown) => {
        if (!shown?.company?.accounts || shown.company.accounts.nodes.some(({ id }) => id === node.id)) return shown;
        const { company } = shown;
        const { accounts } = shown.company;
        return { ...shown, company: { ...company, accounts: { ...accounts, nodes: [...accounts.nodes, node] } } };
      });
  });
  try {
    return await run(scene, {
      accounts: () => client.readQuery({ query: LIST, variables }, true)?.company?.accounts?.nodes ?? [],
      reload,
      create: async (input) => (await client.mutate({ mutation: CREATE, variables: { input } })).data?.createAccount?.errors,
      rename: async (input) => {
        const account = { __typename: 'Account' as const, id: input.id, name: input.name };
        const optimisticResponse = { updateAccount: { __typename: 'UpdateAccountPayload' as const, account, errors: [] } };
        return (await client.mutate({ mutation: RENAME, variables: { input }, optimisticResponse })).data?.updateAccount?.errors;
      },
      upload: async (content) => (await client.mutate({ mutation: UPLOAD, variables: { content } })).data?.createFile?.file,
    });
  } finally {
    changes.unsubscribe();
    await scene.socket.dispose();
  }
}
