// The last step: everything that was saved, each part with a way back to it.
import type { ReactNode } from 'react';
import { DocumentList } from './documents.tsx';
import type { CorporationDraftFragment } from './operations.generated.ts';
import { type Countries, countryOptions, formOptions, stateOptions, textOf } from './options.ts';
import { RegistrationList } from './registrations.tsx';
import type { Choices, StepName } from './steps.ts';

function Part({ title, step, onStep, children }: { title: string; step: StepName; onStep: (step: StepName) => void; children: ReactNode }) {
  return (
    <section className="part">
      <h3>{title}</h3>
      <button type="button" className="quiet-button" aria-label={`Change: ${title}`} onClick={() => onStep(step)}>
        Change
      </button>
      {children}
    </section>
  );
}

interface ReviewProps {
  readonly draft: CorporationDraftFragment;
  readonly countries: Countries;
  readonly choices: Choices | undefined;
  readonly onStep: (step: StepName) => void;
}

export function Review({ draft, countries, choices, onStep }: ReviewProps) {
  const { legalName, jurisdiction, state, entityType, taxIds, address, contactEmail, website, registrations, files } = draft;
  const countryName = (code: string): string => textOf(countryOptions(countries), code);
  const stateName = (code: string | null | undefined): string | null => (code ? textOf(stateOptions(choices), code) : null);
  const lines = address
    ? [
        ...[address.addressLine1, address.addressLine2, address.city, address.postalCode],
        // The choices are those of the company's country.
        address.country === jurisdiction ? stateName(address.state) : address.state,
        countryName(address.country),
      ].filter(Boolean)
    : [];
  const place = [stateName(state), countryName(jurisdiction)].filter(Boolean);
  const numberName = (type: string): string =>
    choices?.taxIdKinds?.find((kind) => kind.type === type)?.shortName ?? type.replaceAll('_', ' ');
  return (
    <>
      <Part title="Company" step="company" onStep={onStep}>
        <p>
          {legalName}, {place.join(', ')}
          {entityType ? ` · ${textOf(formOptions(choices), entityType)}` : ''}
        </p>
      </Part>
      <Part title="Tax numbers" step="numbers" onStep={onStep}>
        <p>{taxIds.map(({ type, value }) => `${numberName(type)} ${value}`).join(' · ') || 'None'}</p>
      </Part>
      <Part title="Address and contact" step="contact" onStep={onStep}>
        <p>{lines.join(', ') || 'No address'}</p>
        <p>{[contactEmail, website].filter(Boolean).join(' · ') || 'No contact'}</p>
      </Part>
      <Part title="Registrations" step="registrations" onStep={onStep}>
        <RegistrationList registrations={registrations} />
      </Part>
      <Part title="Documents" step="documents" onStep={onStep}>
        <DocumentList files={files} />
      </Part>
    </>
  );
}
