// Operations as a Relay application writes them: pagination fragment with @connection, refetch by node id, edges appended by a mutation.
import { graphql } from 'react-relay';

export const page = graphql`
  fragment accounts_company on Company
  @refetchable(queryName: "accountsPageQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" }) {
    name
    accounts(first: $count, after: $cursor) @connection(key: "accounts_accounts") {
      edges { node { id name currentBalance } }
    }
  }
`;

export const query = graphql`
  query accountsQuery($company: ID!) {
    company(id: $company) { ...accounts_company }
  }
`;

export const create = graphql`
  mutation accountsCreateMutation($company: ID!, $data: [AccountInput!]!, $connections: [ID!]!) {
    createAccounts(input: { companyId: $company, records: $data }) {
      accounts @appendNode(connections: $connections, edgeTypeName: "AccountEdge") { id name }
    }
  }
`;
