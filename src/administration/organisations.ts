// The organisations of the gateway, for operators.
import { Args, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../access/authorise.ts';
import type { RequestContext } from '../access/context.ts';
import { Organisation } from '../access/tables.ts';
import { cursorArguments, PageInfo } from '../graphql/connections.ts';
import { Cursors } from '../graphql/cursors.ts';
import { invalid } from '../records/errors.ts';
import { DateTime } from '../records/scalars.ts';

@ObjectType({ description: 'An organisation, as operators see it.', simpleResolvers: true })
export class OperatedOrganisation {
  @Field(() => ID, { description: 'Public id, `org_…`.' }) id!: string;
  @Field(() => String, { description: 'Name, unique.' }) name!: string;
  @Field(() => DateTime, { description: 'When it was created.' }) createdAt!: string;
}

@ObjectType({ description: 'A page of the organisations.', simpleResolvers: true })
export class OperatedOrganisationPage {
  @Field(() => [OperatedOrganisation], { description: 'Organisations, sorted by id.' }) nodes!: OperatedOrganisation[];
  @Field(() => PageInfo, { description: 'Position of the page in the list.' }) pageInfo!: PageInfo;
}

const PageOptions = cursorArguments(100);

@Resolver()
export class OrganisationResolver {
  @access('ADMIN')
  @Query(() => OperatedOrganisationPage, { description: 'The organisations of the gateway, oldest first.' })
  async organisations(
    @Args(() => PageOptions) page: InstanceType<typeof PageOptions>,
    @Ctx() { services }: RequestContext,
  ): Promise<OperatedOrganisationPage> {
    const cursors = new Cursors(services.signer, { list: 'organisations', organisationId: 0, order: 'id', filter: null });
    const first = page.first ?? page.defaultSize;
    if (first < 1 || first > 100) throw invalid('first', 'first must be an integer from 1 to 100', 'OUT_OF_RANGE');
    const after = page.after == null ? 0 : (cursors.decode(page.after, 'after')[0] as number);
    const query = { where: { id: { gt: after } }, order: { by: [] }, limit: first + 1 };
    const rows = await services.reader.find(Organisation, query, ['id', 'publicId', 'name', 'createdAt'], { tenant: null });
    const shown = rows.slice(0, first);
    const cursor = (row: (typeof rows)[number] | undefined): never => (row ? cursors.encode([row.id]) : null) as never;
    return {
      nodes: shown.map(({ publicId, name, createdAt }) => ({ id: publicId, name, createdAt })),
      pageInfo: {
        hasNextPage: rows.length > first,
        hasPreviousPage: after > 0,
        startCursor: cursor(shown[0]),
        endCursor: cursor(shown.at(-1)),
      },
    };
  }
}
