// The query and the mutation of the hosted incorporation form. Callers are not authenticated: the key of the signed link is the permission.
import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { RequestContext } from '../../access/context.ts';
import { transactionFor } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { MAX_FILE_BYTES, type StoredUpload, takingUpload, Upload, type UploadValue } from '../../files/stored-file.ts';
import { argument, id, mutation, optional, query, resolver } from '../../graphql/declared/fields.ts';
import { accept } from '../../records/checked.ts';
import { defineEnum } from '../../records/enums.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import type { InputIssue } from '../../records/input-issue.ts';
import { notFound } from '../../records/not-found.ts';
import { CountryCode, DateTime, JSONObject } from '../../records/scalars.ts';
import { adoptUpload } from '../files/resolver.ts';
import { formOfRequest } from '../shared/corporation-types.ts';
import { lockRecord, moveTo } from '../shared/transitions.ts';
import { type FormField, formRules, type Ownership, type Role } from './form-fields.ts';
import { checkFormKey } from './form-link.ts';
import { checkIncorporationForm, type IncorporationForm } from './form-rules.ts';
import { emitIncorporation, IncorporationRequest, IncorporationStatus, isOpen } from './request.ts';

export const FormFieldKind = defineEnum<FormField['kind']>('FormFieldKind', 'Kind of answer to a question of the incorporation form.', {
  names: 'An array of names, in order of preference.',
  url: 'A web address.',
  longtext: 'Text of several lines.',
  monthDay: 'A month and day, MM-DD.',
  address: 'An object with addressLine1, addressLine2, city, state, postalCode and country.',
  integer: 'A whole number.',
  persons: 'An array of persons with fullName, email, roles and, depending on the ownership, shares or interestPercent.',
  file: 'A file, uploaded with the answers.',
});

export const OwnershipKind = defineEnum<Ownership>('OwnershipKind', 'How the ownership of a company is split.', {
  SHARES: 'By number of shares.',
  INTERESTS: 'By percentage.',
  NONE: 'Not split: a branch has no owners.',
});

@ObjectType({ description: 'A question of the incorporation form.', simpleResolvers: true })
export class IncorporationFormField {
  @Field(() => String, { description: 'Key of the answer.' }) name!: string;
  @Field(() => String, { description: 'Text of the question.' }) label!: string;
  @Field(() => FormFieldKind.values, { description: 'Kind of answer.' }) kind!: string;
  @Field(() => Boolean, { description: 'Whether an answer is required.' }) required!: boolean;
}

@ObjectType({ description: 'A role of a key person.', simpleResolvers: true })
export class IncorporationFormRole {
  @Field(() => String, { description: 'Role, such as DIRECTOR.' }) role!: Role;
  @Field(() => Int, { description: 'Minimum number of persons with the role.' }) atLeast!: number;
  @Field(() => Int, { nullable: true, description: 'Maximum number of persons with the role.' }) atMost!: number | null;
}

@ObjectType({ description: 'The form of an incorporation request.', simpleResolvers: true })
export class IncorporationFormDefinition {
  @Field(() => ID, { description: 'Id of the request.' }) id!: string;
  @Field(() => CountryCode, { description: 'Country of the company.' }) country!: string;
  @Field(() => String, { nullable: true, description: 'State or subdivision.' }) state!: string | null;
  @Field(() => String, { description: 'Legal form of the company.' }) corporationType!: string;
  @Field(() => IncorporationStatus.values, { description: 'Status of the request.' }) status!: string;
  @Field(() => Boolean, { description: 'Whether the form can be submitted now.' }) isOpen!: boolean;
  @Field(() => String, { nullable: true, description: 'Information that an operator still needs.' }) note!: string | null;
  @Field(() => OwnershipKind.values, { description: 'How ownership is split.' }) ownership!: Ownership;
  @Field(() => [IncorporationFormRole], { description: 'Roles of key persons.' }) roles!: IncorporationFormRole[];
  @Field(() => [IncorporationFormField], { description: 'The questions, in order.' }) fields!: readonly FormField[];
  @Field(() => JSONObject, { nullable: true, description: 'Answers of the last submission.' }) answers!: object | null;
  @Field(() => DateTime, { description: 'When the link expires.' }) expiresAt!: string;
}

@ObjectType({ description: 'Result of `submitIncorporationForm`.', simpleResolvers: true })
export class SubmitIncorporationFormPayload {
  @Field(() => ID, { description: 'Id of the request.' }) id!: string;
  @Field(() => IncorporationStatus.values, { description: 'Current status of the request.' }) status!: string;
}

/** The link of a form, as its address has it. */
export interface FormLink {
  id: string;
  country: string;
  key: string;
}

/** The request whose present link has this key, open or expired. A wrong key gets the error of an unknown id, so that callers cannot learn which ids exist. */
export async function linkedRequest(
  { services }: RequestContext,
  { id, country, key }: FormLink,
): Promise<{ request: IncorporationRequest; isExpired: boolean }> {
  const row = await systemTransaction(services.database, (em) =>
    em.findOne(IncorporationRequest, { id, country: country.toUpperCase() }, { filters: { tenant: false } }),
  );
  const verdict = row ? checkFormKey(services, row, key) : 'wrong';
  if (!row || verdict === 'wrong') throw notFound(IncorporationRequest, id, 'id');
  if (row.status === 'Succeeded' || row.status === 'Failed') {
    throw new GatewayError('INVALID_STATE_TRANSITION', `this request has ended: it is ${row.status}`, { field: 'id' });
  }
  return { request: row, isExpired: verdict === 'expired' };
}

/** The request that a link opens. */
async function openedBy(context: RequestContext, link: FormLink): Promise<IncorporationRequest> {
  const { request, isExpired } = await linkedRequest(context, link);
  if (isExpired)
    throw new GatewayError(
      'LINK_EXPIRED',
      'this link has expired; ask its sender for a new one, which the mutation reissueIncorporationLink creates',
    );
  return request;
}

const definitionOf = (request: IncorporationRequest): IncorporationFormDefinition => {
  const { id, country, state, corporationType, status, note, answers, linkExpiresAt } = request;
  const { ownership, roles, atLeast, atMost, fields } = formRules(country, formOfRequest(country, corporationType)!);
  return {
    id,
    country,
    state,
    corporationType,
    status,
    note,
    answers,
    isOpen: isOpen(status),
    ownership,
    roles: roles.map((role) => ({ role, atLeast: atLeast[role] ?? 0, atMost: atMost?.[role] ?? null })),
    fields,
    // The key of the link holds whole seconds.
    expiresAt: linkExpiresAt.toISOString().replace(/\.\d+/, ''),
  };
};

const PROOF = 'proofOfAddressFileId';

/** What the hosted form knows of a request. */
export interface OpenForm {
  organisationId: number;
  /** Random part of the link. */
  nonce: string;
  form: IncorporationFormDefinition;
  /** The questions with their steps. */
  fields: readonly FormField[];
  /** The answers as they were typed last, unchecked. */
  typed: Record<string, unknown>;
  /** Whether a proof of address is stored. */
  hasProof: boolean;
}

/** The form that a link opens, submitted or not. */
export async function openForm(context: RequestContext, link: FormLink): Promise<OpenForm> {
  return formOf(await openedBy(context, link));
}

function formOf(request: IncorporationRequest): OpenForm {
  const { organisationId, nonce, country, corporationType, draft, answers } = request;
  const { [PROOF]: proof, ...submitted } = answers ?? {};
  return {
    organisationId,
    nonce,
    form: definitionOf(request),
    fields: formRules(country, formOfRequest(country, corporationType)!).fields,
    // Accepted answers have null where a question was left out or is not asked.
    typed: { ...(draft ?? JSON.parse(JSON.stringify(submitted, (_, value: unknown) => value ?? undefined))) },
    hasProof: Boolean(proof),
  };
}

/** The form that a link opens for submission. Throws the errors of `submitIncorporationForm` that do not depend on the answers. */
export async function formToHandIn(context: RequestContext, link: FormLink): Promise<OpenForm> {
  const open = await openForm(context, link);
  if (!open.form.isOpen) {
    const message = 'this form was already submitted; a new link is sent if more information is needed';
    throw new GatewayError('INVALID_STATE_TRANSITION', message, { field: 'status' });
  }
  return open;
}

/** What is wrong with the answers typed so far; the file is asked for where they are submitted. */
export function issuesOfTyped({ form: { country, corporationType } }: OpenForm, typed: Record<string, unknown>): readonly InputIssue[] {
  const form = formOfRequest(country, corporationType)!;
  const isAsked = formRules(country, form).fields.some(({ name }) => name === PROOF);
  const checked = checkIncorporationForm(country, form, isAsked ? { ...typed, [PROOF]: 'later' } : typed);
  return checked.ok ? [] : checked.issues;
}

/** Checks the answers. They hold the id of the stored file, which only the server may set. */
function checkedAnswers(request: IncorporationRequest, given: Record<string, unknown>, hasFile: boolean): IncorporationForm {
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
  request: IncorporationRequest,
  answers: IncorporationForm,
): Promise<void> {
  const now = context.services.clock.now();
  // A link that was issued after this one was checked has another nonce, and this one stopped working.
  const stored = await lockRecord(em, IncorporationRequest, { id: request.id, nonce: request.nonce }, { id: request.id, field: 'id' });
  moveTo(stored, 'status', 'incorporationStatus', 'InProgress', now);
  stored.answers = answers;
  stored.draft = null;
  stored.note = null;
  stored.submittedAt = now;
  emitIncorporation(em, context, request.organisationId, request.id, 'INCORPORATION_REQUEST.SUBMITTED');
}

const link = {
  id: id('Id of the request.'),
  country: argument<string>(() => CountryCode, 'Country in the link.'),
  key: argument<string>(() => String, 'Key of the link.'),
};

export const IncorporationFormResolver = resolver({
  incorporationForm: query(() => IncorporationFormDefinition, { roles: [] })(
    'Form of a signed link. INCORPORATION_REQUEST_NOT_FOUND for a wrong key, LINK_EXPIRED for an expired one.',
    link,
    async (link, { context }) => definitionOf(await openedBy(context, link)),
  ),
  submitIncorporationForm: mutation(() => SubmitIncorporationFormPayload, { roles: [] })(
    'Submits the form of a signed link. Every issue names its field.',
    {
      ...link,
      answers: argument<Record<string, unknown>>(() => JSONObject, 'Answers by name of the question.'),
      proofOfAddress: optional<UploadValue>(() => Upload, 'Proof of address, if the form requires one.'),
      proofOfAddressName: optional<string>(() => String, 'File name of the proof of address.'),
    },
    async ({ answers: given, proofOfAddress: file, proofOfAddressName: name, ...link }, { context }) => {
      const request = await openedBy(context, link);
      const { services } = context;
      const { id, organisationId } = request;
      const answers = checkedAnswers(request, given, file != null);
      const field = 'proofOfAddress';
      const store = (upload?: StoredUpload): Promise<void> =>
        transactionFor(context, organisationId, async (em) => {
          if (upload)
            await adoptUpload(em, services, organisationId, upload, { purpose: 'SUPPORTING_DOCUMENT', used: true, argument: field });
          await storeSubmission(em, context, request, upload ? { ...answers, [PROOF]: upload.fileId } : answers);
        });
      if (file) await takingUpload(services, organisationId, file, { name, maxBytes: MAX_FILE_BYTES, field }, store);
      else await store();
      return { id, status: 'InProgress' };
    },
  ),
});
