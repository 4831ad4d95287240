// Opening an operation: from the list, or from the address (`#operation=<id>`, or `?query=&variables=` as in GraphQL over HTTP).
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useRef } from 'react';
import type { OperationMap } from './map.ts';

export interface Openable {
  document: string;
  variables: Record<string, unknown> | string;
}

/** Returns a function that shows an operation, in the current tab when that is empty, otherwise in a new one. */
export function useOpen(): (operation: Openable) => void {
  const { addTab } = useGraphiQLActions();
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  return ({ document, variables }) => {
    if (queryEditor?.getValue().trim() && queryEditor.getValue().trim() !== document.trim()) addTab();
    queryEditor?.setValue(document);
    variableEditor?.setValue(
      typeof variables === 'string' ? variables : Object.keys(variables).length ? JSON.stringify(variables, null, 2) : '',
    );
  };
}

function fromAddress(map: OperationMap): Openable | undefined {
  const name = new URLSearchParams(location.hash.slice(1)).get('operation');
  if (name) return [...map.operations.filter(({ id }) => id === name), ...map.examples.filter((example) => example.name === name)][0];
  const query = new URLSearchParams(location.search);
  const document = query.get('query');
  return document ? { document, variables: query.get('variables') ?? {} } : undefined;
}

export function OpenFromAddress({ map }: { map: OperationMap }) {
  const ready = useGraphiQL((state) => Boolean(state.queryEditor && state.variableEditor));
  const open = useOpen();
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    if (!ready) return;
    const follow = () => {
      const operation = fromAddress(map);
      // The address is used once: a reload must not undo what was typed since.
      if (operation) {
        latest.current(operation);
        history.replaceState(null, '', location.pathname);
      }
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [ready, map]);
  return null;
}
