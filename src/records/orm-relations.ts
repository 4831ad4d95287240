// Declares the relations of the records to the ORM, from the declarations that make their GraphQL fields.
import { ManyToOne, OneToMany } from '@mikro-orm/decorators/legacy';
import { type Model, modelOf, propOf, type Relation } from './metadata.ts';

/** Property that names the type of a child's parent, where parents are of several types. */
const PARENT_TYPE = 'parentType';

/** Models whose relations are declared already; a process may open several databases. */
const declared = new Set<Model>();

/**
 * Declares every relation of the records. The columns stay properties of their own, so the relations are not persisted: they are populated and
 * joined, and a write sets the column. A reference inside a company is found by company and number, like its foreign key.
 */
export function declareRelations(models: readonly Model[]): void {
  const open = models.filter((model) => !declared.has(model));
  for (const model of open) {
    declared.add(model);
    for (const relation of model.relations.values()) if (!relation.many) declareOne(model, relation);
  }
  const parents = new Map<Model, { model: Model; relation: Relation }[]>();
  for (const model of open) {
    for (const relation of model.relations.values()) {
      if (!relation.many) continue;
      const target = modelOf(relation.target());
      if (relation.where?.[PARENT_TYPE] === undefined) declareMany(model, relation, backOf(model, relation));
      else {
        parents.set(target, [...(parents.get(target) ?? []), { model, relation }]);
        declareMany(model, relation, 'parent');
      }
    }
  }
  for (const [child, owners] of parents) declareParent(child, owners);
}

/**
 * The properties that lead to a record, in the order of its key. They are the company, where the key has it, and the record's own name for the rest
 * of the key.
 */
function keyWith({ primaryKey }: Model, own: string): string[] {
  if (!primaryKey.includes('companyId')) return [own];
  return primaryKey[0] === 'companyId' ? ['companyId', own] : [own, 'companyId'];
}

const columnsOf = (model: Model, names: readonly string[]): string[] => names.map((name) => propOf(model, name).column);

/** A relation to one record: by its key, and by the company where that is part of it. */
function declareOne(model: Model, { name, from, to, target: targetOf }: Relation): void {
  const target = modelOf(targetOf());
  ManyToOne({
    entity: () => target.class,
    joinColumns: columnsOf(model, keyWith(target, from)),
    referencedColumnNames: columnsOf(target, keyWith(target, to)),
    nullable: true,
    persist: false,
  })(model.class.prototype, name);
}

function declareMany(model: Model, { name, target, where }: Relation, mappedBy: string): void {
  const conditions = Object.entries(where ?? {}).filter(([property]) => property !== PARENT_TYPE);
  OneToMany({
    entity: () => target(),
    mappedBy,
    ...(conditions.length > 0 ? { where: Object.fromEntries(conditions) } : {}),
  })(model.class.prototype, name);
}

/** The name of the relation from the records of a list back to their owner; declares it where the target does not. */
function backOf(model: Model, relation: Relation): string {
  const target = modelOf(relation.target());
  const known = [...target.relations.values()].find((one) => one.from === relation.to && !one.many && one.target() === model.class);
  if (known) return known.name;
  const name = relation.inverse || relation.to.replace(/Id$/, '');
  declareOne(target, { ...relation, name, from: relation.to, to: relation.from, target: () => model.class, many: false });
  return name;
}

/** The relation from a child to its parent, whose type is in a column of the child. */
function declareParent(child: Model, owners: readonly { model: Model; relation: Relation }[]): void {
  const [{ model, relation }] = owners as [(typeof owners)[number]];
  const [type, ...key] = columnsOf(child, [PARENT_TYPE, ...keyWith(model, relation.to)]);
  // The ORM reads this order of columns; its published types leave it out.
  const layout = { fieldNames: [type!, ...key] };
  ManyToOne({
    entity: () => owners.map(({ model }) => model.class),
    discriminator: 'parent',
    discriminatorMap: Object.fromEntries(owners.map(({ model, relation }) => [relation.where![PARENT_TYPE]!, model.name])),
    ...layout,
    joinColumns: key,
    referencedColumnNames: columnsOf(model, keyWith(model, relation.from)),
    nullable: true,
    persist: false,
  })(child.class.prototype, 'parent');
}
