// One mutation of a button or a form: whether it runs, and what was wrong with it.
import type { TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { type InputIssue, outcomeOf } from '../../../../../schema/client/errors.ts';
import { reasonOf } from '../shared/parts.tsx';
import type { IssueFragment } from './operations.generated.ts';

/** An issue, or an error of the request, which has no path. */
export type Issue = InputIssue;

interface MutationPayload {
  readonly errors: readonly IssueFragment[];
}

/** Runs mutations one at a time; `run` returns the payload, or undefined when something was wrong. */
export function useAction() {
  const client = useApolloClient();
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const [isRunning, setRunning] = useState(false);
  const run = async <Data extends Record<string, unknown>, Input, Payload extends MutationPayload>(
    mutation: TypedDocumentNode<Data, { readonly input: Input }>,
    input: Input,
    payloadOf: (data: Data) => Payload | null,
  ): Promise<Payload | undefined> => {
    setIssues([]);
    setRunning(true);
    try {
      const { data } = await client.mutate<Data, { readonly input: Input }>({ mutation, variables: { input } } as never);
      const outcome = outcomeOf<IssueFragment, Payload>(data ? payloadOf(data as Data) : null);
      if (outcome.ok) return outcome.payload;
      setIssues(outcome.issues);
    } catch (error) {
      setIssues([{ code: '', message: reasonOf(error as Error), path: [] }]);
    } finally {
      setRunning(false);
    }
    return undefined;
  };
  return { run, issues, isRunning };
}
