// JSON as text: indented without reading its numbers, because amounts have more digits than a program's numbers keep.

const TOKENS = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** A JSON text with a line per member. */
export function indented(json: string): string {
  const tokens = json.match(TOKENS) ?? [];
  let text = '';
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') {
      const isEmpty = next === '}' || next === ']';
      depth += isEmpty ? 0 : 1;
      text += isEmpty ? token : token + line();
    } else if (token === '}' || token === ']') {
      const wasEmpty = tokens[index - 1] === '{' || tokens[index - 1] === '[';
      depth -= wasEmpty ? 0 : 1;
      text += wasEmpty ? token : line() + token;
    } else if (token === ',') text += token + line();
    else text += token === ':' ? ': ' : token;
  }
  return text;
}

/** Whether a text of variables can be sent: an object, or nothing. */
export function isVariables(text: string): boolean {
  if (!text.trim()) return true;
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read);
  } catch {
    return false;
  }
}
