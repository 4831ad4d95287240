// VIES, the service of the European Commission for numbers for value added tax: its REST interface, POST {url}/check-vat-number.
import { z } from 'zod';
import { callOut } from '../../security/egress.ts';
import { vatLetters } from '../shared/government-identifiers.ts';
import type { AuthorityAnswer, TaxAuthority } from './authority.ts';

/** Longest wait for a response. VIES asks the member state in turn, which may take seconds. */
const TIMEOUT_MS = 10_000;

/** Most bytes of a response that are read; a name and an address have a few hundred. */
const MAX_RESPONSE_BYTES = 20_000;

/** The response to a number. Errors, such as MS_UNAVAILABLE, come in another form. */
const Answer = z.object({
  countryCode: z.string(),
  vatNumber: z.string(),
  valid: z.boolean(),
  name: z.string().max(2_000).nullish(),
  address: z.string().max(2_000).nullish(),
  requestIdentifier: z.string().max(255).nullish(),
});

const UNAVAILABLE: AuthorityAnswer = { state: 'UNAVAILABLE', name: null, address: null, reference: null };

/** VIES writes three hyphens where the member state does not give a name or an address. */
const given = (text: string | null | undefined): string | null => (!text || /^-*$/.test(text.trim()) ? null : text.trim());

function read(body: string, countryCode: string, vatNumber: string): AuthorityAnswer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return UNAVAILABLE;
  }
  const answer = Answer.safeParse(parsed);
  // A response about another number says nothing of this one.
  if (!answer.success || answer.data.countryCode !== countryCode || answer.data.vatNumber !== vatNumber) return UNAVAILABLE;
  const { valid, name, address, requestIdentifier } = answer.data;
  return {
    state: valid ? 'VERIFIED' : 'UNVERIFIED',
    name: given(name),
    address: given(address),
    reference: given(requestIdentifier),
  };
}

/** VIES at an address that the operator names, which may be on a private network. */
export const vies = (url: string, timeoutMs = TIMEOUT_MS): TaxAuthority => ({
  source: 'VIES',
  knows: (type) => vatLetters(type) !== undefined,
  async ask(type, number, signal) {
    const countryCode = vatLetters(type)!;
    // Of the kinds with a prefix only this one keeps it.
    const vatNumber = type === 'GB_XI_VAT' ? number.replace(/^XI/, '') : number;
    const result = await callOut(
      {
        url: `${url.replace(/\/$/, '')}/check-vat-number`,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'ledger-gateway' },
        body: JSON.stringify({ countryCode, vatNumber }),
      },
      { allowPrivate: true, keepBytes: MAX_RESPONSE_BYTES, timeoutMs, ...(signal ? { signal } : {}) },
    );
    return result.kind === 'response' && result.status === 200 ? read(result.bodySnippet, countryCode, vatNumber) : UNAVAILABLE;
  },
});
