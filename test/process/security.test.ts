// Key values, signatures, signed links and sealed secrets, as functions. The expected texts were made with Python: hashlib, hmac, zlib, cryptography.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { hashOf, isKeyValue, keyValueFrom, newKeyValue, previewOf } from '../../src/security/key-values.ts';
import { createSecretBox, isSealed } from '../../src/security/secret-box.ts';
import { checkLink, linksStayHere, localOrigin, publicOrigin, signedLink } from '../../src/security/signed-urls.ts';
import { Signer } from '../../src/security/signer.ts';

const SECRET = 'a signing secret of some length';

describe('key values', () => {
  it.each([
    [Buffer.from(Array.from({ length: 32 }, (_, index) => index + 1)), 'ent_0Eoh211G4c8wtVWM00my5rsNSFlKgaWqQ4mb8gdEqno0NJKKY'],
    [Buffer.alloc(32), 'ent_00000000000000000000000000000000000000000002xTz8P'],
    [Buffer.alloc(32, 0xff), 'ent_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp10BSEcv'],
  ])('32 bytes are 43 digits and a checksum of 6', (bytes, value) => {
    expect(keyValueFrom(bytes)).toBe(value);
    expect(isKeyValue(value)).toBe(true);
  });

  it('a value with another character, one less, one more or another prefix is none', () => {
    const value = newKeyValue();
    expect(isKeyValue(value)).toBe(true);
    expect(newKeyValue()).not.toBe(value);
    for (let at = 0; at < value.length; at++)
      for (const other of ['', '-', value[at] === 'a' ? 'b' : 'a'])
        expect(isKeyValue(value.slice(0, at) + other + value.slice(at + 1))).toBe(false);
    for (const text of [`${value}0`, `${value.slice(0, -6)}x${value.slice(-6)}`, ` ${value}`, `${value}\n`, `x${value}`, ''])
      expect(isKeyValue(text)).toBe(false);
  });

  it('what is stored is SHA-256, and a preview shows eight characters and four', () => {
    expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(previewOf('ent_0Eoh211G4c8wtVWM00my5rsNSFlKgaWqQ4mb8gdEqno0NJKKY')).toBe('ent_0Eoh…JKKY');
  });
});

describe('signer', () => {
  const signer = new Signer(SECRET);

  it('a signature is the first 16 bytes of HMAC-SHA256 under a key of its purpose', () => {
    // The second call has the key at hand.
    for (let call = 0; call < 2; call++) expect(signer.sign('link', '/files/1 1772359290')).toBe('lVdC7jeWy-X2_LtDXYkhUw');
  });

  it('a signature is good for its purpose, its payload and its secret alone', () => {
    const signature = signer.sign('link', 'one');
    expect(signer.verify('link', 'one', signature)).toBe(true);
    expect(signer.verify('cursor', 'one', signature)).toBe(false);
    expect(signer.verify('link', 'two', signature)).toBe(false);
    expect(new Signer('another signing secret').verify('link', 'one', signature)).toBe(false);
    for (const text of ['', signature.slice(1), `${signature}A`, signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))])
      expect(signer.verify('link', 'one', text)).toBe(false);
  });
});

describe('signed links', () => {
  const config = { ...readConfig({}), publicUrl: 'https://gateway.example' };
  const at = (time: string) => ({ config, signer: new Signer(SECRET), clock: { now: () => new Date(time) } });
  const queryOf = (link: string): Map<string, string> => new Map(new URL(link).searchParams);
  const link = signedLink(at('2026-03-01T10:00:00.001Z'), '/files/1', 89_000);

  it('a link names the second after its end, and what signs it', () => {
    expect(link).toBe('https://gateway.example/files/1?expires=1772359290&signature=lVdC7jeWy-X2_LtDXYkhUw');
  });

  it('a link is good up to that second, and expired after it', () => {
    for (const time of ['2026-03-01T10:00:00Z', '2026-03-01T10:01:30.000Z'])
      expect(checkLink(at(time), '/files/1', queryOf(link))).toBe('good');
    expect(checkLink(at('2026-03-01T10:01:30.001Z'), '/files/1', queryOf(link))).toBe('expired');
  });

  it('a link to another path, with another end or without a member is wrong', () => {
    const query = queryOf(link);
    const now = at('2026-03-01T10:00:00Z');
    expect(checkLink(now, '/files/2', query)).toBe('wrong');
    for (const [name, value] of [
      ['expires', '1772359291'],
      ['expires', '01772359290'],
      ['expires', 'x'],
      ['expires', '1772359290 '],
      ['signature', 'lVdC7jeWy-X2_LtDXYkhUA'],
    ] as const)
      expect(checkLink(now, '/files/1', new Map([...query, [name, value]]))).toBe('wrong');
    for (const name of ['expires', 'signature'])
      expect(checkLink(now, '/files/1', new Map([...query].filter(([key]) => key !== name)))).toBe('wrong');
  });

  it('an end of more than 12 digits is wrong, also when it is signed', () => {
    for (const [expires, outcome] of [
      ['999999999999', 'good'],
      ['9999999999999', 'wrong'],
    ] as const) {
      const signature = new Signer(SECRET).sign('link', `/files/1 ${expires}`);
      const query = new Map(Object.entries({ expires, signature }));
      expect(checkLink(at('2026-03-01T10:00:00Z'), '/files/1', query)).toBe(outcome);
    }
  });

  it.each([
    ['0.0.0.0', 'http://localhost:4000', true],
    ['0', 'http://localhost:4000', true],
    ['::', 'http://localhost:4000', true],
    ['::0', 'http://localhost:4000', true],
    ['127.0.0.1', 'http://127.0.0.1:4000', false],
    ['::1', 'http://[::1]:4000', false],
    ['gateway.example', 'http://gateway.example:4000', false],
    ['not a host', 'http://not a host:4000', false],
  ])('a gateway on HOST=%j is at %s', (host, origin, staysHere) => {
    const local = { ...config, host, port: 4_000, publicUrl: undefined };
    expect(localOrigin(local)).toBe(origin);
    expect(publicOrigin(local)).toBe(origin);
    expect(publicOrigin({ ...local, publicUrl: 'https://gateway.example' })).toBe('https://gateway.example');
    expect(linksStayHere(local)).toBe(staysHere);
    expect(linksStayHere({ ...local, publicUrl: 'https://gateway.example' })).toBe(false);
  });
});

describe('sealed secrets', () => {
  const [FIRST, SECOND] = ['a sealing secret of some length', 'another sealing secret'];

  it('the first sealing secret seals, and all open what they sealed', () => {
    const old = createSecretBox(SECRET, [SECOND]);
    const box = createSecretBox(SECRET, [FIRST, SECOND]);
    expect(box.prefix).toBe('v2.060Y1_tj.');
    expect(createSecretBox(SECRET).prefix).toBe('v1.');
    for (const one of [createSecretBox(SECRET), old, box]) {
      const sealed = one.seal('a secret', 'row 1');
      expect(sealed.startsWith(one.prefix)).toBe(true);
      expect(box.open(sealed, 'row 1')).toBe('a secret');
    }
    expect(() => old.open(box.seal('a secret', 'row 1'), 'row 1')).toThrow('is not among those of SEALING_SECRETS');
  });

  it('what is stored opens: AES-256-GCM with a key of its form, its owner as the additional data', () => {
    const box = createSecretBox(SECRET, [FIRST]);
    expect(box.open('v1.AAECAwQFBgcICQoLhlFLaKeBk2Rdz-dypHbrMiays5XjVcE', 'row 1')).toBe('Zürich');
    expect(box.open('v2.060Y1_tj.AAECAwQFBgcICQoLtNv17ovfoi9CCCD-987ZpQap8eYb7mA', 'row 1')).toBe('Zürich');
  });

  it('the signing secret seals in its first form, wherever it is in the list', () => {
    expect(createSecretBox(SECRET, [SECRET]).prefix).toBe('v1.');
    expect(createSecretBox(SECRET).open(createSecretBox(SECRET, [SECRET]).seal('a secret', 'row 1'), 'row 1')).toBe('a secret');
  });

  it('a signing secret of 16 characters is long enough, and an empty text can be sealed', () => {
    const box = createSecretBox('x'.repeat(16));
    expect(box.open(box.seal('', 'row 1'), 'row 1')).toBe('');
    expect(() => createSecretBox('x'.repeat(15))).toThrow('SIGNING_SECRET must have at least 16 characters');
  });

  it('no text is taken for a sealed one unless it begins as those do', () => {
    for (const box of [createSecretBox(SECRET), createSecretBox(SECRET, [FIRST])]) expect(isSealed(box.seal('a', 'row 1'))).toBe(true);
    for (const text of ['v1', ' v1.', 'v3.', 'v2.', 'v2.1234567.', 'v2.123456789.', 'v2.1234567+.', '{"v1.":1}'])
      expect(isSealed(text)).toBe(false);
    fc.assert(fc.property(fc.json(), (text) => !isSealed(text)));
  });
});
