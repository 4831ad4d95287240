// The state of the playground: the operation in the editors, what it is, and what can be done with it.
import { type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode, print } from 'graphql';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { readShared, shareLink } from '../../../parts/share-link.ts';
import { copyText } from '../copy.ts';
import type { MappedOperation, OperationMap } from '../map.ts';
import { type Part, partAt } from './here.ts';
import { indented, isVariables } from './json-text.ts';
import { type OperationResponse, type Request, send } from './run.ts';
import { loadSchema } from './schema.ts';
import { documentOf, operationAt, operationsOf } from './spots.ts';
import { clearHistory, type Draft, type Past, rememberDraft, storedDraft, storedHistory, withPast } from './stored.ts';
import { type Streams, useStreams } from './streams.ts';

const NOTED_FOR_MS = 4_000;

/** The kinds of result; each has a tab. */
export const RESULTS = ['Response', 'Messages', 'Snippets'] as const;
/** The parts of the page that a phone shows one at a time. */
export const PARTS = ['Build', 'Operation', 'Result'] as const;

/** What the parts of the playground share. */
export interface Workbench {
  readonly draft: Draft;
  readonly setDocument: (text: string) => void;
  readonly setVariables: (text: string) => void;
  /** Where the cursor is in the operation. */
  readonly offset: number;
  readonly setOffset: (offset: number) => void;
  /** Counts the operations that were opened as a whole. */
  readonly opened: number;
  readonly open: (draft: Draft) => void;
  readonly schema: GraphQLSchema | undefined;
  /** Why there is no schema. */
  readonly missing: string;
  readonly operations: readonly OperationDefinitionNode[];
  /** The operation that runs. */
  readonly operation: OperationDefinitionNode | undefined;
  readonly kind: OperationTypeNode;
  readonly request: Request;
  /** What the name at the cursor is. */
  readonly here: Part | undefined;
  readonly counterpart: MappedOperation | undefined;
  readonly run: () => void;
  readonly isRunning: boolean;
  readonly response: OperationResponse | undefined;
  readonly streams: Streams;
  readonly past: readonly Past[];
  readonly forget: () => void;
  readonly format: () => void;
  readonly share: () => void;
  /** A remark on what was just done. */
  readonly note: string;
  readonly part: (typeof PARTS)[number];
  readonly setPart: (part: (typeof PARTS)[number]) => void;
  readonly result: (typeof RESULTS)[number];
  readonly setResult: (result: (typeof RESULTS)[number]) => void;
}

/** The operation an address asks for. */
function fromAddress(map: OperationMap): Draft | undefined {
  const name = new URLSearchParams(location.hash.slice(1)).get('operation');
  const known = name && [...map.operations.filter(({ id }) => id === name), ...map.examples.filter((one) => one.name === name)][0];
  const asked = known || readShared(location.hash) || readShared(location.search);
  if (!asked) return undefined;
  const { variables } = asked;
  const text = typeof variables === 'string' ? variables : Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : '';
  return { document: asked.document, variables: text };
}

/** The name of an operation: its own, or that of its first field. */
function nameOf(operation: OperationDefinitionNode | undefined): string {
  const [selected] = operation?.selectionSet.selections ?? [];
  const field = selected && 'name' in selected ? selected.name?.value : undefined;
  return operation?.name?.value ?? field ?? 'Operation';
}

/** Opens what the address asks for, now and when its fragment changes. */
function useAddress(map: OperationMap, open: (draft: Draft) => void): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const follow = (): void => {
      const asked = fromAddress(map);
      if (!asked) return;
      latest.current(asked);
      // The address is used once: a reload must not undo what was typed since.
      history.replaceState(null, '', location.pathname);
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [map]);
}

function useSchema(): { schema: GraphQLSchema | undefined; missing: string } {
  const [state, setState] = useState<{ schema: GraphQLSchema | undefined; missing: string }>({ schema: undefined, missing: '' });
  useEffect(() => {
    loadSchema().then(
      (schema) => setState({ schema, missing: '' }),
      (error: Error) => setState({ schema: undefined, missing: error.message }),
    );
  }, []);
  return state;
}

/** A remark that continues its own. */
function useNote(): [note: string, setNote: (note: string) => void] {
  const [note, setNote] = useState('');
  useEffect(() => {
    if (!note) return;
    const timer = setTimeout(() => setNote(''), NOTED_FOR_MS);
    return () => clearTimeout(timer);
  }, [note]);
  return [note, setNote];
}

/** The draft as it is formatted; a text where it cannot be. */
function formatted({ document: text, variables }: Draft): Draft | string {
  const document = documentOf(text);
  if (!document) return 'The text cannot be read, so it cannot be formatted.';
  if (/^[^"]*#/m.test(text)) return 'Formatting would drop the comments.';
  return { document: `${print(document)}\n`, variables: variables.trim() && isVariables(variables) ? indented(variables) : variables };
}

export function useWorkbench(map: OperationMap): Workbench {
  const [draft, setDraft] = useState<Draft>(
    () => storedDraft() ?? { document: `${map.examples[0]?.document ?? '{ __typename }'}\n`, variables: '' },
  );
  const [offset, setOffset] = useState(0);
  const [opened, setOpened] = useState(0);
  const [result, setResult] = useState<(typeof RESULTS)[number]>('Response');
  const [part, setPart] = useState<(typeof PARTS)[number]>('Operation');
  const [response, setResponse] = useState<OperationResponse | undefined>();
  const [running, setRunning] = useState<AbortController | undefined>();
  const [past, setPast] = useState(storedHistory);
  const [note, setNote] = useNote();
  const streams = useStreams();
  const { schema, missing } = useSchema();

  const document = useMemo(() => documentOf(draft.document), [draft.document]);
  const operations = document ? operationsOf(document) : [];
  const operation = document && operationAt(document, offset);
  const here = useMemo(() => (schema && document ? partAt(schema, document, offset) : undefined), [schema, document, offset]);
  const operationName = operations.length > 1 ? operation?.name?.value : undefined;
  const request: Request = { ...draft, operationName };
  useEffect(() => rememberDraft(draft), [draft]);

  const remember = (outcome: string): void =>
    setPast((before) => withPast(before, { ...draft, name: nameOf(operation), at: Date.now(), outcome }));
  const open = (next: Draft): void => {
    // What was not run yet would be lost.
    const isKnown = past.some((one) => one.document === draft.document && one.variables === draft.variables);
    const isExample = map.examples.some((one) => one.document.trim() === draft.document.trim());
    if (draft.document.trim() && !isKnown && !isExample) remember('not run');
    setDraft({ document: `${next.document.trim()}\n`, variables: next.variables });
    setOffset(0);
    setOpened((count) => count + 1);
    setPart('Operation');
  };
  useAddress(map, open);

  const ask = async (): Promise<void> => {
    const controller = new AbortController();
    setRunning(controller);
    setResult('Response');
    const got = await send(request, controller.signal);
    setRunning(undefined);
    setResponse(got);
    remember(got.status ? `${got.status}, ${got.milliseconds} ms` : 'no response');
  };
  const listen = (): void => {
    remember('subscription');
    setResult('Messages');
    streams.start(nameOf(operation), request);
  };
  const run = (): void => {
    if (running) running.abort();
    else if (!isVariables(draft.variables)) setNote('The variables are not a JSON object.');
    else {
      setPart('Result');
      if (operation?.operation === 'subscription') listen();
      else void ask();
    }
  };
  const format = (): void => {
    const next = formatted(draft);
    if (typeof next === 'string') setNote(next);
    else setDraft(next);
  };
  const share = async (): Promise<void> => {
    const isCopied = await copyText(`${location.origin}${shareLink(draft)}`);
    setNote(isCopied ? 'Link copied. It holds the operation and its variables, never the key.' : 'Copying is not possible here.');
  };
  return {
    draft,
    setDocument: (text) => setDraft((before) => ({ ...before, document: text })),
    setVariables: (text) => setDraft((before) => ({ ...before, variables: text })),
    offset,
    setOffset,
    opened,
    open,
    schema,
    missing,
    operations,
    operation,
    kind: operation?.operation ?? OperationTypeNode.QUERY,
    request,
    here,
    counterpart: map.operations.find(({ id }) => id === operation?.name?.value),
    run,
    isRunning: running !== undefined,
    response,
    streams,
    past,
    forget: () => setPast(clearHistory()),
    format,
    share: () => void share(),
    note,
    part,
    setPart,
    result,
    setResult,
  };
}
