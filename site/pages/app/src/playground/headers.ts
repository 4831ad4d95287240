// The request headers of an operation: a JSON object of names and values, checked before anything is sent.

/** Headers that the playground sets; the key has a field of its own. */
const RESERVED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['accept', 'content-type', 'x-graphql-usage'].map((name) => [name, 'is set by the playground'])),
  ...Object.fromEntries(
    ['authorization', 'x-api-key', 'x-service-key', 'api_key'].map((name) => [name, 'carries the key: enter it at the top of the page']),
  ),
};

/** What is wrong with a header; undefined where it can be sent. */
function issueOf(name: string, value: unknown, earlier: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  if (Object.hasOwn(RESERVED, lower)) return RESERVED[lower];
  if (earlier.some((other) => other.toLowerCase() === lower)) return 'is given twice';
  if (typeof value !== 'string') return 'needs a text between quotation marks as its value';
  try {
    // A browser drops the headers that it sets itself without an error.
    return new Request('data:,', { headers: { [name]: value } }).headers.has(name) ? undefined : 'is set by the browser';
  } catch {
    return 'has a name or a value that HTTP does not allow';
  }
}

/** Reads headers from JSON text; no text is no header. Throws an error that names the header which is wrong. */
export function headersOf(text: string): Record<string, string> {
  if (!text.trim()) return {};
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = undefined;
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new Error('The headers are not a JSON object.');
  for (const [index, [name, value]] of Object.entries(read).entries()) {
    const issue = issueOf(name, value, Object.keys(read).slice(0, index));
    if (issue) throw new Error(`The header “${name}” ${issue}.`);
  }
  return read as Record<string, string>;
}
