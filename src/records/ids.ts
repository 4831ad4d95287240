// Global ids: TypeIDs for platform records, prefix and number for records numbered by `ledger_id`. The prefix identifies the record type.
import { fromString, fromUUID, getType, typeid } from 'typeid-js';
import { allModels, type Model, propOf } from './metadata.ts';

/** A new TypeID; its UUIDv7 suffix sorts by creation time. */
export const newId = (prefix: string): string => typeid(prefix).toString();

/** The least TypeID that can be made from a moment on; all that were made before sort before it. */
export const firstIdAt = (prefix: string, at: Date): string => {
  const milliseconds = at.getTime().toString(16).padStart(12, '0');
  return fromUUID(`${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7000-8000-000000000000`, prefix).toString();
};

/** Whether a text is a well-formed TypeID of the prefix. */
export function isTypeId(text: string, prefix: string): boolean {
  try {
    return getType(fromString(text)) === prefix;
  } catch {
    return false;
  }
}

/** The global id of a record numbered by `ledger_id`. */
export const ledgerGlobalId = (prefix: string, ledgerId: number): string => `${prefix}_${ledgerId}`;

/** The global id of a stored record by the value of its key. */
export const storedGlobalId = (model: Model, key: string | number): string =>
  propOf(model, model.key).kind === 'ledgerId' ? ledgerGlobalId(model.prefix, Number(key)) : String(key);

/** The model and key value a global id names; undefined when its form or prefix is unknown. */
export function decodeGlobalId(id: string): { model: Model; key: string | number } | undefined {
  const cut = id.lastIndexOf('_');
  const model = allModels().find((candidate) => candidate.prefix === id.slice(0, cut));
  if (!model) return undefined;
  const suffix = id.slice(cut + 1);
  if (propOf(model, model.key).kind === 'ledgerId') return /^[1-9]\d{0,14}$/.test(suffix) ? { model, key: Number(suffix) } : undefined;
  return isTypeId(id, model.prefix) ? { model, key: id } : undefined;
}
