// The controls of each step.
import { type ReactNode, useId } from 'react';
import type { InputIssue } from '../../../../../schema/client/errors.ts';
import { described, Labelled } from '../shared/parts.tsx';
import { type Countries, countryOptions, formOptions, type Option, stateOptions, textOf } from './options.ts';
import { type Choices, type StepName, taxField, type Values } from './steps.ts';

/** What a step shows and reports. */
export interface FieldsProps {
  readonly step: StepName;
  readonly values: Values;
  readonly issues: ReadonlyMap<string, readonly InputIssue[]>;
  readonly choices: Choices | undefined;
  readonly countries: Countries;
  readonly onChange: (name: string, value: string) => void;
}

/** What each control reads and reports. */
type Form = Pick<FieldsProps, 'values' | 'issues' | 'onChange'>;
const formOf = ({ values, issues, onChange }: FieldsProps): Form => ({ values, issues, onChange });

type InputProps = Omit<React.InputHTMLAttributes<HTMLInputElement>, 'onChange'> & Form & { name: string; label: string; hint?: ReactNode };

function Input({ name, label, hint, values, issues, onChange, ...rest }: InputProps) {
  const id = useId();
  return (
    <Labelled label={label} id={id} hint={hint} issues={issues.get(name) ?? []}>
      <input
        {...rest}
        {...described(id, hint, issues.get(name))}
        name={name}
        value={values[name] ?? ''}
        onChange={(event) => onChange(name, event.target.value)}
      />
    </Labelled>
  );
}

function Select({
  name,
  label,
  hint,
  options,
  none,
  values,
  issues,
  onChange,
  ...rest
}: {
  name: string;
  label: string;
  hint?: ReactNode;
  options: readonly Option[];
  none: string;
  required?: boolean;
  autoComplete?: string;
} & Form) {
  const id = useId();
  const value = values[name] ?? '';
  // What was saved under another name of the same thing stays as it is.
  const isKnown = value === '' || options.some((option) => option.value === value);
  return (
    <Labelled label={label} id={id} hint={hint} issues={issues.get(name) ?? []}>
      <select
        {...rest}
        {...described(id, hint, issues.get(name))}
        name={name}
        value={value}
        onChange={(event) => onChange(name, event.target.value)}
      >
        <option value="">{none}</option>
        {isKnown ? null : <option value={value}>{textOf(options, value)}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

function CompanyFields(props: FieldsProps) {
  const { countries, choices } = props;
  const form = formOf(props);
  const states = stateOptions(choices);
  const forms = formOptions(choices);
  return (
    <>
      <Select
        {...form}
        name="jurisdiction"
        label="Country"
        none="Choose a country"
        options={countryOptions(countries)}
        required
        autoComplete="country"
      />
      <Input
        {...form}
        name="legalName"
        label="Registered name"
        hint="With its legal suffix, as in the register: Blue Harbor Trading, Inc."
        required
        autoComplete="organization"
      />
      {states.length > 0 ? <Select {...form} name="state" label="State or province" none="Not known, or none" options={states} /> : null}
      {forms.length > 0 ? <Select {...form} name="entityType" label="Legal form" none="Not known" options={forms} /> : null}
    </>
  );
}

function NumberFields(props: FieldsProps) {
  const form = formOf(props);
  if (!props.choices) return null;
  const kinds = props.choices.taxIdKinds ?? [];
  if (kinds.length === 0) return <p>No numbers are known for this country. Continue with the next step.</p>;
  return (
    <>
      {kinds.map(({ type, name, shortName, example }) => (
        <Input
          key={type}
          {...form}
          name={taxField(type)}
          label={shortName}
          hint={`${name}, such as ${example}`}
          autoComplete="off"
          spellCheck={false}
        />
      ))}
    </>
  );
}

function ContactFields(props: FieldsProps) {
  const form = formOf(props);
  const states = stateOptions(props.choices);
  return (
    <>
      <Input {...form} name="address.addressLine1" label="Street and number" autoComplete="address-line1" />
      <Input {...form} name="address.addressLine2" label="Floor or suite" autoComplete="address-line2" />
      <Input {...form} name="address.city" label="City" autoComplete="address-level2" />
      <Input {...form} name="address.postalCode" label="Postal code" autoComplete="postal-code" />
      {states.length > 0 ? (
        <Select
          {...form}
          name="address.state"
          label="State or province of the address"
          none="None"
          options={states}
          autoComplete="address-level1"
        />
      ) : null}
      <Input {...form} name="contactEmail" label="Contact email address" type="email" autoComplete="email" />
      <Input {...form} name="website" label="Website" hint="With https://" inputMode="url" autoComplete="url" />
    </>
  );
}

const steps: Partial<Record<StepName, (props: FieldsProps) => ReactNode>> = {
  company: CompanyFields,
  numbers: NumberFields,
  contact: ContactFields,
};

/** The fields of a step. */
export function Fields(props: FieldsProps) {
  const Step = steps[props.step];
  return Step ? <Step {...props} /> : null;
}
