// Apollo Client: creates a company with accounts, pages through them by cursor, and finds the cache keyed by node id.
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client/core';
import { relayStylePagination } from '@apollo/client/utilities';
import { expect, type Gateway } from './gateway.ts';
import { graphql } from './generated/gql.ts';

const CREATE = graphql(`
  mutation ApolloCreateCompany($name: String!) {
    createCompany(input: { name: $name }) { company { id ledgerId name } }
  }
`);
const FILL = graphql(`
  mutation ApolloCreateAccounts($company: ID!, $data: [AccountInput!]!) {
    createAccounts(input: { companyId: $company, records: $data }) { accounts { id name } }
  }
`);
const PAGE = graphql(`
  query ApolloAccounts($company: ID!, $after: String) {
    company(id: $company) {
      id
      accounts(first: 2, after: $after) {
        edges { cursor node { id name nominalCode } }
        pageInfo { hasNextPage endCursor hasPreviousPage startCursor }
      }
    }
  }
`);

/** Runs the scenario; returns a summary of its results. */
export async function apolloClient({ base, bearer }: Gateway): Promise<string> {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${base}/graphql`, headers: { authorization: `Bearer ${bearer}` } }),
    cache: new InMemoryCache({ typePolicies: { Company: { fields: { accounts: relayStylePagination() } } } }),
  });
  const created = await client.mutate({ mutation: CREATE, variables: { name: 'Apollo Client' } });
  const { id, ledgerId: company } = created.data!.createCompany!.company!;
  const names = ['Cash', 'Sales', 'Rent'];
  await client.mutate({
    mutation: FILL,
    variables: { company: id, data: names.map((name, index) => ({ name, nominalCode: `${index}` })) },
  });
  const first = await client.query({ query: PAGE, variables: { company } });
  const { pageInfo } = first.data!.company!.accounts!;
  expect(pageInfo.hasNextPage, 'a second page');
  await client.query({ query: PAGE, variables: { company, after: pageInfo.endCursor }, fetchPolicy: 'network-only' });
  const merged = client.readQuery({ query: PAGE, variables: { company } })?.company?.accounts?.edges.map(({ node }) => node.name);
  expect(JSON.stringify(merged?.toSorted()) === JSON.stringify(names.toSorted()), `the cache to hold both pages, not ${merged}`);
  const keys = Object.keys(client.extract() as object).filter((key) => key.startsWith('Account:account_'));
  expect(keys.length === names.length, 'one cache entry per account');
  return `2 pages merged into ${merged?.length} accounts`;
}
