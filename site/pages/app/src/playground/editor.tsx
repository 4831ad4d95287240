// The editors: CodeMirror for operations, variables and responses, in the colours of the pages.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, linter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Extension, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { graphql as graphqlExtensions, updateSchema } from 'cm6-graphql';
import type { GraphQLSchema } from 'graphql';
import { useEffect, useRef } from 'preact/hooks';
import { headersOf } from './headers.ts';

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.definitionKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.propertyName], color: 'var(--code-name)' },
  { tag: [tags.attributeName], color: 'var(--code-argument)' },
  { tag: [tags.variableName], color: 'var(--code-variable)' },
  { tag: [tags.string], color: 'var(--code-string)' },
  { tag: [tags.number, tags.integer, tags.float, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.atom, tags.modifier, tags.special(tags.name)], color: 'var(--code-type)' },
  { tag: [tags.lineComment], color: 'var(--muted)', fontStyle: 'italic' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'transparent', color: 'var(--text)', fontSize: '0.86rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--code-line)' },
  '& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    {
      backgroundColor: 'var(--code-selection)',
    },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--code-selection)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--code-line)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--sunk)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-tooltip, .cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-tooltip.cm-completionInfo': { maxWidth: '22rem', padding: '0.4rem 0.6rem', fontFamily: 'var(--sans)' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '1' },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--ground)',
    backgroundImage: 'none',
    color: 'var(--text)',
    border: '1px solid var(--line)',
  },
});

/** What every editor has; `nonce` is the one the page's policy asks of styles. */
const base = (nonce: string, label: string): Extension[] => [
  EditorView.cspNonce.of(nonce),
  // A browser focuses editable text without it, checkers of accessibility want it said.
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  EditorView.lineWrapping,
  bracketMatching(),
  syntaxHighlighting(colours),
  theme,
  // The key Tab leaves the editor, as it leaves every other field.
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...searchKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]),
];

const writable = (): Extension[] => [
  history(),
  drawSelection(),
  indentOnInput(),
  closeBrackets(),
  autocompletion(),
  highlightActiveLine(),
  highlightSelectionMatches(),
];

const folding = (): Extension[] => [codeFolding({ placeholderText: '…' }), foldGutter({ openText: '▾', closedText: '▸' })];

/** Extensions for operations of a schema; `openReference` follows a name that is clicked with Ctrl or Cmd. */
export const operationLanguage = (
  openReference: (field: string | undefined, type: string | undefined, parent: string | undefined) => void,
): Extension[] => [lineNumbers(), ...folding(), graphqlExtensions(undefined, { onShowInDocs: openReference })];
const lintJson = jsonParseLinter();
/** Extensions for variables; no text is no variables. */
export const variablesLanguage = (): Extension[] => [json(), linter((view) => (view.state.doc.toString().trim() ? lintJson(view) : []))];
/** A mark on headers that cannot be sent. */
function lintHeaders({ state }: EditorView): Diagnostic[] {
  try {
    headersOf(state.doc.toString());
    return [];
  } catch (error) {
    return [{ from: 0, to: state.doc.length, severity: 'error', message: (error as Error).message }];
  }
}
/** Extensions for request headers. */
export const headersLanguage = (): Extension[] => [
  json(),
  linter(lintHeaders),
  placeholder('{ "Idempotency-Key": "…" }, sent with queries and mutations'),
];
/** Extensions for responses. */
export const responseLanguage = (): Extension[] => [json(), ...folding(), EditorState.readOnly.of(true)];

/** Extensions for text to copy. */
export const plainLanguage = (): Extension[] => [EditorState.readOnly.of(true)];

/** Marks changes that do not come from the reader's typing. */
const fromOutside = Annotation.define<boolean>();

/** The least change from one text to another, so that cursor and undo survive it. */
function changeTo(from: string, to: string): { from: number; to: number; insert: string } {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}

/** The properties of an editor. */
export interface EditorProperties {
  readonly label: string;
  readonly nonce: string;
  readonly text: string;
  /** Read once, when the editor is made. */
  readonly language: () => Extension[];
  readonly schema?: GraphQLSchema | undefined;
  /** Counts the texts that were opened as a whole. */
  readonly opened?: number;
  readonly onText?: (text: string) => void;
  readonly onOffset?: (offset: number) => void;
  readonly onRun?: () => void;
  /** Moves the cursor to an offset; a new object moves it again. */
  readonly goTo?: { readonly offset: number } | undefined;
}

/** Runs what the editor shows, and keeps the key from doing something else. */
function runLatest({ onRun }: EditorProperties): true {
  onRun?.();
  return true;
}

export function Editor(properties: EditorProperties) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const latest = useRef(properties);
  latest.current = properties;
  const { text, schema, goTo, opened } = properties;
  const shown = useRef(opened);
  /** Texts that were typed and have not come back as a property. */
  const unread = useRef<string[]>([]);
  useEffect(() => {
    const { label, nonce, language, onText } = latest.current;
    const made = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          ...base(nonce, label),
          ...(onText ? writable() : []),
          ...language(),
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => runLatest(latest.current) }])),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((transaction) => transaction.annotation(fromOutside))) {
              const typed = update.state.doc.toString();
              unread.current.push(typed);
              latest.current.onText?.(typed);
            }
            if (update.selectionSet || update.docChanged) latest.current.onOffset?.(update.state.selection.main.head);
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const present = view.current?.state.doc.toString();
    // What was typed comes back here after more was typed: it must not be put over that.
    const echo = unread.current.indexOf(text);
    unread.current.splice(0, echo < 0 ? Number.POSITIVE_INFINITY : echo + 1);
    if (echo >= 0 || present === undefined || present === text) return;
    const change = changeTo(present, text);
    // The place of a change is what the writer looks at next; another text and a response are read from their beginning.
    const anchor = latest.current.onText && shown.current === opened ? change.from + change.insert.length : 0;
    shown.current = opened;
    view.current!.dispatch({ changes: change, selection: { anchor }, scrollIntoView: true, annotations: fromOutside.of(true) });
  }, [text]);
  useEffect(() => {
    if (schema && view.current) updateSchema(view.current, schema);
  }, [schema]);
  useEffect(() => {
    if (!goTo || !view.current) return;
    view.current.dispatch({ selection: { anchor: Math.min(goTo.offset, view.current.state.doc.length) }, scrollIntoView: true });
    view.current.focus();
  }, [goTo]);
  return <div class="editor" ref={place} />;
}
