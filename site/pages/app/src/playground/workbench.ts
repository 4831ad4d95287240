// The state of the playground: the operation in the editors, what it is, and what can be done with it.
import { type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode, print } from 'graphql';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { readShared, shareLink } from '../../../parts/share-link.ts';
import { copyText } from '../copy.ts';
import type { MappedOperation, OperationMap } from '../map.ts';
import { headersOf } from './headers.ts';
import { type Part, partAt } from './here.ts';
import { indented, isVariables } from './json-text.ts';
import { type OperationResponse, type Request, send } from './run.ts';
import { loadSchema } from './schema.ts';
import { documentOf, operationAt, operationsOf } from './spots.ts';
import { clearHistory, type Draft, type Past, rememberTabs, storedHistory, storedTabs, type Tab, type Tabs, withPast } from './stored.ts';
import { type Streams, useStreams } from './streams.ts';
import { titleOf } from './tabs.tsx';

const NOTED_FOR_MS = 4_000;

/** The kinds of result; each has a tab. */
export const RESULTS = ['Response', 'Messages', 'Snippets'] as const;
/** The parts of the page that a phone shows one at a time. */
export const PARTS = ['Build', 'Operation', 'Result'] as const;

/** What the parts of the playground share. */
export interface Workbench {
  readonly tabs: readonly Tab[];
  /** The tab that is shown: the operation in the editors. */
  readonly tab: Tab;
  readonly select: (id: number) => void;
  readonly close: (id: number) => void;
  /** Opens a tab for a new operation. */
  readonly add: () => void;
  readonly setDocument: (text: string) => void;
  readonly setVariables: (text: string) => void;
  readonly setHeaders: (text: string) => void;
  /** Where the cursor is in the operation. */
  readonly offset: number;
  readonly setOffset: (offset: number) => void;
  /** Counts the operations that were opened as a whole, or shown again. */
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

/** Why an operation cannot be sent; empty where it can. */
function issueOf({ variables, headers }: Tab): string {
  if (!isVariables(variables)) return 'The variables are not a JSON object.';
  try {
    headersOf(headers);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const tabOf = ({ document, variables }: Draft): Tab => ({
  id: Date.now(),
  document: document.trim() ? `${document.trim()}\n` : '',
  variables,
  headers: '',
  isEdited: false,
});

/** The tabs of the last visit, or one with the first example. */
function firstTabs(map: OperationMap): Tabs {
  const stored = storedTabs();
  if (stored?.all.length) return stored;
  const tab = tabOf({ document: map.examples[0]?.document ?? '{ __typename }', variables: '' });
  return { all: [tab], shown: tab.id };
}

/** A map with another value for a key. */
const withEntry = <T>(known: ReadonlyMap<number, T>, id: number, value: T | undefined): ReadonlyMap<number, T> => {
  const next = new Map(known);
  if (value === undefined) next.delete(id);
  else next.set(id, value);
  return next;
};

export function useWorkbench(map: OperationMap): Workbench {
  const [tabs, setTabs] = useState<Tabs>(() => firstTabs(map));
  const [offset, setOffset] = useState(0);
  const [opened, setOpened] = useState(0);
  const [result, setResult] = useState<(typeof RESULTS)[number]>('Response');
  const [part, setPart] = useState<(typeof PARTS)[number]>('Operation');
  const [responses, setResponses] = useState<ReadonlyMap<number, OperationResponse>>(new Map());
  const [running, setRunning] = useState<ReadonlyMap<number, AbortController>>(new Map());
  const [past, setPast] = useState(storedHistory);
  const [note, setNote] = useNote();
  const streams = useStreams();
  const { schema, missing } = useSchema();

  const tab = tabs.all.find(({ id }) => id === tabs.shown) ?? tabs.all[0]!;
  const document = useMemo(() => documentOf(tab.document), [tab.document]);
  const operations = document ? operationsOf(document) : [];
  const operation = document && operationAt(document, offset);
  const here = useMemo(() => (schema && document ? partAt(schema, document, offset) : undefined), [schema, document, offset]);
  const operationName = operations.length > 1 ? operation?.name?.value : undefined;
  const request: Request = { document: tab.document, variables: tab.variables, headers: tab.headers, operationName };
  useEffect(() => rememberTabs(tabs), [tabs]);

  const change = (part: Partial<Tab>): void =>
    setTabs(({ all, shown }) => ({ all: all.map((one) => (one.id === tab.id ? { ...one, ...part } : one)), shown }));
  const remember = ({ document, variables }: Draft, name: string, outcome: string): void =>
    setPast((before) => withPast(before, { document, variables, name, at: Date.now(), outcome }));
  const show = (next: Tabs): void => {
    setTabs(next);
    setOffset(0);
    setOpened((count) => count + 1);
    setPart('Operation');
  };
  const open = (draft: Draft): void => {
    const made = tabOf(draft);
    // What was edited and not run would be lost, so it keeps its tab.
    const isKept = tab.isEdited && tab.document.trim() !== '';
    const all = isKept ? [...tabs.all, made] : tabs.all.map((one) => (one === tab ? { ...made, id: tab.id } : one));
    show({ all, shown: isKept ? made.id : tab.id });
    if (!isKept) setResponses((known) => withEntry(known, tab.id, undefined));
  };
  const close = (id: number): void => {
    const index = tabs.all.findIndex((one) => one.id === id);
    const closed = tabs.all[index];
    if (!closed || tabs.all.length === 1) return;
    if (closed.isEdited && closed.document.trim()) remember(closed, titleOf(closed.document), 'not run');
    const all = tabs.all.filter((one) => one !== closed);
    show({ all, shown: closed === tab ? all[Math.min(index, all.length - 1)]!.id : tab.id });
  };
  useAddress(map, open);

  const ask = async (): Promise<void> => {
    const controller = new AbortController();
    setRunning((known) => withEntry(known, tab.id, controller));
    setResult('Response');
    const got = await send(request, controller.signal);
    setRunning((known) => withEntry(known, tab.id, undefined));
    setResponses((known) => withEntry(known, tab.id, got));
    remember(tab, nameOf(operation), got.status ? `${got.status}, ${got.milliseconds} ms` : 'no response');
  };
  const listen = (): void => {
    remember(tab, nameOf(operation), 'subscription');
    setResult('Messages');
    streams.start(nameOf(operation), request);
  };
  const run = (): void => {
    const issue = issueOf(tab);
    if (running.has(tab.id)) running.get(tab.id)!.abort();
    else if (issue) setNote(issue);
    else {
      setPart('Result');
      change({ isEdited: false });
      if (operation?.operation === 'subscription') listen();
      else void ask();
    }
  };
  const format = (): void => {
    const next = formatted(tab);
    if (typeof next === 'string') setNote(next);
    else change(next);
  };
  const share = async (): Promise<void> => {
    const isCopied = await copyText(`${location.origin}${shareLink(tab)}`);
    setNote(
      isCopied ? 'Link copied. It holds the operation and its variables, never the key or the headers.' : 'Copying is not possible here.',
    );
  };
  return {
    tabs: tabs.all,
    tab,
    select: (id) => (id === tab.id ? undefined : show({ all: tabs.all, shown: id })),
    close,
    add: () => {
      const made = tabOf({ document: '', variables: '' });
      show({ all: [...tabs.all, made], shown: made.id });
    },
    setDocument: (text) => change({ document: text, isEdited: true }),
    setVariables: (text) => change({ variables: text, isEdited: true }),
    setHeaders: (text) => change({ headers: text, isEdited: true }),
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
    isRunning: running.has(tab.id),
    response: responses.get(tab.id),
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
