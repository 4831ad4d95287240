// The enumeration of the record types whose changes can be followed; records add themselves with `followed`.
import { addEnumValue, defineEnum } from './enums.ts';
import { allModels, type Model } from './metadata.ts';

export const RecordType = defineEnum<string>('RecordType', 'A record type whose changes can be followed.', {});

const nameOf = (table: string): string => table.toUpperCase();

/** Adds a record type by its table. */
export const addRecordType = (table: string, description: string): void => addEnumValue(RecordType, nameOf(table), description);

/** The record types that can be followed, by their values of the enumeration. */
export const followedModels = (): Map<string, Model> =>
  new Map(allModels().flatMap((model) => (nameOf(model.table) in RecordType.values ? [[nameOf(model.table), model] as const] : [])));
