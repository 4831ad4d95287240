// The groups of a summary as JSON text, written from the texts of their rows: objects for the executor were a third of what W10 cost the server.
import type { TextRow } from '../../database/read-path/data-rows.ts';
import type { SelectedMember } from '../../database/reader/field-tree.ts';

/** Writes something of a group from its row. */
type Write = (row: TextRow) => string;

/** What the groups of a summary have: their keys, and the values of the row that each field shows. */
export interface GroupSource {
  keys: readonly { field: string; value: (row: TextRow) => string | null }[];
  count: (row: TextRow) => number;
  /** The value of an aggregate of a property. */
  aggregate: (member: string, property: string) => (row: TextRow) => unknown;
}

/** Writes a group with the selected members. */
export function groupJson(members: readonly SelectedMember[], { keys, count, aggregate }: GroupSource): Write {
  return objectOf(members, ({ name, members: below = [] }) => {
    if (name === 'count') return (row) => String(count(row));
    if (name !== 'key') return objectOf(below, (property) => written(aggregate(name, property.name)));
    const each = keys.map(({ field, value }) => {
      const named = JSON.stringify(field);
      return objectOf(below, (part) => (part.name === 'field' ? () => named : written(value)));
    });
    return (row) => `[${each.map((write) => write(row)).join()}]`;
  });
}

const written =
  (value: (row: TextRow) => unknown): Write =>
  (row) =>
    JSON.stringify(value(row));

function objectOf(members: readonly SelectedMember[], writeOf: (member: SelectedMember) => Write): Write {
  const parts = members.map((member, index) => {
    const before = `${index === 0 ? '{' : ','}${JSON.stringify(member.key)}:`;
    const { constant } = member;
    return { before, write: constant === undefined ? writeOf(member) : () => constant };
  });
  return (row) => {
    let text = '';
    for (const { before, write } of parts) text += before + write(row);
    return `${text}}`;
  };
}
