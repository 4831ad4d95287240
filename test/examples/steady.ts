// What differs from one recording to the next, made the same: ids, moments, secrets, signatures. The one place that says so.

/** The moment at which every recording happens. */
const MOMENT = new Date('2026-01-31T12:00:00.000Z');

const DAYS = 86_400_000;
/** How far from now a moment is still of the recording itself; those of the demo data are older. */
const NEAR_DAYS = 3;

const stable: readonly [pattern: RegExp, make: (found: string, number: number) => string][] = [
  [
    /\b([a-z]+(?:_[a-z]+)*)_[0-9a-hjkmnp-tv-z]{26}\b/g,
    (found, number) => `${found.slice(0, -26)}01kg9z2m00e1a8pw4tqx5r${String(number).padStart(4, '0')}`,
  ],
  [
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    (_, number) => `019c13f1-5000-7000-8000-${String(number).padStart(12, '0')}`,
  ],
  [/\bent_[0-9A-Za-z]{20,}/g, () => 'ent_0000000000EXAMPLE0000000000'],
  [/\bwhsec_…[^"]+/g, () => 'whsec_…MDAw'],
  [/\bwhpk_[0-9A-Za-z+/=]+/g, () => 'whpk_MDAwMDAwMDAwMEVYQU1QTEUwMDAwMDAwMDAwMDA='],
  [/\bwhsec_[0-9A-Za-z+/=]+/g, () => 'whsec_MDAwMDAwMDAwMEVYQU1QTEUwMDAwMDAwMDAw'],
  // The database below a gateway, which `service` and `health` tell.
  [/(?<="kind":")pglite(?=")/g, () => 'postgres'],
  // The newest migration of a checkout; a new one shall not change the examples.
  [/(?<="schema":")\d{14}_\w+(?=")/g, () => '20260131120000_first'],
  // A cursor or the key of a link: its content and its signature.
  [/(?<=")[\w-]+\.[\w-]{22}(?=")/g, () => 'WzE5XQ.EXAMPLEEXAMPLEEXAMPLE0'],
  [/(?<=[?&]expires=)\d{10}/g, () => '1769947200'],
  [/(?<=[?&](?:key|signature|token)=)[^"&\s]+/g, () => 'EXAMPLE'],
  [/http:\/\/127\.0\.0\.1:\d+/g, () => 'https://ledger.example'],
  [/http:\/\/localhost:\d+/g, () => 'https://ledger.example'],
];

/** Members whose values cannot be predicted or read, with what replaces them. */
const members: Readonly<Record<string, unknown>> = {
  request_id: '019c13f1-5000-7000-8000-00000000000a',
  requestId: '019c13f1-5000-7000-8000-00000000000a',
  hash: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
  previousHash: '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab',
  previous_hash: '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab',
  duration: 42,
  durationMs: 42,
  duration_ms: 42,
  sequence: 42,
};

/** Items of a list that are kept: an example shows the form, and the number of all is next to it. */
const MAX_ITEMS = 3;

const shortened = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : value);

/** Returns a value with the same text for the same thing throughout it, whenever it is recorded. */
export function steady<Value>(value: Value): Value {
  const now = Date.now();
  let text = JSON.stringify(value, (name, member: unknown) =>
    member !== null && Object.hasOwn(members, name) ? members[name] : shortened(member),
  );
  for (const [pattern, make] of stable) {
    const known = new Map<string, string>();
    text = text.replaceAll(pattern, (found) => {
      if (!known.has(found)) known.set(found, make(found, known.size + 1));
      return known.get(found)!;
    });
  }
  text = text.replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (found) => {
    const days = Math.round((Date.parse(found) - now) / DAYS);
    return days < -NEAR_DAYS ? found : new Date(MOMENT.getTime() + Math.max(0, days) * DAYS).toISOString();
  });
  text = text.replaceAll(/\b\d{13}\b/g, (found) => (Math.abs(Number(found) - now) < NEAR_DAYS * DAYS ? String(MOMENT.getTime()) : found));
  return JSON.parse(text) as Value;
}
