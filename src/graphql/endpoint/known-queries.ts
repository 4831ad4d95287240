// The queries that Apollo has accepted before, ready to run, by their text and by their form. Clients that write values into the text need no new
// preparation.
import type { GraphQLInputType } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Services } from '../../access/context.ts';
import type { Principal } from '../../access/principal.ts';
import type { Admission, Prepared } from '../admission.ts';
import type { GraphqlRuntime } from '../apollo.ts';
import type { Executor, Variables } from '../executor.ts';
import { documentCache } from '../query-cost.ts';
import { isOfLiteral, valuesOf, type WrittenQuery, withVariables, writtenQuery } from './literals.ts';

/** A query that Apollo has run without a request error, and the media type of that response. */
export interface KnownQuery extends Prepared {
  mediaType: string;
  /** The values of the literals that its text has where the operation has variables. */
  literals?: Variables;
}

/** What a request asks to run: the text of a document or the hash of a persisted one. */
export interface AskedQuery {
  document: string;
  operationName: string | null | undefined;
  variables: Record<string, unknown>;
  accept: string | undefined;
}

/** A form that was seen: once, or prepared, or without a document that could be prepared for it. */
type SeenForm = 'once' | 'never' | (KnownQuery & { types: readonly GraphQLInputType[] });

/** The known queries of one process. */
export class KnownQueries {
  readonly #admission: Admission;
  readonly #executor: Executor;
  readonly #byText: LRUCache<string, KnownQuery>;
  readonly #byForm: LRUCache<string, SeenForm>;

  constructor({ admission, executor }: Pick<GraphqlRuntime, 'admission' | 'executor'>, caches: Services['caches']) {
    this.#admission = admission;
    this.#executor = executor;
    this.#byText = caches.add('queries', new LRUCache<string, KnownQuery>(documentCache));
    this.#byForm = caches.add('query_forms', new LRUCache<string, SeenForm>(documentCache));
  }

  /** The query of a request; undefined where it is new, or its literals are not of their types. */
  find(asked: AskedQuery): KnownQuery | undefined {
    const known = this.#byText.get(textKey(asked));
    if (known) return known;
    const written = formOf(asked);
    const seen = written && this.#byForm.get(formKey(asked, written));
    if (!seen || typeof seen === 'string') return undefined;
    const literals = valuesOf(written.literals, seen.types);
    return literals && { ...seen, operation: { ...seen.operation, name: written.name }, literals };
  }

  /** Keeps a query that Apollo has run for this caller: by its text at first, and by its form from the second text of that form on. */
  add(asked: AskedQuery, query: KnownQuery, caller: Principal): void {
    const written = formOf(asked);
    if (written && this.#addForm(formKey(asked, written), asked.document, written, query, caller)) return;
    const key = textKey(asked);
    this.#byText.set(key, query, { size: key.length });
  }

  /** Whether the form is prepared now. */
  #addForm(key: string, text: string, written: WrittenQuery, query: KnownQuery, caller: Principal): boolean {
    const seen = this.#byForm.get(key);
    const next = seen === undefined ? 'once' : seen === 'once' ? (this.#prepared(text, written, query, caller) ?? 'never') : seen;
    if (next !== seen) this.#byForm.set(key, next, { size: key.length });
    return typeof next !== 'string';
  }

  #prepared(text: string, written: WrittenQuery, { mediaType }: KnownQuery, caller: Principal): SeenForm | undefined {
    const form = withVariables(this.#executor.schema, text, written);
    // Validation takes equal literals of one field for the same, but not two variables.
    if (!form || this.#admission.errors(form.document, caller).length > 0) return undefined;
    const admitted = this.#admission.operation(form.document, form.node);
    if (admitted.standard || admitted.access.length === 0) return undefined;
    const operation = this.#executor.compile(form.document, written.name);
    const variables = operation.variables.filter((variable) => !isOfLiteral(variable));
    return { ...admitted, operation: { ...operation, variables }, mediaType, types: form.types };
  }
}

/** A query as its form, where it is named as the request names it. */
function formOf({ document, operationName }: AskedQuery): WrittenQuery | undefined {
  const written = writtenQuery(document);
  return operationName == null || operationName === written?.name ? written : undefined;
}

const textKey = ({ accept, operationName, document }: AskedQuery): string => `${accept}\n${operationName}\n${document}`;

const formKey = ({ accept }: AskedQuery, { form }: WrittenQuery): string => `${accept}\n${form}`;
