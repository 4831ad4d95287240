// Administrators' operations on access keys.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, ID, Info, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { type WithKey } from '../access/access-keys.ts';
import { access } from '../access/authorise.ts';
import type { RequestContext } from '../access/context.ts';
import { Role, type RoleName } from '../access/principal.ts';
import { AccessKey } from '../access/tables.ts';
import type { FieldTree } from '../database/reader/field-tree.ts';
import { projectionFor, projectionOf, propOf, type Row } from '../database/reader/projection.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { GatewayError, invalid } from '../records/errors.ts';
import { modelOf } from '../records/metadata.ts';
import { DateTime, PositiveInt } from '../records/scalars.ts';
import { recordOperatorAction } from './audit-log.ts';

@InputType({ description: 'A key to issue.' })
export class IssueAccessKeyInput {
  @Field(() => String, { description: 'Organisation the key belongs to; a new name creates the organisation.' })
  @Extensions({ rules: { minLength: 1, maxLength: 255 } })
  organisationName!: string;
  @Field(() => [Role.values as never], { description: 'Roles of the key.' })
  @Extensions({ rules: { minItems: 1, unique: true } })
  roles!: RoleName[];
  @Field(() => String, { nullable: true, description: 'Free text that helps to recognise the key.' })
  @Extensions({ rules: { maxLength: 255 } })
  label?: string | null;
  @Field(() => [PositiveInt], { nullable: true, description: 'Companies the key is limited to; all of the organisation when absent.' })
  @Extensions({ rules: { minItems: 1, maxItems: 1000, unique: true } })
  companyIds?: number[] | null;
  @Field(() => DateTime, { nullable: true, description: 'When the key stops working; never when absent.' })
  expiresAt?: string | null;
}

@ObjectType({ description: 'A newly issued key.', simpleResolvers: true })
export class IssuedAccessKey {
  @Field(() => String, { description: 'The value of the key. It is shown here and never again.' }) key!: string;
  @Field(() => AccessKey, { description: 'The record of the key.' }) accessKey!: AccessKey;
}

@ObjectType({ description: 'Result of `revokeAccessKey`.', simpleResolvers: true })
export class RevokeAccessKeyPayload {
  @Field(() => AccessKey, { description: 'The record of the key.' }) accessKey!: AccessKey;
}

const model = modelOf(AccessKey);

async function readKey(context: RequestContext, id: string, tree: FieldTree | undefined): Promise<Row> {
  const row = tree
    ? await context.services.reader.row({
        projection: projectionFor(model, tree),
        tenant: null,
        where: [{ prop: propOf(model, 'id'), operator: 'eq', value: id }],
        primary: true,
      })
    : {};
  if (!row) throw new GatewayError('ACCESS_KEY_NOT_FOUND', `no access key has the id ${id}`);
  return row;
}

const HOUR = 3_600_000;

const auditOf =
  (context: RequestContext, action: string): WithKey =>
  (em, organisationId, id) =>
    recordOperatorAction(em, context, organisationId, { action, id });

@Resolver()
export class AccessResolver {
  @access('ADMIN')
  @Mutation(() => IssuedAccessKey, { description: 'Issues a key. Its value is in the answer and nowhere else.' })
  async issueAccessKey(
    @Arg('input', () => IssueAccessKeyInput, { description: 'The key to issue.' }) input: IssueAccessKeyInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    if (input.expiresAt && input.expiresAt <= context.services.clock.now().toISOString())
      throw invalid('expiresAt', 'expiresAt must be in the future');
    const { key, id } = await context.services.keys.issue(input, { also: auditOf(context, 'issueAccessKey') });
    return { key, accessKey: await readKey(context, id, lookAhead(info).fields.get('accessKey')) };
  }

  @access('ADMIN')
  @Mutation(() => RevokeAccessKeyPayload, { description: 'Ends a key. Every process refuses it within five seconds.' })
  async revokeAccessKey(
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    await context.services.keys.end(id, context.services.clock.now(), 'revokedAt', auditOf(context, 'revokeAccessKey'));
    return { accessKey: await readKey(context, id, lookAhead(info).fields.get('accessKey')) };
  }

  @access('ADMIN')
  @Mutation(() => IssuedAccessKey, {
    description: 'Issues a successor with the same rights; the old key keeps working for the grace period.',
  })
  async rotateAccessKey(
    @Arg('id', () => ID, { description: 'Id of the key to replace.' }) id: string,
    @Arg('graceHours', () => Int, { defaultValue: 24, description: 'Hours the old key keeps working, 0 to 720.' }) graceHours: number,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    if (graceHours < 0 || graceHours > 720) throw invalid('graceHours', 'graceHours must be between 0 and 720', 'OUT_OF_RANGE');
    const { keys, clock, reader } = context.services;
    const old = await reader.row({
      projection: projectionOf(model, ['id', 'organisationName', 'roles', 'label', 'companyIds', 'expiresAt', 'revokedAt']),
      tenant: null,
      where: [{ prop: propOf(model, 'id'), operator: 'eq', value: id }],
      primary: true,
    });
    if (!old || old.revokedAt !== null) throw new GatewayError('ACCESS_KEY_NOT_FOUND', `no live access key has the id ${id}`);
    const also = auditOf(context, 'rotateAccessKey');
    const issued = await keys.issue(old as never, { also });
    await keys.end(id, new Date(clock.now().getTime() + graceHours * HOUR), 'expiresAt', also);
    return { key: issued.key, accessKey: await readKey(context, issued.id, lookAhead(info).fields.get('accessKey')) };
  }

  @access('ADMIN')
  @Query(() => [AccessKey], { description: 'The keys of an organisation, oldest first.' })
  accessKeys(
    @Arg('organisationName', () => String, { description: 'Name of the organisation.' }) organisationName: string,
    @Arg('first', () => Int, { defaultValue: 100, description: 'Page size, 1 to 100.' }) first: number,
    @Arg('after', () => ID, { nullable: true, description: 'Id of the last key of the previous page.' }) after: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row[]> {
    if (first < 1 || first > 100) throw invalid('first', 'first must be an integer from 1 to 100', 'OUT_OF_RANGE');
    return context.services.reader.rows({
      projection: projectionFor(model, lookAhead(info)),
      tenant: null,
      where: [{ prop: propOf(model, 'organisationName'), operator: 'eq', value: organisationName }],
      order: [{ prop: propOf(model, 'id'), descending: false }],
      limit: first,
      after: after ? [after] : undefined,
      primary: true,
    });
  }
}
