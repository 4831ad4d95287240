// The step of the registrations: those a corporation holds for sales taxes, each stored when it is added.
import { skipToken, useMutation, useQuery } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { type InputIssue, issuesByField, outcomeOf } from '../../../../../schema/client/errors.ts';
import { wordsOf } from '../shared/format.ts';
import { described, Labelled, Problem, reasonOf } from '../shared/parts.tsx';
import {
  AddRegistrationDocument,
  type CorporationDraftFragment,
  OffersDocument,
  type OffersQuery,
  PlacesDocument,
} from './operations.generated.ts';

export function RegistrationList({ registrations }: Pick<CorporationDraftFragment, 'registrations'>) {
  if (!registrations) return <p className="hint">The registrations could not be read.</p>;
  if (registrations.nodes.length === 0) return <p className="hint">No registration yet.</p>;
  return (
    <ul className="documents">
      {registrations.nodes.map(({ id, jurisdictionName, taxTypes, taxRegistrationId, effectiveStartDate, registrationStatus }) => (
        <li key={id}>
          {jurisdictionName} {taxTypes?.join(', ')} {taxRegistrationId}{' '}
          <span className="hint">
            {effectiveStartDate ? `since ${effectiveStartDate}, ` : ''}
            {wordsOf(registrationStatus).toLowerCase()}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Fields of a registration, by the path that its errors name. */
type Values = Readonly<Record<string, string>>;
const ANSWERS = 'inputValues.';

type Options = NonNullable<OffersQuery['registrationInputOptions']>['options'][number];
type Question = Options['registrations'][number]['inputFields'][number];

const boxes: Partial<Record<Question['type'], string>> = { DATE: 'date', EMAIL: 'email', URL: 'url' };

/** What can be chosen as an answer, with its label; empty where it is typed. */
function choicesOf({ type, options }: Question): (readonly [value: string, words: string])[] {
  if (type === 'BOOLEAN') return Object.entries({ true: 'Yes', false: 'No' });
  return options.map((option) => [option, wordsOf(option)]);
}

/** An answer as its question takes it; other text stays as it is, so that the rejection names it. */
function typed({ type }: Question, text: string): string | number | boolean {
  if (type === 'BOOLEAN') return text === 'true';
  return type === 'INTEGER' && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** The registrations of a corporation, and a form to add one that it holds. */
export function Registrations({ draft }: { draft: CorporationDraftFragment }) {
  const [place, setPlace] = useState('');
  const [content, setContent] = useState('');
  const [values, setValues] = useState<Values>({});
  const [issues, setIssues] = useState<readonly InputIssue[]>([]);
  const [add, { loading }] = useMutation(AddRegistrationDocument);
  // A click that is sent twice stores one registration; the response of a key is kept, so a corrected form needs another.
  const key = useRef(crypto.randomUUID?.());
  const places = useQuery(PlacesDocument, { variables: { country: draft.jurisdiction } });
  const offers = useQuery(OffersDocument, place ? { variables: { place } } : skipToken);
  const unread = [places, offers].filter(({ error }) => error);
  const jurisdictions = places.data?.registrationJurisdictions?.jurisdictions ?? [];
  const registrations = offers.data?.registrationInputOptions?.options[0]?.registrations ?? [];
  const chosen = registrations.find(({ registrationContentId }) => registrationContentId === content) ?? registrations[0];
  const given = (name: string): string | null => values[name]?.trim() || null;
  const answerOf = (one: Question | undefined): unknown => {
    const text = one && given(ANSWERS + one.key);
    return one && text ? typed(one, text) : undefined;
  };
  const all = chosen?.inputFields ?? [];
  const questions = all.filter(
    ({ dependsOn }) => !dependsOn || answerOf(all.find(({ key }) => key === dependsOn.field)) === dependsOn.value,
  );
  const fields = ['registrationContentId', 'taxRegistrationId', 'effectiveStartDate', ...questions.map((one) => ANSWERS + one.key)];
  const byField = issuesByField(issues, fields);
  const change = (name: string, value: string): void => setValues((known) => ({ ...known, [name]: value }));
  const choose = (next: string): void => {
    setPlace(next);
    setContent('');
    setValues({});
    setIssues([]);
  };

  const store = async (): Promise<void> => {
    if (!chosen) return;
    const answers = questions.map((one) => [one.key, answerOf(one)] as const).filter(([, answer]) => answer !== undefined);
    try {
      const { data } = await add({
        variables: {
          input: {
            corporationId: draft.id,
            registrationContentId: chosen.registrationContentId,
            taxTypes: [chosen.taxType],
            taxRegistrationId: given('taxRegistrationId'),
            effectiveStartDate: given('effectiveStartDate'),
            inputValues: Object.fromEntries(answers),
            idempotencyKey: key.current,
          },
        },
      });
      const outcome = outcomeOf(data?.createRegistration);
      if (outcome.ok) choose('');
      else setIssues(outcome.issues);
    } catch (error) {
      setIssues([{ code: '', message: reasonOf(error as Error), path: [] }]);
    }
    key.current = crypto.randomUUID?.();
  };

  const box = (name: string, label: string, hint: string, type: string) => (
    <Labelled key={name} label={label} id={name} hint={hint} issues={byField.get(name) ?? []}>
      <input
        type={type}
        {...described(name, hint, byField.get(name))}
        value={values[name] ?? ''}
        onChange={(event) => change(name, event.target.value)}
      />
    </Labelled>
  );
  return (
    <>
      <RegistrationList registrations={draft.registrations} />
      {(byField.get('') ?? []).length > 0 ? (
        <p className="notice bad" role="alert">
          {byField
            .get('')!
            .map(({ message }) => message)
            .join(' ')}
        </p>
      ) : null}
      <Labelled
        label="Registered in"
        id="place"
        hint="The state or country where it collects sales tax. Leave empty if it is not registered."
      >
        <select {...described('place', 'hint')} value={place} onChange={(event) => choose(event.target.value)}>
          <option value="">Choose a place</option>
          {jurisdictions.map(({ jurisdictionId, name }) => (
            <option key={jurisdictionId} value={jurisdictionId}>
              {name}
            </option>
          ))}
        </select>
      </Labelled>
      {unread.map((query) => (
        <Problem key={query.error!.message} error={query.error!} onRetry={() => void query.refetch()} />
      ))}
      {chosen ? (
        <>
          <Labelled label="Registration" id="registrationContentId" issues={byField.get('registrationContentId') ?? []}>
            <select
              {...described('registrationContentId', '', byField.get('registrationContentId'))}
              value={chosen.registrationContentId}
              onChange={(event) => setContent(event.target.value)}
            >
              {registrations.map(({ registrationContentId, name }) => (
                <option key={registrationContentId} value={registrationContentId}>
                  {name}
                </option>
              ))}
            </select>
          </Labelled>
          {box('taxRegistrationId', 'Number of the registration', 'As its certificate has it.', 'text')}
          {box('effectiveStartDate', 'Registered since', 'The first day of the registration.', 'date')}
          {questions.map((one) => {
            const hint = one.required ? 'Needed.' : 'Not needed.';
            const [name, choices] = [ANSWERS + one.key, choicesOf(one)];
            if (choices.length === 0) return box(name, one.name, hint, boxes[one.type] ?? 'text');
            return (
              <Labelled key={name} label={one.name} id={name} hint={hint} issues={byField.get(name) ?? []}>
                <select
                  {...described(name, hint, byField.get(name))}
                  value={values[name] ?? ''}
                  onChange={(event) => change(name, event.target.value)}
                >
                  <option value="">Choose</option>
                  {choices.map(([value, words]) => (
                    <option key={value} value={value}>
                      {words}
                    </option>
                  ))}
                </select>
              </Labelled>
            );
          })}
          <p>
            <button type="button" disabled={loading} onClick={() => void store()}>
              {loading ? 'Adding …' : 'Add the registration'}
            </button>
          </p>
        </>
      ) : null}
    </>
  );
}
