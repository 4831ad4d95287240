// The fields picker: the schema as a tree whose ticks are the operation's text.
import type { GraphQLSchema, OperationTypeNode } from 'graphql';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Choices } from './choices.tsx';
import { toggled, withValue } from './edits.ts';
import { idOf, type Row, rowsOf } from './rows.ts';
import { documentOf, operationAt } from './spots.ts';

const KINDS = ['query', 'mutation', 'subscription'] as OperationTypeNode[];

interface PickerProperties {
  readonly schema: GraphQLSchema | undefined;
  readonly text: string;
  readonly offset: number;
  /** Counts the operations that were opened as a whole: the tree shows what they pick. */
  readonly opened: number;
  readonly onText: (text: string) => void;
}

/** The rows of what is picked, so that a reader sees all of it. */
function pickedIds(schema: GraphQLSchema, kind: OperationTypeNode, text: string, offset: number): Set<string> {
  const open = new Set<string>();
  for (let size = -1; size !== open.size; ) {
    size = open.size;
    for (const row of rowsOf({ schema, kind, text, offset, open, filter: '' }))
      if (row.isPicked && row.hasChildren && row.step.kind !== 'argument' && row.step.kind !== 'input') open.add(row.id);
  }
  return open;
}

export function Picker({ schema, text, offset, opened, onText }: PickerProperties) {
  const [kind, setKind] = useState(KINDS[0]!);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [filter, setFilter] = useState('');
  const [current, setCurrent] = useState('');
  const tree = useRef<HTMLDivElement>(null);
  const document = useMemo(() => documentOf(text), [text]);
  const kindHere = document && operationAt(document, offset)?.operation;
  const rows = useMemo(
    () => (schema ? rowsOf({ schema, kind, text, offset, open, filter }) : []),
    [schema, kind, text, offset, open, filter],
  );
  useEffect(() => kindHere && setKind(kindHere), [kindHere]);
  useEffect(() => {
    if (!schema || !document) return;
    const here = operationAt(document, offset)?.operation ?? kind;
    const picked = pickedIds(schema, here, text, offset);
    setKind(here);
    setOpen(picked);
    setFilter('');
    const first = rowsOf({ schema, kind: here, text, offset, open: picked, filter: '' }).find(({ isPicked }) => isPicked);
    if (first) setCurrent(first.id);
    requestAnimationFrame(() => tree.current?.querySelector('[aria-checked=true]')?.scrollIntoView({ block: 'nearest' }));
  }, [schema, opened]);
  if (!schema) return <p class="hint">Reading the schema.</p>;

  const edited = { schema, text, offset, kind };
  const canRead = document !== undefined || /^\s*(#.*\s*)*$/.test(text);
  const row = rows.find(({ id }) => id === current) ?? rows[0];
  const focus = (next: Row | undefined): void => {
    if (!next) return;
    setCurrent(next.id);
    requestAnimationFrame(() => tree.current?.querySelector<HTMLElement>(`[data-id="${next.id}"]`)?.focus());
  };
  const setRowOpen = ({ id, hasChildren }: Row, isOpen: boolean): void => {
    const next = new Set(open);
    if (isOpen && hasChildren) next.add(id);
    else next.delete(id);
    setOpen(next);
  };
  const pick = (picked: Row): void => {
    setCurrent(picked.id);
    if (!canRead) return;
    if (!picked.isPicked && picked.step.kind !== 'argument') setRowOpen(picked, true);
    onText(toggled(edited, picked.path));
  };
  const byPointer = ({ target }: { target: EventTarget | null }): void => {
    const element = target instanceof Element ? target : null;
    const id = element?.closest<HTMLElement>('[data-id]')?.dataset.id;
    const clicked = rows.find((one) => one.id === id);
    if (!clicked) return;
    if (clicked.hasChildren && element?.closest('.twist')) setRowOpen(clicked, !clicked.isOpen);
    // Its value is below the tree: a user who wants to change it must not lose it.
    else if (clicked.isPicked && clicked.value !== undefined && !element?.closest('.tick')) setCurrent(clicked.id);
    else pick(clicked);
  };
  const byKey = (event: KeyboardEvent): void => {
    const index = rows.findIndex(({ id }) => id === row?.id);
    const moves: Record<string, () => void> = {
      ArrowDown: () => focus(rows[index + 1]),
      ArrowUp: () => focus(rows[index - 1]),
      Home: () => focus(rows[0]),
      End: () => focus(rows.at(-1)),
      ArrowRight: () => (row?.isOpen ? focus(rows[index + 1]) : row && setRowOpen(row, true)),
      ArrowLeft: () => (row?.isOpen ? setRowOpen(row, false) : focus(rows.find(({ id }) => id === idOf(row?.path.slice(0, -1) ?? [])))),
      Enter: () => row && pick(row),
      ' ': () => row && pick(row),
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  return (
    <div class="picker">
      <Choices label="Kind of operation" options={KINDS} chosen={kind} choose={setKind} />
      <input
        type="search"
        aria-label="Filter fields"
        placeholder="Filter"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {canRead ? null : <p class="hint">The text cannot be read just now, so nothing can be picked.</p>}
      {rows.length === 0 ? <p class="hint">Nothing matches “{filter}”.</p> : null}
      <div
        class="tree"
        role="tree"
        aria-label="Fields"
        aria-multiselectable="true"
        ref={tree}
        onClick={byPointer}
        onKeyDown={byKey}
        hidden={rows.length === 0}
      >
        {rows.map((one) => (
          <TreeItem key={one.id} row={one} isCurrent={one.id === row?.id} onFocus={() => setCurrent(one.id)} />
        ))}
      </div>
      {row ? <Detail key={row.id} row={row} onValue={(typed) => withValue(edited, row.path, typed)} onText={onText} /> : null}
    </div>
  );
}

interface TreeItemProperties {
  readonly row: Row;
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
}

function TreeItem({ row, isCurrent, onFocus }: TreeItemProperties) {
  const { step } = row;
  const prefix = step.kind === 'type' ? '… on ' : '';
  return (
    <div
      role="treeitem"
      class="row"
      data-id={row.id}
      data-kind={step.kind}
      aria-level={row.level}
      aria-checked={row.isPicked}
      {...(row.hasChildren ? { 'aria-expanded': row.isOpen } : {})}
      {...(step.kind === 'argument' ? { 'aria-description': 'argument' } : {})}
      tabIndex={isCurrent ? 0 : -1}
      style={{ '--level': row.level - 1 }}
      onFocus={onFocus}
    >
      <span class="twist" aria-hidden="true">
        {row.hasChildren ? (row.isOpen ? '▾' : '▸') : ''}
      </span>
      <span class="tick" aria-hidden="true">
        {row.isPicked ? '✓' : ''}
      </span>
      <span class="label">
        <span class="name">
          {prefix}
          {step.name}
          {row.isRequired ? <b title="required">*</b> : null}
        </span>{' '}
        <span class="type">{row.type}</span>
      </span>
    </div>
  );
}

interface DetailProperties {
  readonly row: Row;
  readonly onValue: (typed: string) => string | undefined;
  readonly onText: (text: string) => void;
}

/** What the schema says of a row, and the value of an argument. */
function Detail({ row, onValue, onText }: DetailProperties) {
  const [isRefused, setRefused] = useState(false);
  const change = (typed: string): void => {
    const next = onValue(typed);
    setRefused(next === undefined);
    if (next !== undefined) onText(next);
  };
  const label = `Value of ${row.step.name}`;
  return (
    <section class="detail" aria-label="Chosen field">
      <p>
        <code>{row.step.name}</code> {row.type ? <code class="type">{row.type}</code> : null} <a href={row.reference}>Reference</a>
      </p>
      {row.value === undefined ? null : row.choices && !row.value.startsWith('$') ? (
        <select aria-label={label} value={row.value} onChange={(event) => change(event.currentTarget.value)}>
          {row.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input aria-label={label} aria-invalid={isRefused} value={row.value} onChange={(event) => change(event.currentTarget.value)} />
      )}
      {isRefused ? <p role="alert">This is no value of type {row.type}.</p> : null}
      <p class="about">{row.description}</p>
    </section>
  );
}
