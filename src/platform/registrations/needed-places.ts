// Where sales are made, as jurisdictions of the content, and which registrations a corporation holds.
import type { ReadScope, Services } from '../../access/context.ts';
import { isAssignedCountry, isSubdivision } from '../shared/countries.ts';
import { today } from '../shared/dates.ts';
import type { Content } from './content-resolver.ts';
import { shownRegistrationStatus } from './dates.ts';
import type { PlacedSale } from './needed.ts';
import { Registration } from './registration.ts';

/** Most registrations of a corporation that count; it has one for each entry at most. */
const MAX_HELD = 1_000;

const CODE = /^([A-Z]{2})(?:-([A-Z0-9]{1,3}))?$/;

/**
 * The jurisdictions around a place, from the narrowest to the widest. The place is the id of one or an ISO 3166 code, and anything else gives
 * undefined. A place without registrations has those of its country, or none.
 */
export function jurisdictionsAround({ jurisdictions }: Content, given: string): Pick<PlacedSale, 'within' | 'country'> | undefined {
  const [, country, subdivision] = CODE.exec(given) ?? [];
  const known = country ? isAssignedCountry(country) && (!subdivision || isSubdivision(country, subdivision)) : jurisdictions.has(given);
  if (!known) return undefined;
  const named = country ? [`JUR_${country}_${subdivision}`, `JUR_${country}`] : [given];
  const start = named.find((id) => jurisdictions.has(id));
  const within: string[] = [];
  for (let id: string | null = start ?? null; id !== null; id = jurisdictions.get(id)!.parentJurisdictionId) within.push(id);
  return { within, country: country ?? jurisdictions.get(start!)!.country ?? '' };
}

/** The content ids of the registrations that a corporation has or has asked for. */
export async function heldBy({ reader, clock }: Services, scope: ReadScope, corporationId: string): Promise<Set<string>> {
  const select = ['registrationContentId', 'storedStatus', 'effectiveStartDate', 'effectiveEndDate'] as const;
  const rows = await reader.find(Registration, { where: { corporationId }, limit: MAX_HELD }, select, scope);
  const day = today(clock);
  const inForce = rows.filter((row) => !['CLOSED', 'REJECTED'].includes(shownRegistrationStatus(row, day)));
  return new Set(inForce.map((row) => row.registrationContentId));
}
