// Operator mutations on incorporation requests. Success creates the business entity and its registration in the corporate registry.
import { Extensions, Field, InputType } from 'type-graphql';
import type { RequestContext } from '../../access/context.ts';
import { type OperatorCall, operate, reason } from '../../administration/operator-transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import type { TopicName } from '../../events/topics.ts';
import { argument, resolver } from '../../graphql/declared/fields.ts';
import { recordMutation, type Written } from '../../graphql/declared/payloads.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { LocalDate } from '../../records/scalars.ts';
import { insertIdentifier } from '../business-entities/identifier-writes.ts';
import { type EntityScope, insertEntity, insertEntityRegistration } from '../business-entities/writes.ts';
import { formOfRequest } from '../shared/corporation-types.ts';
import type { StateOf } from '../shared/states.ts';
import { moveTo } from '../shared/transitions.ts';
import { reissueLink } from './form-link.ts';
import { emitIncorporation, IncorporationRequest, lockRequest } from './request.ts';
import { requestId } from './resolver.ts';

const line = { rules: { minLength: 1, maxLength: 255 } };

@InputType({ description: 'The company that was formed.' })
@Extensions({ trims: true })
export class FormedCompanyInput {
  @Field(() => String, { nullable: true, description: 'Registered name; defaults to the first name in the form.' })
  @Extensions(line)
  legalName?: string | null;
  @Field(() => LocalDate, { description: 'Day of incorporation.' }) effectiveStartDate!: string;
  @Field(() => String, { nullable: true, description: 'Kind of the register number, such as IN_CIN.' })
  @Extensions(line)
  registerNumberKey?: string | null;
  @Field(() => String, { nullable: true, description: 'Register number of the company.' }) @Extensions(line) registerNumber?: string | null;
}

/** Runs one transition: the new state, the work, the event and the audit log in one transaction. */
async function transition(
  context: RequestContext,
  { id, reason }: OperatorCall & { id: string },
  [to, topic]: [StateOf<'incorporationStatus'>, TopicName],
  work: (request: IncorporationRequest, em: EntityManager) => Promise<void> | void,
): Promise<Written> {
  const { organisationId } = await operate(context, IncorporationRequest, { id, reason: reason ?? null }, async (em, organisation) => {
    const request = await lockRequest(em, id);
    moveTo(request, 'status', 'incorporationStatus', to, context.services.clock.now());
    await work(request, em);
    emitIncorporation(em, context, organisation, id, topic);
  });
  return { id, organisationId };
}

async function formCompany(scope: EntityScope, request: IncorporationRequest, company: FormedCompanyInput): Promise<void> {
  const { id, country, state } = request;
  const corporationType = formOfRequest(country, request.corporationType)!;
  const legalName = company.legalName ?? request.answers!.companyNames[0]!;
  const entity = await insertEntity(scope, { legalName, country, state, corporationType, incorporationRequestId: id });
  const registrationId = insertEntityRegistration(scope, entity, {
    purpose: 'CORPORATE_REGISTRY',
    displayName: 'Corporate registry',
    description: `Incorporation of ${legalName}.`,
    jurisdiction: state,
    effectiveStartDate: company.effectiveStartDate,
    status: 'VALID',
    registrationStatus: 'ACTIVE',
  });
  if (company.registerNumber && company.registerNumberKey) {
    await insertIdentifier(scope, entity, {
      key: company.registerNumberKey,
      value: company.registerNumber,
      jurisdiction: state,
      isFunctionCritical: true,
      registrationIds: [registrationId],
    });
  }
  request.businessEntityId = entity.businessEntityId;
}

const roles = ['ADMIN'] as const;

const change = recordMutation(IncorporationRequest, { roles });

export const IncorporationOperatorResolver = resolver({
  requestIncorporationInfo: change(
    'Requests more information than the form has, and issues a new link to the form.',
    {
      id: requestId,
      note: argument<string>(() => String, 'Required information, shown to the person who completes the form.'),
      reason,
    },
    ({ note, ...call }, { context }) => {
      const text = note.trim();
      if (text === '' || text.length > 2_000) throw invalid('note', 'note must have 1 to 2000 characters', 'OUT_OF_RANGE');
      return transition(context, call, ['NeedsAdditionalInfo', 'INCORPORATION_REQUEST.NEEDS_ADDITIONAL_INFO'], (request) => {
        reissueLink(request, context.services);
        request.note = text;
      });
    },
  ),
  completeIncorporation: change(
    'Records that the company exists; creates its business entity with the registration in the corporate registry.',
    { id: requestId, entity: argument<FormedCompanyInput>(() => FormedCompanyInput, 'The company.'), reason },
    ({ entity, ...call }, { context }) => {
      if ((entity.registerNumber == null) !== (entity.registerNumberKey == null))
        throw new GatewayError('MISSING_PARAMS', 'registerNumber and registerNumberKey must be given together', {
          field: 'entity.registerNumberKey',
        });
      return transition(context, call, ['Succeeded', 'INCORPORATION_REQUEST.COMPLETED'], (request, em) =>
        formCompany({ em, services: context.services, organisationId: request.organisationId }, request, entity),
      );
    },
  ),
  failIncorporation: change(
    'Records that the company could not be formed, or that the request was abandoned.',
    { id: requestId, reason },
    (call, { context }) =>
      transition(context, call, ['Failed', 'INCORPORATION_REQUEST.FAILED'], (request) => {
        request.draft = null;
      }),
  ),
});
