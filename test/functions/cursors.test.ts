// Cursors as functions: what they are bound to, and that a changed one is rejected. The expected text was made with Python: hashlib, hmac, hkdf.
import { describe, expect, it } from 'vitest';
import { type CursorScope, Cursors, LateCursor } from '../../src/graphql/cursors.ts';
import { GatewayError } from '../../src/records/errors.ts';
import { Signer } from '../../src/security/signer.ts';

const signer = new Signer('a signing secret of some length');
const scope: CursorScope = { list: 'accounts', organisationId: 7, order: 'name', filter: { name: { eq: 'Café' } } };
const cursors = new Cursors(signer, scope);
const values = ['Café', null, 12];
const CURSOR = 'WyJDYWbDqSIsbnVsbCwxMl0.jdCVkraQRqSX3e-vYZpepw';

describe('cursors', () => {
  it('a cursor is the values in base64url and a signature over them and the list', () => {
    expect(cursors.encode(values)).toBe(CURSOR);
    expect(cursors.decode(CURSOR, 'after')).toEqual(values);
    expect(new Cursors(signer, structuredClone(scope)).decode(CURSOR, 'after')).toEqual(values);
  });

  it.each<[string, Partial<CursorScope>]>([
    ['list', { list: 'invoices' }],
    ['organisation', { organisationId: 8 }],
    ['order', { order: '-name' }],
    ['filter', { filter: { name: { eq: 'Cafe' } } }],
  ])('a cursor of another %s is rejected', (_, other) => {
    expect(() => new Cursors(signer, { ...scope, ...other }).decode(CURSOR, 'after')).toThrow(GatewayError);
  });

  it('a cursor that is changed, cut, without values or too long is rejected by the name of its argument', () => {
    const cut = CURSOR.indexOf('.');
    // Signed, but longer than any cursor that is issued.
    const long = cursors.encode(['x'.repeat(1_000)]);
    const longest = cursors.encode(['x'.repeat(728)]);
    expect(longest).toHaveLength(999);
    expect(cursors.decode(longest, 'after')).toHaveLength(1);
    // A signature over the list alone.
    const bare = '.R3_ok15tW25VG_4sTRkLVw';
    for (const text of [
      '',
      '.',
      bare,
      CURSOR.slice(0, cut),
      CURSOR.slice(cut),
      `x${CURSOR}`,
      `${CURSOR}A`,
      CURSOR.replace('.', '..'),
      long,
    ])
      expect(() => cursors.decode(text, 'before'), text).toThrow(
        expect.objectContaining({
          code: 'INVALID_CURSOR',
          message: 'before is not a cursor of this list with this order and these filters',
          info: {
            field: 'before',
            issues: [
              {
                field: 'before',
                code: 'INVALID_VALUE',
                message: 'before is not a cursor of this list with this order and these filters',
              },
            ],
          },
        }),
      );
  });

  it('a late cursor is made when the response is written', () => {
    let made = 0;
    const late = new LateCursor(() => `cursor ${++made}`);
    expect(made).toBe(0);
    expect(JSON.stringify({ endCursor: late })).toBe('{"endCursor":"cursor 1"}');
  });
});
