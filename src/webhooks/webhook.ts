// The webhook record: an address for the events of an organisation, and the topics sent there.
import { Extensions } from 'type-graphql';
import { EventTopic, topicName } from '../events/events.ts';
import { closeNodeToLimitedKeys, exposeNode, Node } from '../graphql/node.ts';
import { derived, enumeration, identifier, ledgerNumber, list, moment, record, text } from '../records/decorators.ts';
import { defineEnum } from '../records/enums.ts';

export const WebhookStatus = defineEnum('WebhookStatus', 'Whether events are sent.', { ENABLED: 'They are.', DISABLED: 'They are not.' });

export const DisabledReason = defineEnum('WebhookDisabledReason', 'Why a webhook stopped.', {
  MANUAL: 'A caller disabled it.',
  GONE: 'The receiver answered 410.',
  FAILING: 'Every attempt of five days failed.',
});

/** The only version, as payloads show it. */
export const API_VERSION = 'v1.0';

@record({
  description: "An address of the customer's that events are sent to, signed as the Standard Webhooks specification says.",
  scope: 'organisation',
  key: 'id',
  prefix: 'whk',
  deletedAt: 'deletedAt',
  primaryKey: ['id'],
  indexes: [{ name: 'webhook_organisation', columns: 'organisation_id, id', where: 'deleted_at is null' }],
  implements: Node,
})
export class Webhook {
  @identifier('Identifier.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the webhook.', { required: true, hidden: true }) organisationId!: number;
  @text('Address the events are sent to: https, on the public internet.', { required: true, rules: { minLength: 1, maxLength: 2048 } })
  url!: string;
  @list(() => EventTopic.values, 'Kinds of event that are sent.', { required: true, rest: 'never' }) topics!: string[];
  @derived(
    () => [String],
    'The topics as REST and the payloads name them.',
    ['topics'],
    ({ topics }) => (topics as unknown as string[]).map(topicName),
  )
  @Extensions({ jsonName: 'topics' })
  topicNames!: string[];
  @text('What the webhook is for.', { rules: { maxLength: 100 } }) name!: string | null;
  @text('Free text.', { rules: { maxLength: 500 } }) description!: string | null;
  @text('Enough of the secret to recognise it: prefix and last four characters.', { required: true }) secretPreview!: string;
  @derived(
    () => String,
    'The signing secret: only in the answer to the creation, and only when it was generated; null everywhere else.',
    [],
    () => null,
    {
      nullable: true,
      rest: 'select',
    },
  )
  secret!: string | null;
  @enumeration(WebhookStatus, 'Whether events are sent.', { required: true }) status!: string;
  @derived(
    () => String,
    'Version of the payload.',
    [],
    () => API_VERSION,
  )
  apiVersion!: string;
  @enumeration(DisabledReason, 'Why it stopped; null while it is enabled.') disabledReason!: string | null;
  @moment('When it was created.', { required: true }) createdAt!: string;
  @moment('When it last changed.', { required: true }) updatedAt!: string;
  @text('Signing secret, encrypted.', { required: true, hidden: true }) sealedSecret!: string;
  @text('Former secret during a rotation, encrypted.', { hidden: true }) formerSecret!: string | null;
  @moment('Until when the former secret signs too.', { hidden: true }) formerSecretUntil!: string | null;
  @moment('Since when every attempt has failed; null after a success.', { hidden: true }) failingSince!: string | null;
  @moment('When it was deleted.', { hidden: true }) deletedAt!: string | null;
}
exposeNode('Webhook', 'PLATFORM');
closeNodeToLimitedKeys('Webhook');
