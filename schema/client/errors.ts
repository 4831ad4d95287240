// Errors of mutations: data of the payload, each with the path of the input it is about.

/** One entry of `errors`, as an operation selects it. */
export interface InputIssue {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}

/** Outcome of a mutation: its payload, or what is wrong with the input. */
export type Outcome<Payload, Issue> =
  | { readonly ok: true; readonly payload: Payload }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Distinguishes the two. A mutation without a payload failed with an error of the request, which the client library has thrown. */
export function outcomeOf<Issue extends InputIssue, Payload extends { readonly errors: readonly Issue[] }>(
  payload: Payload | null | undefined,
): Outcome<Payload, Payload['errors'][number]> {
  if (!payload) throw new Error('The gateway returned no payload.');
  return payload.errors.length === 0 ? { ok: true, payload } : { ok: false, issues: payload.errors };
}

/** The message for people, with the label of a form's field in the place of the name it begins with: `legalName` is "Legal name" there. */
export const messageFor = ({ message, path }: InputIssue, label: string): string => {
  const field = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
  const spoken = field.replaceAll(/(?<=[a-z0-9])[A-Z]|(?<=[a-z])\d/g, (letter) => ` ${letter.toLowerCase()}`);
  const name = spoken.charAt(0).toUpperCase() + spoken.slice(1);
  return name && message.startsWith(`${name} `) ? label + message.slice(name.length) : message;
};

/** The issues by the fields of a form, each named by its path with dots, such as `address.city`; the others stand under the empty name. */
export function issuesByField<Issue extends InputIssue>(issues: readonly Issue[], fields: readonly string[]): ReadonlyMap<string, Issue[]> {
  const found = new Map<string, Issue[]>();
  for (const issue of issues) {
    const path = issue.path.join('.');
    const field = fields.find((name) => path === name || path.startsWith(`${name}.`)) ?? '';
    found.set(field, [...(found.get(field) ?? []), issue]);
  }
  return found;
}
