// What people type into the search, and the words that the pages have for it.

/** Words that say nothing about what is looked for. */
export const IGNORED_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be by can do does for from get getting handle handling how i in is it me my of on or our the to use using want we what when where which why with you your'.split(
    ' ',
  ),
);

/** Groups of words that mean the same to a reader. */
const GROUPS: readonly string[] = [
  'pagination paging paginate pages cursor',
  'sort sorting sorted order ordering orderby',
  'aggregate aggregation sum sums total totals count summary group',
  'refund refunds credit',
  'export download csv',
  'import upload csv file files',
  'sandbox demo test playground',
  'login signin authenticate authentication authorization auth credentials token bearer apikey key keys',
  'oauth oauth2 connect',
  'react apollo urql relay screens client',
  'sdk client library codegen typescript types generation',
  'throttle throttling ratelimit rate limit limits allowance quota 429',
  'realtime live subscription subscriptions sse websocket stream streaming',
  'callback callbacks hook hooks webhook webhooks',
  'retry retries idempotency idempotent',
  'concurrency locking lock etag ifmatch version stale',
  'poll polling sync incremental changes delta feed feeds',
  'delete remove deleted',
  'update edit modify change patch',
  'create add insert',
  'bulk batch many',
  'vendor supplier contact',
  'customer client contact',
  'bill payable purchase',
  'ledger accounting books',
  'pnl profit income loss',
  'ar receivable receivables aged',
  'ap payable payables aged',
  'gl posting postings journal',
  'vat gst tax',
  'ein tin vatin identifier taxid',
  'incorporate incorporation company formation',
  'nexus registration registrations threshold',
  'hs hscode customs tariff',
  'geocode geocoding geocoder address addresses geoencode',
  'bank statement ofx mt940 camt',
  'quickbooks xero erp tryton ledger connector',
  'agent agents mcp llm ai',
  'federation subgraph apollo',
  'permissions permission roles role scope scopes',
  'signature verify hmac signing',
  'date dates range between filter',
  'search contains find filter filtering where query',
  'attachment attachments file files upload',
  'currency currencies fx exchange rate',
  'changelog release releases version versions breaking',
  'error errors code codes failure exception',
  'playground explorer graphiql ide console',
  'rest openapi swagger',
  'quickstart start started tutorial first hello begin',
];

const synonyms: Record<string, string[]> = {};
for (const group of GROUPS) {
  const words = group.split(' ');
  for (const word of words) synonyms[word] = [...(synonyms[word] ?? []), ...words.filter((other) => other !== word)];
}

/** The other words for a word, in small letters. */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = synonyms;
