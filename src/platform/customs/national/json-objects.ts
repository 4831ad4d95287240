// Reads a JSON array of objects from a stream, one object at a time, with the line each begins at.
import { TariffFileIssue } from './tariff-file-issue.ts';

/** Longest object in characters. */
const MAX_CHARACTERS = 100_000;

/** The objects of an array; TariffFileIssue at the first value that is not an object, or where the file ends early. */
export async function* jsonObjects(source: AsyncIterable<Uint8Array>): AsyncGenerator<{ line: number; value: Record<string, unknown> }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [line, begins, depth, isText, isEscaped, isOpen] = [1, 1, 0, false, false, false];
  let object = '';
  for await (const piece of source) {
    for (const sign of decoder.decode(piece, { stream: true })) {
      if (sign === '\n') line += 1;
      if (depth === 0) {
        if (sign === '{' && isOpen) [depth, begins, object] = [1, line, sign];
        else if (sign === '[' && !isOpen) isOpen = true;
        else if (sign === ']' && isOpen) return;
        else if (!/[\s,\ufeff]/.test(sign))
          throw new TariffFileIssue(line, `${JSON.stringify(sign)} is found where an object should begin`);
        continue;
      }
      object += sign;
      if (object.length > MAX_CHARACTERS) throw new TariffFileIssue(begins, `an object has more than ${MAX_CHARACTERS} characters`);
      if (isText) {
        isText = isEscaped || sign !== '"';
        isEscaped = !isEscaped && sign === '\\';
      } else if (sign === '"') isText = true;
      else if (sign === '{' || sign === '[') depth += 1;
      else if (sign === '}' || sign === ']') depth -= 1;
      if (depth === 0) yield { line: begins, value: parsed(object, begins) };
    }
  }
  throw new TariffFileIssue(line, 'the file ends before its array does');
}

function parsed(text: string, line: number): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new TariffFileIssue(line, 'the object is not JSON');
  }
}
