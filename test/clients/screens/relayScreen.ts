// The operations of the Relay screen, which relay-compiler compiles. They begin with the name of this file, as it requires.
import { graphql } from 'relay-runtime';

export const LIST = graphql`
  query relayScreenQuery($company: ID!) {
    company(id: $company) {
      id
      accounts(first: 20) @connection(key: "relayScreen_accounts") { edges { node { id name } } }
    }
  }
`;

export const CHANGES = graphql`
  subscription relayScreenSubscription($company: ID!) {
    recordChanged(type: [ACCOUNT], companyId: $company) { operation nodeId node { id ... on Account { name } } }
  }
`;

export const CREATE = graphql`
  mutation relayScreenCreateMutation($input: CreateAccountInput!) {
    createAccount(input: $input) { account { id name } errors { code path message } }
  }
`;

export const RENAME = graphql`
  mutation relayScreenRenameMutation($input: UpdateAccountInput!) {
    updateAccount(input: $input) { account { id name } errors { code path message } }
  }
`;

export const UPLOAD = graphql`
  mutation relayScreenUploadMutation($content: Upload!) {
    createFile(input: { content: $content, purpose: SUPPORTING_DOCUMENT }) {
      file { id name size mimeType }
      errors { code path message }
    }
  }
`;
