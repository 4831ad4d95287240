// Apollo Federation: this schema as a subgraph whose entities are all records with a global id. Part of the schema where FEDERATION is on.
import {
  type GraphQLResolveInfo,
  GraphQLScalarType,
  type GraphQLSchema,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { Arg, Ctx, createUnionType, Extensions, Field, Info, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext, Services } from '../../access/context.ts';
import type { Row } from '../../database/reader/projection.ts';
import { isPlainObject } from '../../records/checked.ts';
import { invalid } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { CacheKey } from '../../runtime/caches.ts';
import { MAX_IDS, readNodes } from '../node.ts';
import { schemaText } from '../schema.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])';
/** What federation adds to a schema; the SDL of a subgraph does not name it. */
const OWN_TYPES = new Set(['_Any', '_Entity', '_Service']);
const OWN_FIELDS = new Set(['_entities', '_service']);
/** Types that other subgraphs define in the same way, by the specification of connections. */
const SHARED_TYPES = new Set(['PageInfo']);

const directive = (text: string): NonNullable<ObjectTypeDefinitionNode['directives']> =>
  (parse(`type T ${text} { f: Int }`).definitions[0] as ObjectTypeDefinitionNode).directives!;
const KEY = directive('@key(fields: "id")');
const SHAREABLE = directive('@shareable');

/** The SDL of a schema as a subgraph. */
function subgraphText(schema: GraphQLSchema): string {
  const document = visit(parse(schemaText(schema)), {
    enter: (node) =>
      ('name' in node && node.name && 'kind' in node.name && OWN_TYPES.has(node.name.value) && node.kind.endsWith('TypeDefinition')) ||
      (node.kind === Kind.FIELD_DEFINITION && OWN_FIELDS.has(node.name.value))
        ? null
        : undefined,
    // Composition does not know it; the gateway checks these inputs itself.
    Directive: { enter: (node) => (node.name.value === 'oneOf' ? null : undefined) },
    ObjectTypeDefinition: {
      leave(node) {
        if (OWN_TYPES.has(node.name.value)) return null;
        const isEntity = node.interfaces?.some(({ name }) => name.value === 'Node');
        const added = [...(isEntity ? KEY : []), ...(SHARED_TYPES.has(node.name.value) ? SHAREABLE : [])];
        return added.length > 0 ? { ...node, directives: [...(node.directives ?? []), ...added] } : undefined;
      },
    },
  });
  return `${LINK}\n\n${print(document)}\n`;
}

const texts = new CacheKey('federation_sdl', (_: Services) => new Map<'sdl', string>());

const Any = new GraphQLScalarType<unknown, unknown>({
  name: '_Any',
  description: 'The representation of an entity by a federation router: an object with `__typename` and `id`.',
  parseValue: (value) => value,
  parseLiteral: (node) => valueFromASTUntyped(node),
});

@ObjectType('_Service', { description: 'This schema as a subgraph of a federation.', simpleResolvers: true })
class Service {
  @Field(() => String, { description: 'The schema in the language of federation: records with a global id have the key `id`.' })
  sdl!: string;
}

/** What a representation names, by its type and global id. */
function named(representation: unknown, at: number): { type: unknown; id: string } {
  const { __typename: type, id } = isPlainObject(representation) ? representation : {};
  if (typeof type === 'string' && typeof id === 'string') return { type, id };
  throw invalid(`representations[${at}]`, `representations[${at}] must be an object with the texts __typename and id`, 'INVALID_TYPE');
}

/** The resolver of the fields that a federation router asks for; its entities are those of the records that have a global id. */
export function federationResolver(records: readonly RecordClass[]): RecordClass {
  const nodes = records.filter((target) => modelOf(target).node);
  const Entity = createUnionType({
    name: '_Entity',
    description: 'A record that a federation router can ask for by its key.',
    types: () => nodes as never,
    resolveType: (value: { __typename?: string }) => value.__typename,
  });

  @Resolver()
  class FederationResolver {
    @access()
    @Query(() => Service, { description: 'The schema for a federation router.' })
    _service(@Ctx() { services }: RequestContext): Service {
      const known = services.caches.of(texts);
      const sdl = known.get('sdl') ?? subgraphText(services.schema);
      known.set('sdl', sdl);
      return { sdl };
    }

    @access('PLATFORM', 'ENTITIES', 'INTEGRATIONS', 'ADMIN')
    @Query(() => [Entity], {
      nullable: 'items',
      description: 'The records that the representations name, in their order; null in the place of each that the key may not see.',
    })
    @Extensions({ sizedBy: ['representations'] })
    async _entities(
      @Arg('representations', () => [Any], { description: `Objects with \`__typename\` and \`id\`, at most ${MAX_IDS}.` })
      representations: unknown[],
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<(Row | null)[]> {
      if (representations.length > MAX_IDS)
        throw invalid('representations', `representations must have at most ${MAX_IDS} entries`, 'OUT_OF_RANGE');
      const wanted = representations.map(named);
      const rows = await readNodes(
        wanted.map(({ id }) => id),
        context,
        info,
      );
      return rows.map((row, at) => (row?.__typename === wanted[at]!.type ? row : null));
    }
  }
  return FederationResolver;
}
