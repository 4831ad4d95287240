// The right side: the response with its measures, the messages of subscriptions, and the operation as a program.
import { useState } from 'preact/hooks';
import { copyText } from '../copy.ts';
import type { MappedOperation } from '../map.ts';
import { Choices } from './choices.tsx';
import { Editor, plainLanguage, responseLanguage } from './editor.tsx';
import type { OperationResponse } from './run.ts';
import { SNIPPET_FORMS, type SnippetSource, snippetOf } from './snippets.ts';
import type { Streams } from './streams.ts';

const COPIED_FOR_MS = 1600;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    setCopied(await copyText(text));
    setTimeout(() => setCopied(false), COPIED_FOR_MS);
  };
  return (
    <button type="button" class="plain" onClick={() => void copy()}>
      {copied ? 'Copied' : label}
    </button>
  );
}

const size = (bytes: number): string => (bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`);

/** The measures of a response as text. */
function measures({ status, milliseconds, bytes, bytesSent, usage }: OperationResponse): [name: string, value: string, title: string][] {
  if (status === 0) return [];
  const compressed = bytesSent && bytesSent < bytes ? `${size(bytesSent)} of ${size(bytes)}` : size(bytes);
  return [
    ['Status', String(status), 'HTTP status'],
    ['Time', `${milliseconds} ms`, 'From the request to the last byte'],
    ...(usage
      ? ([
          ['Gateway', `${usage.milliseconds.toFixed(1)} ms`, 'Time in the gateway'],
          ['Cost', `${usage.cost} of ${usage.costLimit}`, 'Price of the operation, and the most it may be'],
          ['Statements', String(usage.statements), 'Statements sent to the database'],
        ] as [string, string, string][])
      : []),
    ['Bytes', compressed, 'Over the wire, and of the text'],
    ...(usage && usage.requestsLeft !== null
      ? ([['Left', `${usage.requestsLeft} of ${usage.requestsLimit}`, 'Requests left of your allowance']] as [string, string, string][])
      : []),
  ];
}

export function ResponseView({
  response,
  isRunning,
  nonce,
}: {
  response: OperationResponse | undefined;
  isRunning: boolean;
  nonce: string;
}) {
  return (
    <div class="response">
      <div class="measures" role="status" data-errors={response?.hasErrors ?? false}>
        {isRunning ? <p>Running</p> : response ? null : <p>Run an operation to see its response here.</p>}
        {response && !isRunning ? (
          <dl>
            {measures(response).map(([name, value, title]) => (
              <div key={name} title={title}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        ) : null}
      </div>
      <Editor label="Response" nonce={nonce} text={response?.text ?? ''} language={responseLanguage} />
    </div>
  );
}

export function Messages({ streams }: { streams: Streams }) {
  if (streams.all.length === 0) return <p class="hint">Run a subscription: its messages stand here while you run other operations.</p>;
  return (
    <div class="messages">
      <button type="button" class="plain" onClick={streams.clear}>
        Clear what has ended
      </button>
      {streams.all.map(({ id, name, end, messages, heard }) => (
        <section key={id} aria-label={name} data-live={!end}>
          <h2>
            {name} <span role="status">{`${heard} ${heard === 1 ? 'message' : 'messages'}, ${end || 'listening'}`}</span>
            {end ? null : (
              <button type="button" class="plain" onClick={() => streams.stop(id)}>
                Stop
              </button>
            )}
          </h2>
          {messages.map(({ number, at, text }, index) => (
            <details key={number} open={index === 0}>
              <summary>
                {number}. {new Date(at).toLocaleTimeString()}
              </summary>
              <pre>{text}</pre>
            </details>
          ))}
        </section>
      ))}
    </div>
  );
}

export function Snippets({ source, storedKey, nonce }: { source: Omit<SnippetSource, 'key'>; storedKey: string; nonce: string }) {
  const [form, setForm] = useState<(typeof SNIPPET_FORMS)[number]>('curl');
  const [withKey, setWithKey] = useState(false);
  const text = snippetOf(form, { ...source, ...(withKey && storedKey ? { key: storedKey } : {}) });
  return (
    <div class="snippets">
      <Choices label="Form" options={SNIPPET_FORMS} chosen={form} choose={setForm} />
      <p class="row-of">
        <label>
          <input type="checkbox" checked={withKey} onChange={(event) => setWithKey(event.currentTarget.checked)} /> With my key
        </label>
        <span class="hint">{withKey ? 'Do not pass it on.' : 'Reads the key from KEY in the environment.'}</span>
        <CopyButton text={text} label="Copy" />
      </p>
      <div class="code">
        <Editor key={form} label={`The operation with ${form}`} nonce={nonce} text={text} language={plainLanguage} />
      </div>
    </div>
  );
}

export function RestCounterpart({ counterpart }: { counterpart: MappedOperation | undefined }) {
  if (!counterpart) return null;
  return (
    <section class="rest-counterpart" aria-label="The same operation as REST">
      <p>
        <span>As REST</span>
        <code>
          <b data-method={counterpart.method}>{counterpart.method}</b> {counterpart.path}
        </code>
        <a href={counterpart.docs}>Docs</a>
        <CopyButton text={counterpart.curl} label="Copy curl" />
      </p>
      <details>
        <summary>Show curl</summary>
        <textarea readOnly aria-label="curl command" rows={counterpart.curl.split('\n').length} value={counterpart.curl} />
      </details>
    </section>
  );
}
