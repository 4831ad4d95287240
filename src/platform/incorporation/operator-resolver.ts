// Operator mutations on incorporation requests. Success creates the business entity and its registration in the corporate registry.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, ID, Info, InputType, Mutation, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import { operate, reasonArgument } from '../../administration/operator-transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import type { Row } from '../../database/reader/projection.ts';
import type { TopicName } from '../../events/topics.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { LocalDate } from '../../records/scalars.ts';
import { insertIdentifier } from '../business-entities/identifier-writes.ts';
import { type EntityScope, insertEntity, insertEntityRegistration } from '../business-entities/writes.ts';
import { formOfRequest } from '../shared/corporation-types.ts';
import { payloadOf } from '../shared/payloads.ts';
import type { StateOf } from '../shared/states.ts';
import { moveTo } from '../shared/transitions.ts';
import { reissueLink } from './form-link.ts';
import { emitIncorporation, IncorporationRequest, lockRequest } from './request.ts';
import { readPayload } from './resolver.ts';

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

const InfoPayload = payloadOf(IncorporationRequest, 'requestIncorporationInfo', 'incorporationRequest');
const CompletePayload = payloadOf(IncorporationRequest, 'completeIncorporation', 'incorporationRequest');
const FailPayload = payloadOf(IncorporationRequest, 'failIncorporation', 'incorporationRequest');

interface Transition {
  id: string;
  reason: string | null;
  context: RequestContext;
  info: GraphQLResolveInfo;
  to: StateOf<'incorporationStatus'>;
  topic: TopicName;
}

/** Runs one transition: the new state, the work, the event and the audit log in one transaction. Then reads the record back. */
async function runTransition(
  { id, reason, context, info, to, topic }: Transition,
  work: (request: IncorporationRequest, em: EntityManager) => Promise<void> | void,
): Promise<Row> {
  const { organisationId } = await operate(context, IncorporationRequest, { id, reason }, async (em, organisation) => {
    const request = await lockRequest(em, id);
    moveTo(request, 'status', 'incorporationStatus', to, context.services.clock.now());
    await work(request, em);
    emitIncorporation(em, context, organisation, id, topic);
  });
  return readPayload(context, info, id, organisationId);
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

const ID_TEXT = 'Id of the request.';

@Resolver()
export class IncorporationOperatorResolver {
  @access('ADMIN')
  @Mutation(() => InfoPayload, { description: 'Requests more information than the form has, and issues a new link to the form.' })
  requestIncorporationInfo(
    @Arg('id', () => ID, { description: ID_TEXT }) id: string,
    @Arg('note', () => String, { description: 'Required information, shown to the person who completes the form.' }) note: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const text = note.trim();
    if (text === '' || text.length > 2_000) throw invalid('note', 'note must have 1 to 2000 characters', 'OUT_OF_RANGE');
    return runTransition(
      {
        id,
        reason,
        context,
        info,
        to: 'NeedsAdditionalInfo',
        topic: 'INCORPORATION_REQUEST.NEEDS_ADDITIONAL_INFO',
      },
      (request) => {
        reissueLink(request, context.services);
        request.note = text;
      },
    );
  }

  @access('ADMIN')
  @Mutation(() => CompletePayload, {
    description: 'Records that the company exists; creates its business entity with the registration in the corporate registry.',
  })
  async completeIncorporation(
    @Arg('id', () => ID, { description: ID_TEXT }) id: string,
    @Arg('entity', () => FormedCompanyInput, { description: 'The company.' }) company: FormedCompanyInput,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    if ((company.registerNumber == null) !== (company.registerNumberKey == null))
      throw new GatewayError('MISSING_PARAMS', 'registerNumber and registerNumberKey must be given together', {
        field: 'entity.registerNumberKey',
      });
    return runTransition({ id, reason, context, info, to: 'Succeeded', topic: 'INCORPORATION_REQUEST.COMPLETED' }, (request, em) =>
      formCompany({ em, services: context.services, organisationId: request.organisationId }, request, company),
    );
  }

  @access('ADMIN')
  @Mutation(() => FailPayload, { description: 'Records that the company could not be formed, or that the request was abandoned.' })
  failIncorporation(
    @Arg('id', () => ID, { description: ID_TEXT }) id: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return runTransition({ id, reason, context, info, to: 'Failed', topic: 'INCORPORATION_REQUEST.FAILED' }, (request) => {
      request.draft = null;
    });
  }
}
