// Starts an application: asks for a key where the page has none, and makes a client with it.
import type { ApolloClient } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { type FormEvent, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import './apps.css';
import { forgetKey, hasKey, keepKey } from './key.ts';

function AskForKey({ onKey }: { onKey: (key: string) => void }) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key')).trim();
    if (key) onKey(key);
  };
  return (
    <form className="panel ask" onSubmit={submit}>
      <h2>Which key?</h2>
      <p className="hint" id="key-hint">
        A key of your organisation. It stays in this tab and is forgotten when the tab is closed.
      </p>
      <div className="field">
        <label htmlFor="key">Key</label>
        <input id="key" name="key" type="password" autoComplete="off" spellCheck={false} required aria-describedby="key-hint" />
      </div>
      <p className="actions">
        <button type="submit" className="primary">
          Open
        </button>
      </p>
    </form>
  );
}

/** What an application gets: a way back to the question for the key. */
export interface ScreenProps {
  readonly onOtherKey: () => void;
}

function Application({
  Screen,
  makeClient,
  demoKey,
}: {
  Screen: (props: ScreenProps) => React.ReactNode;
  makeClient: () => ApolloClient;
  demoKey: string | undefined;
}) {
  const [client, setClient] = useState(() => (hasKey(demoKey) ? makeClient() : undefined));
  if (!client) {
    const begin = (key: string): void => {
      keepKey(key);
      setClient(makeClient());
    };
    return <AskForKey onKey={begin} />;
  }
  const ask = (): void => {
    client.stop();
    forgetKey();
    setClient(undefined);
  };
  return (
    <ApolloProvider client={client}>
      <Screen onOtherKey={ask} />
    </ApolloProvider>
  );
}

/** Shows a screen in the element `app` of the page. */
export function start(Screen: (props: ScreenProps) => React.ReactNode, makeClient: () => ApolloClient): void {
  const root = document.getElementById('app')!;
  createRoot(root).render(
    <StrictMode>
      <Application Screen={Screen} makeClient={makeClient} demoKey={root.dataset.key} />
    </StrictMode>,
  );
}
