// The query and the mutation of the hosted incorporation form. Callers are not authenticated: the key of the signed link is the permission.
import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { organisationTransaction, systemTransaction } from '../../database/transaction.ts';
import { type StoredUpload, takingUpload, Upload, type UploadValue } from '../../files/stored-file.ts';
import { defineEnum } from '../../records/enums.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { DateTime, JSONObject } from '../../records/scalars.ts';
import { adoptUpload, MAX_FILE_BYTES } from '../files/resolver.ts';
import { accept } from '../shared/checks.ts';
import { formOfRequest } from '../shared/corporation-types.ts';
import type { StateOf } from '../shared/states.ts';
import { moveTo } from '../shared/transitions.ts';
import { type FormField, formRules, type Ownership, type Role } from './form-fields.ts';
import { checkFormKey, type LinkFacts } from './form-link.ts';
import { checkIncorporationForm, type IncorporationForm } from './form-rules.ts';
import { emitIncorporation, IncorporationStatus, incorporationState, isOpen, unknownRequest } from './request.ts';

export const FormFieldKind = defineEnum<FormField['kind']>('FormFieldKind', 'Kind of answer the incorporation form asks for.', {
  names: 'An array of names, in order of preference.',
  url: 'A web address.',
  longtext: 'Text of several lines.',
  monthDay: 'A month and day, MM-DD.',
  address: 'An object with addressLine1, addressLine2, city, state, postalCode and country.',
  integer: 'A whole number.',
  persons: 'An array of persons with fullName, email, roles and, depending on the ownership, shares or interestPercent.',
  file: 'A file, uploaded beside the answers.',
});

export const OwnershipKind = defineEnum<Ownership>('OwnershipKind', 'How the ownership of a company is split.', {
  SHARES: 'By shares of the authorised total.',
  INTERESTS: 'By percentages.',
  NONE: 'Not split: a branch has no owners of its own.',
});

@ObjectType({ description: 'A question of the incorporation form.', simpleResolvers: true })
export class IncorporationFormField {
  @Field(() => String, { description: 'Name of the answer.' }) name!: string;
  @Field(() => String, { description: 'The question.' }) label!: string;
  @Field(() => FormFieldKind.values as never, { description: 'Kind of answer.' }) kind!: string;
  @Field(() => Boolean, { description: 'Whether an answer is needed.' }) required!: boolean;
}

@ObjectType({ description: 'A role a key person can have.', simpleResolvers: true })
export class IncorporationFormRole {
  @Field(() => String, { description: 'The role.' }) role!: Role;
  @Field(() => Int, { description: 'Fewest persons with it.' }) atLeast!: number;
  @Field(() => Int, { nullable: true, description: 'Most persons with it.' }) atMost!: number | null;
}

@ObjectType({ description: 'The form of an incorporation request.', simpleResolvers: true })
export class IncorporationFormDefinition {
  @Field(() => ID, { description: 'Id of the request.' }) id!: string;
  @Field(() => String, { description: 'Country of the company.' }) country!: string;
  @Field(() => String, { nullable: true, description: 'Its sub-division.' }) state!: string | null;
  @Field(() => String, { description: 'Its corporation type.' }) corporationType!: string;
  @Field(() => IncorporationStatus.values as never, { description: 'Status of the request.' }) status!: string;
  @Field(() => Boolean, { description: 'Whether the form can be submitted now.' }) isOpen!: boolean;
  @Field(() => String, { nullable: true, description: 'Information an operator still needs.' }) note!: string | null;
  @Field(() => OwnershipKind.values as never, { description: 'How ownership is split.' }) ownership!: Ownership;
  @Field(() => [IncorporationFormRole], { description: 'Roles of key persons.' }) roles!: IncorporationFormRole[];
  @Field(() => [IncorporationFormField], { description: 'The questions, in order.' }) fields!: readonly FormField[];
  @Field(() => JSONObject, { nullable: true, description: 'The answers of the last submission.' }) answers!: object | null;
  @Field(() => DateTime, { description: 'When the link expires.' }) expiresAt!: string;
}

@ObjectType({ description: 'Result of `submitIncorporationForm`.', simpleResolvers: true })
export class SubmitIncorporationFormPayload {
  @Field(() => ID, { description: 'Id of the request.' }) id!: string;
  @Field(() => IncorporationStatus.values as never, { description: 'Status of the request now.' }) status!: string;
}

interface StoredRequest extends LinkFacts {
  organisationId: number;
  state: string | null;
  corporationType: string;
  status: StateOf<'incorporationStatus'>;
  note: string | null;
  answers: IncorporationForm | null;
}

/** The request that a link opens. A wrong key gets the error of an unknown id, so that callers cannot learn which ids exist. */
async function openedBy({ services }: RequestContext, id: string, country: string, key: string): Promise<StoredRequest> {
  const [row] = await systemTransaction(services.database, (em) =>
    executeIn<StoredRequest>(
      em,
      `select id, organisation_id as "organisationId", country, state, corporation_type as "corporationType", status, note, answers, nonce,
         to_char(link_expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "linkExpiresAt"
       from incorporation_request where id = $1 and country = $2`,
      [id, country.toUpperCase()],
    ),
  );
  const verdict = row ? checkFormKey(services, row, key) : 'wrong';
  if (!row || verdict === 'wrong') throw unknownRequest();
  if (row.status === 'Succeeded' || row.status === 'Failed') {
    throw new GatewayError('INVALID_STATE_TRANSITION', `this request has ended: it is ${row.status}`, { field: 'id' });
  }
  if (verdict === 'expired')
    throw new GatewayError(
      'LINK_EXPIRED',
      'this link has expired; ask its sender for a new one, which the mutation reissueIncorporationLink creates',
    );
  return { ...row, organisationId: Number(row.organisationId) };
}

const definitionOf = (request: StoredRequest): IncorporationFormDefinition => {
  const { ownership, roles, atLeast, atMost, fields } = formRules(
    request.country,
    formOfRequest(request.country, request.corporationType)!,
  );
  return {
    ...request,
    isOpen: isOpen(request.status),
    ownership,
    roles: roles.map((role) => ({ role, atLeast: atLeast[role] ?? 0, atMost: atMost?.[role] ?? null })),
    fields,
    expiresAt: request.linkExpiresAt,
  };
};

/** What the adapter of the hosted form knows before it reads the body of a submission. */
export interface OpenForm {
  organisationId: number;
  form: IncorporationFormDefinition;
}

/** The form that a link opens for submission. Throws the errors of `submitIncorporationForm` that do not depend on the answers. */
export async function formToHandIn(context: RequestContext, link: { id: string; country: string; key: string }): Promise<OpenForm> {
  const request = await openedBy(context, link.id, link.country, link.key);
  if (!isOpen(request.status)) {
    const message = 'this form was already submitted; a new link is sent if more information is needed';
    throw new GatewayError('INVALID_STATE_TRANSITION', message, { field: 'status' });
  }
  return { organisationId: request.organisationId, form: definitionOf(request) };
}

const PROOF = 'proofOfAddressFileId';

/** Checks the answers. They hold the id of the stored file, which only the server may set. */
function checkedAnswers(request: StoredRequest, given: Record<string, unknown>, hasFile: boolean): IncorporationForm {
  if (PROOF in given) throw invalid(`answers.${PROOF}`, `${PROOF} cannot be an answer: upload the file as proofOfAddress`, 'UNKNOWN_FIELD');
  const form = formOfRequest(request.country, request.corporationType)!;
  const asked = formRules(request.country, form).fields.some((field) => field.name === PROOF);
  if (hasFile && !asked) throw invalid('proofOfAddress', 'proofOfAddress is not asked for in this form', 'UNKNOWN_FIELD');
  const proof = hasFile ? 'new' : request.answers?.proofOfAddressFileId;
  return accept(checkIncorporationForm(request.country, form, proof && asked ? { ...given, [PROOF]: proof } : given), 'answers.');
}

async function storeSubmission(
  em: EntityManager,
  context: RequestContext,
  request: StoredRequest,
  answers: IncorporationForm,
): Promise<void> {
  const now = context.services.clock.now();
  await moveTo(em, incorporationState, request.id, 'InProgress', now);
  const rows = await executeIn(
    em,
    `update incorporation_request set answers = $2::jsonb, note = null, submitted_at = $3::timestamptz where id = $1 and nonce = $4 returning id`,
    [request.id, JSON.stringify(answers), now.toISOString(), request.nonce],
  );
  // Another link was issued after this one was checked.
  if (!rows[0]) throw unknownRequest();
  await emitIncorporation(em, context, request.organisationId, request.id, 'INCORPORATION_REQUEST.SUBMITTED');
}

@Resolver()
export class IncorporationFormResolver {
  @access()
  @Query(() => IncorporationFormDefinition, {
    description: 'The form a signed link opens. INCORPORATION_REQUEST_NOT_FOUND for a wrong key, LINK_EXPIRED for an expired one.',
  })
  async incorporationForm(
    @Arg('id', () => ID, { description: 'Id of the request.' }) id: string,
    @Arg('country', () => String, { description: 'Country in the link.' }) country: string,
    @Arg('key', () => String, { description: 'Key of the link.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<IncorporationFormDefinition> {
    return definitionOf(await openedBy(context, id, country, key));
  }

  @access()
  @Mutation(() => SubmitIncorporationFormPayload, { description: 'Submits the form a signed link opens. Every issue names its field.' })
  async submitIncorporationForm(
    @Arg('id', () => ID, { description: 'Id of the request.' }) id: string,
    @Arg('country', () => String, { description: 'Country in the link.' }) country: string,
    @Arg('key', () => String, { description: 'Key of the link.' }) key: string,
    @Arg('answers', () => JSONObject, { description: 'The answers by name of the question.' }) given: Record<string, unknown>,
    @Arg('proofOfAddress', () => Upload, { nullable: true, description: 'The proof of address, if the form asks for one.' })
    file: UploadValue | null,
    @Arg('proofOfAddressName', () => String, { nullable: true, description: 'File name of the proof of address.' }) fileName: string | null,
    @Ctx() context: RequestContext,
  ): Promise<SubmitIncorporationFormPayload> {
    const request = await openedBy(context, id, country, key);
    const { services } = context;
    const { organisationId } = request;
    const answers = checkedAnswers(request, given, file != null);
    const store = (upload?: StoredUpload): Promise<void> =>
      organisationTransaction(services.database, organisationId, async (em) => {
        if (upload)
          await adoptUpload(em, services, organisationId, upload, {
            purpose: 'SUPPORTING_DOCUMENT',
            used: true,
            argument: 'proofOfAddress',
          });
        await storeSubmission(em, context, request, upload ? { ...answers, [PROOF]: upload.fileId } : answers);
      });
    if (file)
      await takingUpload(services, organisationId, file, { name: fileName, maxBytes: MAX_FILE_BYTES, field: 'proofOfAddress' }, store);
    else await store();
    return { id, status: 'InProgress' };
  }
}
