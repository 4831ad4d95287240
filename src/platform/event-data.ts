// The `data` of the platform's events: records as REST shows them, made from what the transaction holds.

import type { RequestContext } from '../core/context.ts';
import { tenantOf } from '../core/context.ts';
import type { EntityManager } from '../core/database.ts';
import { type EventSource, emitEvents, type NewEvent } from '../core/events.ts';
import { modelOf, type RecordClass } from '../core/model.ts';
import { snakeCase } from '../core/names.ts';

/** A stored value as JSON shows it: the ORM hands out dates as objects and decimals as text. */
function shown(kind: string, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return kind === 'amount' && typeof value === 'string' ? Number(value) : (value ?? null);
}

/** The visible properties of a record in snake case, computed ones included. */
export function eventRecord(target: RecordClass, entity: object): Record<string, unknown> {
  const model = modelOf(target);
  const row = entity as Record<string, never>;
  const stored = [...model.props.values()].filter((prop) => !prop.hidden && (prop.rest ?? 'always') === 'always');
  const computed = [...model.derived.values()].filter((field) => field.rest === 'always');
  return Object.fromEntries([
    ...stored.map((prop) => [snakeCase(prop.name), shown(prop.kind, row[prop.name])]),
    ...computed.map((field) => [snakeCase(field.name), field.compute(row)]),
  ]);
}

/** Emits events of the caller's organisation in the open transaction. */
export function emit(em: EntityManager, context: RequestContext, ...events: NewEvent[]): Promise<void> {
  const source: EventSource = {
    services: context.services,
    organisationId: tenantOf(context).organisationId,
    organisation: context.principal?.organisation ?? null,
  };
  return emitEvents(em, source, events);
}
