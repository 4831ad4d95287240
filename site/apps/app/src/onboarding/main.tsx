// The onboarding wizard: a corporation in six steps. Each step is saved when it is left, so that the wizard can be closed and opened again.
import { skipToken, useMutation, useQuery } from '@apollo/client/react';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type InputIssue as Issue, issuesByField, outcomeOf } from '../../../../../schema/client/errors.ts';
import { useAddress } from '../shared/address.ts';
import { ENDPOINT, gatewayClient } from '../shared/client.ts';
import { namesIn } from '../shared/format.ts';
import { Problem, reasonOf } from '../shared/parts.tsx';
import { type ScreenProps, start } from '../shared/start.tsx';
import { Documents } from './documents.tsx';
import { Fields } from './fields.tsx';
import {
  BeginDocument,
  ChoicesDocument,
  type CorporationDraftFragment,
  OnboardingDocument,
  type OnboardingQueryVariables,
  SaveDocument,
} from './operations.generated.ts';
import type { Countries } from './options.ts';
import { Registrations } from './registrations.tsx';
import { Review } from './review.tsx';
import { type Choices, fieldIssue, fieldsOf, inputOf, STEPS, type StepName, taxIdsOf, type Values, valuesOf } from './steps.ts';

/** A key that a browser makes for one attempt, so that a click that is sent twice makes one corporation. */
const newKey = (): string => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

/** Saves a step; returns the corporation, or what is wrong. */
function useSave(draft: CorporationDraftFragment | undefined, first: OnboardingQueryVariables) {
  const [begin, beginning] = useMutation(BeginDocument, {
    update: (cache, { data }) => {
      const made = data?.createCorporation?.corporation;
      if (!made) return;
      // The list of what was begun.
      cache.updateQuery({ query: OnboardingDocument, variables: first }, (known) =>
        known?.corporations ? { ...known, corporations: { ...known.corporations, nodes: [made, ...known.corporations.nodes] } } : known,
      );
    },
  });
  const [save, saving] = useMutation(SaveDocument);
  const key = useRef(newKey());
  const send = async (step: StepName, values: Values, choices: Choices | undefined) => {
    const input = inputOf(step, values, choices);
    if (draft) {
      const { data } = await save({ variables: { input: { ...input, id: draft.id, ifMatch: draft.etag } } });
      return outcomeOf<Issue, NonNullable<NonNullable<typeof data>['updateCorporation']>>(data?.updateCorporation);
    }
    const { jurisdiction, legalName, ...rest } = input;
    const { data } = await begin({
      variables: { input: { ...rest, jurisdiction: jurisdiction ?? '', legalName: legalName ?? '', idempotencyKey: key.current } },
    });
    const outcome = outcomeOf<Issue, NonNullable<NonNullable<typeof data>['createCorporation']>>(data?.createCorporation);
    // The response of a key is kept, so a corrected form needs another.
    key.current = newKey();
    return outcome;
  };
  return { send, isSaving: beginning.loading || saving.loading };
}

interface WizardProps {
  /** The variables of the first query, which lists what was begun. */
  readonly first: OnboardingQueryVariables;
  readonly draft: CorporationDraftFragment | undefined;
  readonly countries: Countries;
  readonly step: StepName;
  readonly onStep: (step: StepName, saved?: CorporationDraftFragment) => void;
  readonly onReadAgain: () => void;
}

function Wizard({ first, draft, countries, step, onStep, onReadAgain }: WizardProps) {
  const [values, setValues] = useState<Values>(() => valuesOf(draft));
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { send, isSaving } = useSave(draft, first);
  const country = values.jurisdiction;
  const asked = useQuery(ChoicesDocument, country ? { variables: { country, state: values.state || null } } : skipToken);
  const choices = country && !asked.error ? (asked.data ?? asked.previousData) : undefined;
  const byField = issuesByField(issues, fieldsOf(step, choices));
  const index = STEPS.findIndex(({ name }) => name === step);
  const isFirst = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the step is what it waits for.
  useEffect(() => {
    setIssues([]);
    // A step that follows another is announced by its heading.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [step]);
  useEffect(() => {
    if (issues.length > 0)
      (form.current?.querySelector<HTMLElement>('[aria-invalid]') ?? form.current?.querySelector<HTMLElement>('[role="alert"]'))?.focus();
  }, [issues]);

  const change = (name: string, value: string): void => {
    setIssues((known) => known.filter(({ path }) => !`${path.join('.')}.`.startsWith(`${name}.`)));
    // A state and a legal form are those of a country.
    setValues((known) => ({ ...known, ...(name === 'jurisdiction' ? { state: '', entityType: '' } : {}), [name]: value }));
  };
  const saved = valuesOf(draft);
  const isChanged = fieldsOf(step, choices).some((name) => (values[name] ?? '') !== (saved[name] ?? ''));
  /** Leaves the step; what was changed in it is saved first, and stays to be corrected when it is rejected. */
  const leave = async (next: StepName): Promise<void> => {
    if (draft && !isChanged) return onStep(next);
    try {
      const outcome = await send(step, values, choices);
      if (outcome.ok && outcome.payload.corporation) onStep(next, outcome.payload.corporation);
      else if (!outcome.ok) {
        const sent = taxIdsOf(values, choices);
        setIssues(outcome.issues.map((issue) => fieldIssue(issue, sent)));
      }
    } catch (error) {
      setIssues([{ code: '', message: reasonOf(error as Error), path: [] }]);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const next = STEPS[index + 1];
    if (next) void leave(next.name);
  };
  const others = byField.get('') ?? [];
  const isStale = others.some(({ code }) => code === 'STALE_RECORD');
  return (
    <form className="panel wizard" ref={form} noValidate onSubmit={submit}>
      <ol className="steps">
        {STEPS.map(({ name, title }, at) => (
          <li key={name}>
            <button
              type="button"
              aria-current={name === step ? 'step' : undefined}
              disabled={!draft && at > 0}
              onClick={() => void leave(name)}
            >
              <span aria-hidden="true">{at + 1}</span> {title}
            </button>
          </li>
        ))}
      </ol>
      <h2 ref={heading} tabIndex={-1}>
        {STEPS[index]!.title}{' '}
        <small>
          step {index + 1} of {STEPS.length}
        </small>
      </h2>
      {others.length > 0 ? (
        <div className="notice bad" role="alert" tabIndex={-1}>
          <p>{isStale ? 'Someone else has changed this company in the meantime.' : others.map(({ message }) => message).join(' ')}</p>
          {isStale ? (
            <button type="button" onClick={onReadAgain}>
              Read it again
            </button>
          ) : null}
        </div>
      ) : null}
      {byField.size > 0 && others.length === 0 ? (
        <p className="notice bad" role="alert">
          {issues.length === 1 ? 'One field needs' : `${issues.length} fields need`} another look.
        </p>
      ) : null}
      {asked.error ? <Problem error={asked.error} onRetry={() => void asked.refetch()} /> : null}
      <Fields step={step} values={values} issues={byField} choices={choices} countries={countries} onChange={change} />
      {draft && step === 'registrations' ? <Registrations draft={draft} /> : null}
      {draft && step === 'documents' ? <Documents draft={draft} /> : null}
      {draft && step === 'review' ? <Review draft={draft} countries={countries} choices={choices} onStep={onStep} /> : null}
      {step === 'review' ? (
        <p className="notice good">All of this is saved. You can close this page and come back to it.</p>
      ) : (
        <p className="actions">
          {index > 0 ? (
            <button type="button" onClick={() => void leave(STEPS[index - 1]!.name)}>
              Back
            </button>
          ) : null}
          <button type="submit" className="primary" disabled={isSaving}>
            {isSaving ? 'Saving …' : step === 'documents' ? 'Review' : 'Save and continue'}
          </button>
        </p>
      )}
    </form>
  );
}

function Onboarding({ onOtherKey }: ScreenProps) {
  const [address, change] = useAddress();
  // The country in the address lets the choices of a saved step come with the first response.
  const [began] = useState(() => ({
    country: address.get('country') ?? 'US',
    state: address.get('state'),
    hasCountry: address.has('country'),
  }));
  const { data, error, refetch } = useQuery(OnboardingDocument, { variables: began });
  // A wizard that was begun stays the same one when its first step is saved.
  const [round, setRound] = useState(0);
  const drafts = data?.corporations?.nodes ?? [];
  const nameOf = namesIn(
    drafts,
    ({ legalName }) => legalName,
    ({ id }) => id,
  );
  const draft = drafts.find(({ id }) => id === address.get('corporation'));
  const asked = STEPS.find(({ name }) => name === address.get('step'))?.name ?? 'company';
  const step = draft ? asked : 'company';
  const open = (other: CorporationDraftFragment | undefined): void => {
    change({
      corporation: other?.id ?? null,
      country: other?.jurisdiction ?? null,
      state: other?.state ?? null,
      step: other ? 'review' : null,
    });
    setRound((last) => last + 1);
  };
  const goTo: WizardProps['onStep'] = (next, saved = draft) =>
    change({ step: next, corporation: saved?.id ?? null, country: saved?.jurisdiction ?? null, state: saved?.state ?? null });

  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} onOtherKey={onOtherKey} />;
  return (
    <div className="split wizard-first">
      {data ? (
        <Wizard
          key={round}
          first={began}
          draft={draft}
          countries={data.countries ?? []}
          step={step}
          onStep={goTo}
          onReadAgain={() => void refetch().then(() => setRound((last) => last + 1))}
        />
      ) : (
        <p className="panel" role="status">
          Reading …
        </p>
      )}
      <nav className="panel drafts" aria-label="Companies">
        <h2>Companies</h2>
        <button type="button" className="primary" onClick={() => open(undefined)}>
          New company
        </button>
        <ul>
          {drafts.map((other) => (
            <li key={other.id}>
              <button type="button" aria-current={other.id === draft?.id || undefined} onClick={() => open(other)}>
                {nameOf(other)} <span className="hint">{[other.jurisdiction, other.state].filter(Boolean).join('-')}</span>
              </button>
            </li>
          ))}
        </ul>
        <button type="button" className="quiet-button" onClick={onOtherKey}>
          Change key
        </button>
      </nav>
    </div>
  );
}

/** Forms of several parts need a header that pages of other origins cannot send unasked. */
const UPLOADS = { 'apollo-require-preflight': 'true' };

start(Onboarding, () => gatewayClient(new UploadHttpLink({ uri: ENDPOINT, headers: UPLOADS })));
