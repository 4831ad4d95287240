// What authorities say of tax ids, on the records that have them: corporations and business entities. Other records use `verificationOf`.
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Extensions, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import { needs } from '../../database/reader/projection.ts';
import { byGroup, LevelLoaders } from '../../graphql/level-loaders.ts';
import { GovernmentIdentifier } from '../business-entities/business-entity.ts';
import { TaxId } from '../corporations/corporation.ts';
import { checkIdentifier } from '../shared/government-identifiers.ts';
import { FORMAT_ONLY, TaxIdVerification, VerifiedTaxId } from './verification.ts';

/** A number whose stored response is read; of another organisation where the record is. */
interface Asked {
  type: string;
  value: string;
  organisationId?: number;
}

const SHOWN = ['type', 'number', 'state', 'source', 'checkedAt', 'name', 'address', 'reference'] as const;

/** A number as responses are stored by it; undefined for one without the format of its kind. */
function numberOf({ type, value }: Asked): string | undefined {
  const checked = checkIdentifier(type, value);
  return checked.ok ? checked.value.compact : undefined;
}

async function readVerifications(context: RequestContext, asked: readonly Asked[]): Promise<TaxIdVerification[]> {
  const numbers = asked.map(numberOf);
  const where = {
    type: { in: [...new Set(asked.map(({ type }) => type))] },
    number: { in: numbers.filter((number) => number !== undefined) },
  };
  const rows = await context.services.reader.find(VerifiedTaxId, { where }, SHOWN, scopeOf(context, asked[0]!.organisationId));
  const found = new Map(rows.map((row) => [`${row.type} ${row.number}`, row]));
  return asked.map(({ type }, at) => found.get(`${type} ${numbers[at]}`) ?? FORMAT_ONLY);
}

const verifications = new LevelLoaders<Asked, TaxIdVerification>('tax_id_verifications', (context, _, asked) =>
  byGroup(
    asked,
    ({ organisationId }) => organisationId,
    (group) => readVerifications(context, group),
  ),
);

/** What is known of a number; the numbers of one level of a response are read with one statement. */
export const verificationOf = (context: RequestContext, info: GraphQLResolveInfo, asked: Asked): Promise<TaxIdVerification> =>
  verifications.load(context, info, asked);

const description = 'What is known of the number beyond its format; `verifyTaxId` has it checked.';

@Resolver(() => TaxId)
export class TaxIdVerificationField {
  @needs(TaxId, 'type', 'value')
  @FieldResolver(() => TaxIdVerification, { description })
  @Extensions({ rest: 'never' })
  verification(
    @Root() { type, value }: TaxId,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<TaxIdVerification> {
    return verificationOf(context, info, { type, value });
  }
}

@Resolver(() => GovernmentIdentifier)
export class IdentifierVerificationField {
  @needs(GovernmentIdentifier, 'key', 'value', 'organisationId')
  @FieldResolver(() => TaxIdVerification, { description })
  @Extensions({ rest: 'never' })
  verification(
    @Root() { key, value, organisationId }: Pick<GovernmentIdentifier, 'key' | 'value' | 'organisationId'>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<TaxIdVerification> {
    return verificationOf(context, info, { type: key, value, organisationId });
  }
}
