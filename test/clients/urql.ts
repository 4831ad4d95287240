// urql: reads by node id, and finds the code and field of an error in the documented place.
import { Client, fetchExchange } from '@urql/core';
import { expect, type Gateway } from './gateway.ts';
import { graphql } from './generated/gql.ts';

const COMPANIES = graphql(`
  query UrqlCompanies {
    companies(first: 1) { nodes { id name ledgerId } totalCount }
  }
`);
const NODE = graphql(`
  query UrqlNode($id: ID!) {
    node(id: $id) { __typename id ... on Company { name } }
  }
`);
const MISSING = graphql(`
  query UrqlMissing {
    company(id: 999999999) { account(ledgerId: 1) { name } }
  }
`);

/** Runs the scenario; returns a summary of its results. */
export async function urqlClient({ base, bearer }: Gateway): Promise<string> {
  const client = new Client({
    url: `${base}/graphql`,
    preferGetMethod: false,
    exchanges: [fetchExchange],
    fetchOptions: { headers: { authorization: `Bearer ${bearer}` } },
  });
  const listed = await client.query(COMPANIES, {}).toPromise();
  const company = listed.data?.companies?.nodes[0];
  expect(company !== undefined, 'a company');
  const found = await client.query(NODE, { id: company.id }).toPromise();
  expect(found.data?.node?.__typename === 'Company' && found.data.node.name === company.name, 'the same company by its node id');
  const missing = await client.query(MISSING, {}).toPromise();
  const code = missing.error?.graphQLErrors[0]?.extensions.code;
  expect(code === 'COMPANY_NOT_FOUND', `the code COMPANY_NOT_FOUND, not ${code}`);
  return `${found.data.node.__typename} by node id, ${code} in extensions`;
}
