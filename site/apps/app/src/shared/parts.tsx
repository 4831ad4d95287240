// Parts of every screen: what went wrong, a mark of liveness, messages that are read aloud.
import { CombinedGraphQLErrors, ServerError } from '@apollo/client';
import type { ReactNode } from 'react';
import { type InputIssue as Issue, messageFor } from '../../../../../schema/client/errors.ts';
import { useIsLive } from './live.ts';

/** Whether the key is the reason: none, or one that may not do this. */
const isAboutKey = (error: unknown): boolean =>
  ServerError.is(error)
    ? [401, 403].includes(error.statusCode)
    : CombinedGraphQLErrors.is(error) &&
      error.errors.some(({ extensions }) => ['UNAUTHENTICATED', 'FORBIDDEN'].includes(String(extensions?.code)));

/** What the gateway says of a request that it rejected; a link has its status alone. */
export function reasonOf(error: Error): string {
  if (!ServerError.is(error)) return error.message;
  try {
    return (JSON.parse(error.bodyText) as { errors: { message: string }[] }).errors[0]!.message;
  } catch {
    return error.message;
  }
}

/** What went wrong, and a way to try again, or with another key. */
export function Problem({ error, onRetry, onOtherKey }: { error: Error; onRetry?: () => void; onOtherKey?: () => void }) {
  const isKey = isAboutKey(error) && onOtherKey !== undefined;
  const again = isKey ? onOtherKey : onRetry;
  return (
    <div className="notice bad" role="alert">
      <p>
        <strong>{isKey ? 'This key does not open it.' : 'This could not be read.'}</strong> {isKey ? '' : reasonOf(error)}
      </p>
      {again ? (
        <button type="button" onClick={again}>
          {isKey ? 'Use a different key' : 'Try again'}
        </button>
      ) : null}
    </div>
  );
}

/** Says whether changes arrive by themselves. */
export function LiveMark() {
  const isLive = useIsLive();
  return (
    <p className="live" data-live={isLive} role="status">
      {isLive ? 'Live' : 'Connecting'}
    </p>
  );
}

/** One label above a control, the hint and the issues below it. */
export function Labelled({
  label,
  id,
  hint,
  issues = [],
  children,
}: {
  label: string;
  id: string;
  hint?: ReactNode;
  issues?: readonly Issue[];
  children: ReactNode;
}) {
  return (
    <div className="field" data-invalid={issues.length > 0}>
      <label htmlFor={id}>{label}</label>
      {children}
      {hint ? (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {issues.length > 0 ? (
        <p className="issue" id={`${id}-issue`}>
          {issues.map((issue) => messageFor(issue, label)).join(' ')}
        </p>
      ) : null}
    </div>
  );
}

/** The attributes that tie a control to its hint and its issues. */
export const described = (id: string, hint: unknown, issues: readonly unknown[] = []) => ({
  id,
  'aria-invalid': issues.length > 0 || undefined,
  'aria-describedby': [hint ? `${id}-hint` : '', issues.length > 0 ? `${id}-issue` : ''].filter(Boolean).join(' ') || undefined,
});
