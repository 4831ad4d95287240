// What an authority says of the tax number of a contact.
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Extensions, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../access/context.ts';
import { needs } from '../../database/reader/projection.ts';
import { prefixedVatNumber } from '../../platform/shared/government-identifiers.ts';
import { verificationOf } from '../../platform/tax-ids/fields.ts';
import { TaxIdVerification } from '../../platform/tax-ids/verification.ts';
import { Contact } from '../records/contact.ts';

@Resolver(() => Contact)
export class ContactVerificationField {
  @needs(Contact, 'taxNumber')
  @FieldResolver(() => TaxIdVerification, {
    nullable: true,
    description:
      'What is known of `taxNumber` beyond its format; `verifyTaxId` without a type has it checked. Null where its kind is not known: anything but a number for value added tax with its letters, such as DE136695976.',
  })
  @Extensions({ rest: 'never' })
  taxNumberVerification(
    @Root() { taxNumber }: Pick<Contact, 'taxNumber'>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<TaxIdVerification> | null {
    const known = taxNumber === null ? undefined : prefixedVatNumber(taxNumber);
    return known ? verificationOf(context, info, known) : null;
  }
}
