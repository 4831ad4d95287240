// The self-check of a wire path: known values must come back as they were sent, and an error must fail its own read alone.
import type { DataRows, TextRow } from '../read-path/data-rows.ts';
import type { ReadValues, Statement } from '../read-path/read-path.ts';

const known: TextRow = [`Zoë "O'Neill" \\ 😀`, '', null, '9007199254740993', '-0.10', '2026-01-31 10:00:00.123456+00', '{"a": [1, "é"]}'];

const values: SentRead = {
  statement: {
    name: 'self-check values',
    text: 'select $1::text, $2::text, $3::text, $4::bigint, $5::numeric, $6::timestamptz, $7::jsonb',
  },
  values: known,
};

const division: SentRead = { statement: { name: 'self-check error', text: 'select 1 / $1::int' }, values: ['0'] };

const DIVISION_BY_ZERO = '22012';

export interface SentRead {
  statement: Statement;
  values: ReadValues;
}

/**
 * Sends the reads of the check, together where the path can, and returns what is wrong: the error of a read that should succeed, or its unexpected
 * response as text.
 */
export async function wireProblem(send: (reads: readonly SentRead[]) => Promise<DataRows>[]): Promise<unknown> {
  // The second run of the values is the first of a prepared statement, and comes after an error.
  const responses = await Promise.allSettled(send([values, division, values]));
  for (const [at, response] of responses.entries()) {
    const isDivision = at === 1;
    if (response.status === 'rejected') {
      if (!isDivision || response.reason.code !== DIVISION_BY_ZERO) return response.reason;
    } else {
      const found = JSON.stringify(response.value.texts());
      const expected = isDivision ? 'an error' : JSON.stringify([known]);
      if (found !== expected) return new Error(`read ${at + 1} of 3 returned ${found} instead of ${expected}`);
    }
  }
  return undefined;
}
