// The rule that ties state and legal form of a corporation to its country.
import { type Checked, failed } from '../../records/checked.ts';
import { checkChange, type Given } from '../../records/fields.ts';
import { checkLegalForm } from '../entity-forms/entity-type.ts';
import { checkSubdivision } from '../shared/countries.ts';
import { Corporation } from './corporation.ts';

/** Checks a change of a stored corporation: what stays has to fit a new country. */
export const checkCorporationChange = (input: Given<Corporation>, stored: Corporation): Checked<Partial<Corporation>> =>
  checkChange(Corporation, input, stored, (fields, gathering) => {
    const { jurisdiction } = fields;
    if (jurisdiction === undefined || jurisdiction === stored.jurisdiction) return;
    const { state, entityType } = { state: stored.state, entityType: stored.entityType, ...fields };
    const fits = [state && checkSubdivision(jurisdiction, state), entityType && checkLegalForm(jurisdiction, state, entityType)];
    for (const fit of fits) {
      if (!fit || fit.ok) continue;
      gathering.take(failed('jurisdiction', 'MISMATCH', `jurisdiction does not fit what is stored: ${fit.issues[0]!.message}`));
    }
  });
