// The ways up and across the records of a company: from a child to its parent, from a number to the record of a related type, and from a list of
// numbers to the records it names.
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, createUnionType, Extensions, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../access/context.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import { loadRecord, loadRecords } from '../../graphql/graph/record-loader.ts';
import { type Model, modelOf, type RecordClass, type Relation, typedTargets } from '../../records/metadata.ts';

/** An owner of children: its type, and the relation that declares them. */
interface Owner {
  model: Model;
  relation: Relation;
}

/** The owners of the children of each type, from their declarations. */
function ownersOf(records: readonly RecordClass[]): Map<Model, Owner[]> {
  const all = records.flatMap((record) => {
    const model = modelOf(record);
    return [...model.relations.values()].filter(({ owned }) => owned).map((relation): Owner => ({ model, relation }));
  });
  return Map.groupBy(all, ({ relation }) => modelOf(relation.target()));
}

/** A field that shows the record a property names, which is of one of several types. */
interface NamedRecord {
  name: string;
  description: string;
  /** Name and description of the union of the types. */
  union: { name: string; description: string };
  /** The property that holds the number, and the one that says its type where there is one. */
  key: string;
  typedBy?: string;
  /** The types by the values of `typedBy`; without `typedBy`, the only one under any name. */
  models: ReadonlyMap<string, Model>;
}

/** The resolver classes of the fields `parent`. */
export const parentReads = (records: readonly RecordClass[]): RecordClass[] =>
  [...ownersOf(records)].map(([child, owners]) => {
    const typed = owners.filter(({ relation }) => relation.where?.parentType !== undefined);
    const models = owners.map(({ model, relation }): [string, Model] => [relation.where?.parentType ?? '', model]);
    return namedRead(child, {
      name: 'parent',
      description: 'Parent of the record; null without one, or if its type is not stored here.',
      union: { name: `${child.name}ParentRecord`, description: `Record types that \`parent\` of \`${child.name}\` can be.` },
      key: owners[0]!.relation.to,
      ...(typed.length > 0 ? { typedBy: 'parentType' } : {}),
      models: new Map(models),
    });
  });

/** The resolver classes of the records whose type another property says: `document` for `documentId`. */
export const typedReads = (records: readonly RecordClass[]): RecordClass[] =>
  records.map(modelOf).flatMap((model) =>
    [...model.props.values()].flatMap((prop) => {
      const { name: key, shownAs: name, typedBy } = prop;
      if (name === undefined || typedBy === undefined) return [];
      return namedRead(model, {
        name,
        description: `Record that \`${key}\` names; null without one, or if its type is not stored here.`,
        union: {
          name: `${model.name}${name[0]!.toUpperCase()}${name.slice(1)}Record`,
          description: `Record types that \`${name}\` of \`${model.name}\` can be.`,
        },
        key,
        typedBy,
        models: typedTargets(model, prop),
      });
    }),
  );

function namedRead(source: Model, { name, description, union, key, typedBy, models }: NamedRecord): RecordClass {
  const [first, ...others] = [...models.values()];
  const Named =
    others.length === 0
      ? first!.class
      : createUnionType({
          ...union,
          // A record class may be abstract by its type; those with a table are not.
          types: () => [...models.values()].map((model) => model.class as new () => object),
          resolveType: (value: { __typename?: string }) => value.__typename,
        });

  @Resolver(() => source.class)
  class NamedResolver {
    @needs<object>(source.class, 'companyId', key, ...(typedBy === undefined ? [] : [typedBy]))
    @FieldResolver(() => Named, { name, nullable: true, description })
    @Extensions({ rest: 'never' })
    [name](
      @Root() row: { companyId: number } & Record<string, unknown>,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row | null> | null {
      const model = typedBy === undefined ? first : models.get(String(row[typedBy]));
      const number = row[key];
      return model && number != null ? loadRecord(context, info, model.class, { key: Number(number), companyId: row.companyId }) : null;
    }
  }
  return NamedResolver;
}

/** The resolver classes of the records that lists of numbers name: `purchaseOrders` for `purchaseOrderIds`. */
export const listedReads = (records: readonly RecordClass[]): RecordClass[] =>
  records.flatMap((record) => {
    const model = modelOf(record);
    return [...model.props.values()].flatMap(({ kind, name, target, isOtherSide }) =>
      kind === 'list' && target && !isOtherSide ? [listedRead(model, name, modelOf(target()))] : [],
    );
  });

function listedRead(source: Model, property: string, target: Model): RecordClass {
  const name = target.plural!;

  @Resolver(() => source.class)
  class ListedResolver {
    @needs<object>(source.class, 'companyId', property)
    @FieldResolver(() => [target.class], {
      name,
      description: `Records that \`${property}\` names, in its order, without those that are not stored here.`,
    })
    @Extensions({ rest: 'never' })
    async [name](
      @Root() row: { companyId: number } & Record<string, number[] | null>,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row[]> {
      const keys = (row[property] ?? []).filter((key) => typeof key === 'number').map((key) => ({ key, companyId: row.companyId }));
      const found = keys.length === 0 ? [] : await loadRecords(context, info, target.class, keys);
      return found.filter((record) => record !== null);
    }
  }
  return ListedResolver;
}
