// Apollo Client with the settings of the gateway's client package: one cache by id, amounts as text, the key in a header.
import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { relayStylePagination } from '@apollo/client/utilities';
import { map } from 'rxjs';
import { cacheSettings } from '../../../../../schema/client/cache.ts';
import { exactDecimals } from '../../../../../schema/client/decimals.ts';
import { keyHeaders } from './key.ts';

/** Address of the endpoint. */
export const ENDPOINT = '/graphql';

const authorised = new SetContextLink(({ headers }) => ({ headers: { ...headers, ...keyHeaders() } }));
const exact = new ApolloLink((operation, forward) =>
  forward(operation).pipe(map((result) => ({ ...result, data: exactDecimals(operation.query, result.data) }))),
);

/** A client over the link that sends queries and mutations, and the one for subscriptions where an application has any. */
export function gatewayClient(requests: ApolloLink, subscriptions = ApolloLink.empty()): ApolloClient {
  const isSubscription = ({ operationType }: ApolloLink.Operation): boolean => operationType === 'subscription';
  return new ApolloClient({
    link: ApolloLink.from([exact, authorised, ApolloLink.split(isSubscription, subscriptions, requests)]),
    cache: new InMemoryCache(cacheSettings({ relayStylePagination })),
  });
}
