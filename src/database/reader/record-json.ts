// Record JSON: writes records directly from the database's bytes, with the members and the order that an operation selects. Builds no record objects.
import { CLOSE, COMMA, END, type JsonBuffer, OPEN } from '../../json/buffer.ts';
import { propOf, type Relation } from '../../records/metadata.ts';
import type { DataRows } from '../read-path/data-rows.ts';
import { columnKinds } from './column-values.ts';
import type { JsonMember, JsonShape, NestedList } from './field-tree.ts';
import { assemble, type Projection, type Row } from './projection.ts';

/** The projection of a JSON shape, and the functions that write it. */
export interface JsonProjection {
  projection: Projection;
  /** What its records have below them, in the order of the members. */
  below: (BelowRelation | NestedList)[];
  /** The properties of its records that their lists are read by. */
  needs: readonly string[];
  /** The column number of a property in the rows. */
  position: (name: string) => number;
  /** The value of a property. */
  value: (rows: DataRows, row: number, name: string) => unknown;
  /** Writes a row; `related` writes what it has below. */
  write: (out: JsonBuffer, rows: DataRows, row: number, related: RelatedJson[]) => void;
  /** Writes a stand-in, a record without a row and without relations. */
  writeStandIn: (out: JsonBuffer, record: Row | null) => void;
}

/** The records of a relation, and how they are written. */
export interface BelowRelation {
  relation: Relation;
  json: JsonProjection;
}

/** The written records of one relation or the written pages of one list, and the rows they belong to. */
export class RelatedJson {
  readonly #isList: boolean;
  readonly #written: JsonBuffer;
  /** Begin and end of the JSON of each record. */
  readonly #bounds: number[] = [];
  readonly #ofRows = new Map<number, number[]>();

  constructor({ many, wrapped }: Pick<Relation, 'many' | 'wrapped'>, written: JsonBuffer) {
    this.#isList = many || wrapped === true;
    this.#written = written;
  }

  /** Adds the record written from `start` to the end of the buffer; returns its number. */
  add(start: number): number {
    return this.#bounds.push(start, this.#written.length) / 2 - 1;
  }

  /** Sets the records of a row. */
  assign(row: number, records: number[]): void {
    this.#ofRows.set(row, records);
  }

  write(out: JsonBuffer, row: number): void {
    const records = this.#ofRows.get(row);
    if (!records && !this.#isList) out.copy(NULL);
    if (this.#isList) out.copy(OPEN);
    for (const [place, record] of (records ?? []).entries()) {
      if (place > 0) out.copy(COMMA);
      out.copyPart(this.#written, this.#bounds[record * 2]!, this.#bounds[record * 2 + 1]!);
    }
    if (this.#isList) out.copy(CLOSE);
  }
}

const NULL = Buffer.from('null');

/** The projection for a shape and further properties to read. The same arguments return the same object. */
export const jsonProjection = (shape: JsonShape, more: readonly string[]): JsonProjection =>
  shape.projections.memo(more.join(), () => makeProjection(shape, more));

function makeProjection({ model, members }: JsonShape, more: readonly string[]): JsonProjection {
  const below = members.filter((member) => 'relation' in member || 'list' in member);
  const names = new Set([model.key, ...more]);
  if (below.some((member) => 'relation' in member) && model.companyProp) names.add(model.companyProp);
  for (const member of members) {
    if ('prop' in member) names.add(member.prop.name);
    else if ('relation' in member) names.add(member.relation.from);
    else if ('list' in member) for (const need of member.list.needs) names.add(need);
    else if ('derived' in member) for (const need of member.derived.needs) names.add(need);
  }
  const projection = assemble(model, names, [], []);
  const positions = new Map(projection.props.map((prop, index) => [prop.name, index]));
  const position = (name: string): number => positions.get(name)!;
  const value = (rows: DataRows, row: number, name: string): unknown => {
    const text = rows.text(row, position(name));
    return text === null ? null : columnKinds[propOf(model, name).kind].value(text);
  };
  return {
    projection,
    below: below.map((member) =>
      'list' in member ? member.list : { relation: member.relation, json: jsonProjection(member.shape, [member.relation.to]) },
    ),
    needs: [...new Set(below.flatMap((member) => ('list' in member ? member.list.needs : [])))],
    position,
    value,
    write: writerOf(members, projection, position, value),
    writeStandIn: (out, record) => out.text(record ? JSON.stringify(standInOf(members, record)) : 'null'),
  };
}

const standInOf = (members: JsonMember[], record: Row): Row =>
  Object.fromEntries(
    members.map((member) => {
      if ('constant' in member) return [member.key, JSON.parse(member.constant) as unknown];
      if ('list' in member) throw new Error(`${member.key} of a stand-in is a list`);
      const { name } = 'prop' in member ? member.prop : 'derived' in member ? member.derived : member.relation;
      return [member.key, record[name] ?? null];
    }),
  );

type WriteMember = (out: JsonBuffer, rows: DataRows, row: number, columns: Int32Array, related: RelatedJson[]) => void;

function writerOf(
  members: JsonMember[],
  { props }: Projection,
  position: JsonProjection['position'],
  value: JsonProjection['value'],
): JsonProjection['write'] {
  // One array for all rows, because the members of a row are written without interruption.
  const columns = new Int32Array(props.length * 2);
  let below = 0;
  const writers = members.map((member, index): WriteMember => {
    const key = Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(member.key)}:`);
    if ('constant' in member) {
      const whole = Buffer.concat([key, Buffer.from(member.constant)]);
      return (out) => out.copy(whole);
    }
    if ('relation' in member || 'list' in member) {
      const place = below++;
      return (out, _rows, row, _columns, related) => {
        out.copy(key);
        related[place]!.write(out, row);
      };
    }
    if ('derived' in member) {
      const { derived } = member;
      return (out, rows, row) => {
        const inputs: Row = {};
        for (const name of derived.needs) inputs[name] = value(rows, row, name);
        out.copy(key);
        out.text(JSON.stringify(derived.compute(inputs as Record<string, never>)));
      };
    }
    const column = position(member.prop.name) * 2;
    const { write } = columnKinds[member.prop.kind];
    const absent = Buffer.concat([key, NULL]);
    return (out, rows, row, at) => {
      if (at[column] === -1) return out.copy(absent);
      out.copy(key);
      write(out, rows.bytesOf(row), at[column]!, at[column + 1]!);
    };
  });
  return (out, rows, row, related) => {
    rows.locate(row, columns);
    for (const write of writers) write(out, rows, row, columns, related);
    out.copy(END);
  };
}
