// Checks a message that was received, as a receiver does: in this page, nothing is sent.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Webhook } from 'standardwebhooks';

/** Older messages are rejected by receivers. */
const TOLERANCE_SECONDS = 300;

interface Verdict {
  readonly isGood: boolean;
  readonly text: string;
}

function verdictOf({ id, timestamp, signature, body, secret }: Record<string, string>): Verdict {
  const bad = (text: string): Verdict => ({ isGood: false, text });
  const seconds = Number(timestamp);
  if (!id || !timestamp || !signature || !body || !secret) return bad('All five are needed.');
  if (!Number.isInteger(seconds)) return bad('The timestamp is a number of seconds since 1970.');
  let expected: string;
  try {
    expected = new Webhook(secret).sign(id, new Date(seconds * 1_000), body);
  } catch {
    return bad('The secret is not one of a webhook: it is whsec_ and base64.');
  }
  if (!signature.split(/\s+/).includes(expected))
    return bad('The signature is wrong: another secret, or id, timestamp or body were changed.');
  const age = Math.round(Date.now() / 1_000 - seconds);
  const isOld = Math.abs(age) > TOLERANCE_SECONDS;
  return {
    isGood: true,
    text: isOld
      ? `The signature is right. A receiver would reject it now, because it is ${age} seconds old.`
      : 'The signature is right, and the message is fresh.',
  };
}

const FIELDS = [
  { name: 'id', label: 'webhook-id' },
  { name: 'timestamp', label: 'webhook-timestamp' },
  { name: 'signature', label: 'webhook-signature' },
] as const;

/** The form; a secret that was just made is filled in. */
export function Verify({ secret }: { secret: string }) {
  const [verdict, setVerdict] = useState<Verdict>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (secret && field.current) field.current.value = secret;
  }, [secret]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    // The lines of a body count as they are; the others may be pasted with spaces around them.
    setVerdict(
      verdictOf(Object.fromEntries([...given].map(([name, value]) => [name, name === 'body' ? String(value) : String(value).trim()]))),
    );
  };
  return (
    <form className="verify" onSubmit={submit}>
      <p className="hint">Paste the headers and the body of a message as they arrived. They stay in this page.</p>
      {FIELDS.map(({ name, label }) => (
        <div className="field" key={name}>
          <label htmlFor={`verify-${name}`}>{label}</label>
          <input id={`verify-${name}`} name={name} autoComplete="off" spellCheck={false} />
        </div>
      ))}
      <div className="field">
        <label htmlFor="verify-body">Body</label>
        <textarea id="verify-body" name="body" rows={4} spellCheck={false} />
      </div>
      <div className="field">
        <label htmlFor="verify-secret">Secret</label>
        <input id="verify-secret" name="secret" type="password" autoComplete="off" ref={field} />
      </div>
      <p className="actions">
        <button type="submit">Verify</button>
      </p>
      {verdict ? (
        <p className={`notice ${verdict.isGood ? 'good' : 'bad'}`} role="status">
          {verdict.text}
        </p>
      ) : null}
    </form>
  );
}
