// Runs every client against a running gateway: node run.ts <base address> <bearer key> <api_key key>
import { apolloClient } from './apollo.ts';
import { openapiClients } from './openapi.ts';
import { apolloScreen } from './screens/apollo.ts';
import { relayScreen } from './screens/relay.ts';
import { urqlScreen } from './screens/urql.ts';
import { urqlClient } from './urql.ts';
import { webhookReceiver } from './webhook-receiver.ts';

const [address, bearer, apiKey] = process.argv.slice(2);
if (!address || !bearer || !apiKey) throw new Error('usage: node run.ts <base address> <bearer key> <api_key key>');
const gateway = { base: new URL(address).origin, bearer, apiKey };

const clients = [apolloClient, urqlClient, openapiClients, webhookReceiver, apolloScreen, urqlScreen, relayScreen];
for (const client of clients) console.log(`${client.name}: ${await client(gateway)}`);
