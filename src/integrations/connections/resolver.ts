// Connections in GraphQL: what can be connected, the connections of a company, and their changes.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, FieldResolver, ID, Info, InputType, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import { DataModel } from '../../events/data-model.ts';
import { argument, id, mutation, optionalNumber, query, recordNumber, resolver } from '../../graphql/declared/fields.ts';
import { recordMutation } from '../../graphql/declared/payloads.ts';
import { recordField } from '../../graphql/declared/record-reads.ts';
import { ownRecordOfEach } from '../../graphql/own-record.ts';
import { defineEnum } from '../../records/enums.ts';
import { GatewayError } from '../../records/errors.ts';
import { DateTime, JSONObject, URLScalar } from '../../records/scalars.ts';
import { Company, type CompanyRow } from '../companies/company.ts';
import type { CustomFieldRule } from '../connectors/connector.ts';
import { type Capability, type ConnectorDefinition, type SettingField, takesWrites } from '../connectors/connector.ts';
import { Connection, MAX_MINUTES } from './connection.ts';
import {
  type ConnectionChanges,
  createConnection,
  HOURLY,
  type NewConnection,
  pauseConnection,
  resumeConnection,
  updateConnection,
} from './connection-store.ts';
import { connectorsOf } from './connectors.ts';
import { createConnectionLink } from './link.ts';
import { fullSyncDaysOf, type GivenSchedule, MAX_DAYS, OTHERS, rhythmsOf, type Scheduled, WEEKLY } from './schedule.ts';

export const SettingKind = defineEnum<Uppercase<SettingField['kind']>>('SettingKind', 'Kind of a setting of a connection.', {
  TEXT: 'One line of text.',
  URL: 'A URL with https://, or http:// for hosts that the operator allows.',
  DATE: 'A date, YYYY-MM-DD.',
  SECRET: 'A credential, stored encrypted and never shown again.',
});

@ObjectType({ description: 'A setting of a connection to a source.', simpleResolvers: true })
export class ConnectorSetting {
  @Field(() => String, { description: 'Name of its member in `settings`.' }) name!: string;
  @Field(() => String, { description: 'Label in forms.' }) title!: string;
  @Field(() => String, { description: 'What the setting is and where to find it.' }) description!: string;
  @Field(() => SettingKind.values, { description: 'How a form asks for it.' }) kind!: string;
  @Field(() => Boolean, { description: 'Whether the setting is required.' }) isRequired!: boolean;
}

@ObjectType({ description: 'Operations that a source supports for a data model.', simpleResolvers: true })
export class ConnectorCapability {
  @Field(() => DataModel.values, { description: 'Data model, such as CONTACT.' }) dataModel!: string;
  @Field(() => Boolean, { description: 'Whether records are pulled from the source.' }) pull!: boolean;
  @Field(() => Boolean, { description: 'Whether records written here are sent to the source.' }) push!: boolean;
}

@ObjectType({ description: 'What a source does with a field of the records of a data model.', simpleResolvers: true })
export class ConnectorField {
  @Field(() => String, {
    description: 'Name of the field in REST bodies; a field of a child has the name of its list and a point before it.',
  })
  name!: string;
  @Field(() => Boolean, { description: 'Whether it is read from the source.' }) pull!: boolean;
  @Field(() => Boolean, { description: 'Whether its value is sent to the source.' }) push!: boolean;
  @Field(() => Boolean, { description: 'Whether the source takes no new record without it.' }) required!: boolean;
}

@ObjectType({ description: 'What a source does with the records and fields of a data model.', simpleResolvers: true })
export class ConnectorModel {
  @Field(() => DataModel.values, { description: 'Data model, such as CONTACT.' }) dataModel!: string;
  @Field(() => Boolean, { description: 'Whether its records are pulled from the source.' }) pull!: boolean;
  @Field(() => Boolean, { description: 'Whether new records are sent to the source.' }) create!: boolean;
  @Field(() => Boolean, { description: 'Whether changes of records are sent to the source.' }) update!: boolean;
  @Field(() => Boolean, { description: 'Whether deletions of records are sent to the source.' }) delete!: boolean;
  @Field(() => [ConnectorField], {
    description: 'The fields that are read from the source or sent to it, sorted by name. It has no value for any other.',
  })
  @Extensions({ size: 20 })
  fields!: readonly ConnectorField[];
}

@ObjectType({ description: 'A source system that companies can be connected to.', simpleResolvers: true })
export class Connector {
  @Field(() => String, { description: 'Name: `source` of `createConnection`, and integration type of its companies.' })
  source!: string;
  @Field(() => String, { description: 'What people call it.' }) title!: string;
  @Field(() => [ConnectorSetting], { description: 'The settings that a connection to it takes.' }) settings!: ConnectorSetting[];
  @Field(() => [ConnectorCapability], { description: 'What it does with each data model.' }) capabilities!: readonly ConnectorCapability[];
  @Field(() => [ConnectorModel], { description: 'What it does with the records and fields of each data model.' })
  @Extensions({ size: 15 })
  models!: readonly ConnectorModel[];
}

@ObjectType({ description: 'Start of the next incremental pull of a data model.', simpleResolvers: true })
export class StreamCursor {
  @Field(() => DataModel.values, { description: 'Data model, such as CONTACT.' }) dataModel!: string;
}

@ObjectType({ description: 'Schedule of a data model of a connection, with its next run.', simpleResolvers: true })
export class ConnectionSchedule {
  @Field(() => DataModel.values, { nullable: true, description: 'The data model; null for all without an entry of their own.' })
  dataModel!: string | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Minutes between runs, varied by a tenth; null if `cron` is set.',
  })
  intervalMinutes!: number | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Cron expression of five fields: minute, hour, day of month, month, day of week. A run starts within that minute. Null if `intervalMinutes` is set.',
  })
  cron!: string | null;
  @Field(() => String, { nullable: true, description: 'IANA time zone of `cron`; null without one.' }) timeZone!: string | null;
  @Field(() => Int, { description: 'Days between full runs, which detect deletions at the source; 0 for never.' })
  fullSyncDays!: number;
  @Field(() => DateTime, { nullable: true, description: 'When the next run is due; null if the schedule starts none.' })
  nextRunAt!: string | null;
}

@InputType({ description: 'Schedule of a data model: either `intervalMinutes` or `cron`.' })
@Extensions({ roundTrips: ['nextRunAt'] })
export class ConnectionScheduleInput {
  @Field(() => DataModel.values, { nullable: true, description: 'The data model; omit for all without an entry of their own.' })
  dataModel?: string | null;
  @Field(() => Int, { nullable: true, description: 'Minutes between runs.' })
  @Extensions({ rules: { min: 1, max: MAX_MINUTES } })
  intervalMinutes?: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'Cron expression of five fields: minute, hour, day of month, month, day of week, such as `30 2 * * MON-FRI`.',
  })
  @Extensions({ rules: { minLength: 1, maxLength: 120 } })
  cron?: string | null;
  @Field(() => String, { nullable: true, description: 'IANA time zone of `cron`, such as `Europe/Berlin`; default UTC.' })
  @Extensions({ rules: { minLength: 1, maxLength: 64 } })
  timeZone?: string | null;
  @Field(() => Int, {
    nullable: true,
    description: `Days between full runs, which detect deletions at the source; 0 for never, default ${WEEKLY}. Scheduled runs never pull files fully.`,
  })
  @Extensions({ rules: { min: 0, max: MAX_DAYS } })
  fullSyncDays?: number | null;
}

@ObjectType({ description: 'A custom field of the records of a data model, and where the source has it.', simpleResolvers: true })
export class CustomFieldSource {
  @Field(() => DataModel.values, { description: 'Data model, such as CONTACT.' }) dataModel!: string;
  @Field(() => String, { description: 'Name in `customFields` of its records.' }) name!: string;
  @Field(() => String, { description: 'Member of what the source sends of a record, as `rawData` shows it.' }) from!: string;
}

@InputType({ description: 'A custom field of the records of a data model, and where the source has it.' })
export class CustomFieldSourceInput {
  @Field(() => DataModel.values, { description: 'Data model, such as CONTACT.' }) dataModel!: string;
  @Field(() => String, { description: 'Name in `customFields` of its records, without an equals sign.' })
  @Extensions({ rules: { minLength: 1, maxLength: 100, pattern: /^[^=]+$/, expectation: 'text without an equals sign' } })
  name!: string;
  @Field(() => String, { description: 'Member of what the source sends of a record, as `rawData` shows it.' })
  @Extensions({ rules: { minLength: 1, maxLength: 200 } })
  from!: string;
}

@InputType({ description: 'A connection to make.' })
export class NewConnectionInput {
  @Field(() => String, { description: 'Source system, one of `connectors`.' })
  @Extensions({ rules: { maxLength: 64 } })
  source!: string;
  @Field(() => JSONObject, {
    nullable: true,
    description: 'Settings by name. Secrets can be entered later, on the page of a link.',
  })
  settings?: Record<string, unknown> | null;
  @Field(() => Int, {
    nullable: true,
    description: `Minutes between runs for data models without an entry in \`schedules\`; default ${HOURLY}.`,
  })
  @Extensions({ rules: { min: 1, max: MAX_MINUTES } })
  intervalMinutes?: number | null;
  @Field(() => [ConnectionScheduleInput], { nullable: true, description: 'Data models with their own schedule, each once.' })
  @Extensions({ rules: { maxItems: 50 } })
  schedules?: GivenSchedule[] | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether its records keep what the source sent, in `rawData`, from the next run on; default false.',
  })
  keepsRawData?: boolean | null;
  @Field(() => [CustomFieldSourceInput], {
    nullable: true,
    description: 'Custom fields of its records, each name of a data model once; default none.',
  })
  @Extensions({ rules: { maxItems: 100 } })
  customFields?: CustomFieldRule[] | null;
}

@InputType({ description: 'Fields of a connection to change.' })
export class ConnectionChangesInput {
  @Field(() => JSONObject, { nullable: true, description: 'Settings to change, by name; the others keep their values.' })
  settings?: Record<string, unknown> | null;
  @Field(() => Int, { nullable: true, description: 'Minutes between runs for data models without an entry in `schedules`.' })
  @Extensions({ rules: { min: 1, max: MAX_MINUTES } })
  intervalMinutes?: number | null;
  @Field(() => [ConnectionScheduleInput], {
    nullable: true,
    description: 'Data models with their own schedule, each once. Replaces the whole list.',
  })
  @Extensions({ rules: { maxItems: 50 } })
  schedules?: GivenSchedule[] | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether its records keep what the source sent, in `rawData`, from the next run on.',
  })
  keepsRawData?: boolean | null;
  @Field(() => [CustomFieldSourceInput], {
    nullable: true,
    description: 'The custom fields of its records, each name of a data model once; they replace all that were there.',
  })
  @Extensions({ rules: { maxItems: 100 } })
  customFields?: CustomFieldRule[] | null;
}

@ObjectType({ description: 'Result of changing a connection.', simpleResolvers: true })
export class ConnectionPayload {
  @Field(() => Connection, { description: 'The stored connection.' }) connection!: Connection;
}

@ObjectType({ description: 'Result of `createConnectionLink`.', simpleResolvers: true })
export class CreateConnectionLinkPayload {
  @Field(() => URLScalar, {
    description: 'URL of the page. Anyone who opens it can enter settings of the connection, but cannot read credentials.',
  })
  url!: string;
  @Field(() => DateTime, { description: 'When the link expires: one hour after its creation.' }) expiresAt!: string;
}

/** A connection, and the company that it must belong to. REST has it in its paths. */
export const ofConnection = {
  id: id('Id of the connection.'),
  companyId: optionalNumber(() => Company, 'Company that it must belong to; without it, any.'),
};

const capabilityOf = (capability: Capability): ConnectorCapability => ({
  dataModel: capability.dataModel,
  pull: capability.pull,
  push: takesWrites(capability),
});

const shown = ({ source, title, settings, capabilities }: ConnectorDefinition): Connector => ({
  source,
  title,
  settings: settings.map((field) => ({ ...field, kind: field.kind.toUpperCase() })),
  capabilities: capabilities.map(capabilityOf),
  models: capabilities,
});

@Resolver(() => Company)
export class CompanyConnectionsResolver {
  @FieldResolver(() => Connection, { description: 'Connection of the company with this id. RECORD_NOT_FOUND if it has none.' })
  connection(
    @Arg('id', () => ID, { description: 'Id of the connection.' }) id: string,
    @Root() { ledgerId: companyId }: CompanyRow,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return ownRecordOfEach(context, info, Connection, { companyId, id }, { id, field: 'id' }, scopeOf(context));
  }

  @needs(Company, 'integrationType')
  @FieldResolver(() => Connector, {
    nullable: true,
    description: 'Connector of the source system. Null without one: only files in the inbox can be pulled.',
  })
  @Extensions({ rest: 'never' })
  connector(@Root() { integrationType }: CompanyRow, @Ctx() { services }: RequestContext): Connector | null {
    const definition = connectorsOf(services).get(integrationType);
    return definition ? shown(definition) : null;
  }
}

@Resolver(() => Connection)
export class ConnectionFieldResolver {
  @needs(Connection, 'source')
  @FieldResolver(() => [ConnectorCapability], { description: 'Operations that the source supports, by data model.' })
  capabilities(@Root() { source }: Pick<Connection, 'source'>, @Ctx() { services }: RequestContext): readonly ConnectorCapability[] {
    return connectorsOf(services).get(source)?.capabilities.map(capabilityOf) ?? [];
  }

  @needs(Connection, 'intervalMinutes', 'rhythms', 'dueAt', 'nextRunAt')
  @FieldResolver(() => [ConnectionSchedule], {
    name: 'schedules',
    description: 'Schedules of the data models, with their next runs.',
  })
  schedules(@Root() connection: Scheduled): ConnectionSchedule[] {
    return Object.entries(rhythmsOf(connection)).map(([key, { intervalMinutes = null, cron = null, timeZone = null }]) => {
      const fullSyncDays = fullSyncDaysOf(connection, key);
      const times = [connection.nextRunAt, connection.dueAt[key]].map((time) => new Date(time ?? 0).getTime());
      const nextRunAt = connection.nextRunAt && new Date(Math.max(...times)).toISOString();
      return { dataModel: key === OTHERS ? null : key, intervalMinutes, cron, timeZone, fullSyncDays, nextRunAt };
    });
  }

  @needs(Connection, 'customFieldRules')
  @FieldResolver(() => [CustomFieldSource], { description: 'The custom fields that its records get from the source.' })
  customFields(@Root() { customFieldRules }: Pick<Connection, 'customFieldRules'>): CustomFieldSource[] {
    return customFieldRules;
  }

  @needs(Connection, 'cursors')
  @FieldResolver(() => [StreamCursor], { name: 'cursors', description: 'The data models whose next pull is incremental.' })
  streamCursors(@Root() { cursors }: Pick<Connection, 'cursors'>): StreamCursor[] {
    return Object.keys(cursors).map((dataModel) => ({ dataModel }));
  }
}

const roles = ['INTEGRATIONS'] as const;

const change = recordMutation(Connection, { roles, payload: ConnectionPayload });

export const ConnectionResolver = resolver({
  connectors: query(() => [Connector], { roles, extensions: { size: 10 } })(
    'Source systems that companies can be connected to, with their settings and capabilities.',
    {},
    (_, { context }) => [...connectorsOf(context.services).values()].map(shown),
  ),
  connector: query(() => Connector, { roles, nullable: true })(
    'The connector with this source. RECORD_NOT_FOUND if no connector has it.',
    { source: argument<string>(() => String, 'Name of the source, as `connectors` lists it.') },
    ({ source }, { context }) => {
      const definition = connectorsOf(context.services).get(source.toUpperCase());
      if (!definition) throw new GatewayError('RECORD_NOT_FOUND', 'no such connector; `connectors` lists them', { field: 'source' });
      return shown(definition);
    },
  ),
  connection: recordField(Connection, { roles, description: 'The connection with this id. RECORD_NOT_FOUND when the key may see none.' }),
  createConnection: change(
    'Connects a company to a source system. The first run starts immediately if the settings are complete. RECORD_ALREADY_EXISTS if the company has another live connection.',
    {
      companyId: recordNumber(() => Company, 'Company to connect.'),
      input: argument<NewConnection>(() => NewConnectionInput, 'The connection.'),
    },
    async ({ companyId, input }, { context }) => ({ id: await createConnection(context, companyId, input) }),
  ),
  updateConnection: change(
    'Updates settings or schedules of a connection. New settings are tried immediately.',
    { ...ofConnection, input: argument<ConnectionChanges>(() => ConnectionChangesInput, 'The fields to change.') },
    async ({ input, ...connection }, { context }) => {
      await updateConnection(context, connection, input);
      return connection;
    },
  ),
  pauseConnection: change('Stops the schedule of a connection after a run in progress.', ofConnection, async (connection, { context }) => {
    await pauseConnection(context, connection);
    return connection;
  }),
  resumeConnection: change(
    'Resumes the schedule of a paused connection, with an immediate run.',
    ofConnection,
    async (connection, { context }) => {
      await resumeConnection(context, connection);
      return connection;
    },
  ),
  createConnectionLink: mutation(() => CreateConnectionLinkPayload, { roles })(
    'Creates a link to a page where a person enters the settings of a connection, renews its credentials or signs in at the source. A link expires when it succeeds or when a newer one is created. CONNECTION_DISCONNECTED if the connection has ended, OPERATION_NOT_SUPPORTED if the operator has no client for sign-in at the source.',
    { connectionId: ofConnection.id, companyId: ofConnection.companyId },
    ({ connectionId: id, companyId }, { context }) => createConnectionLink(context, { id, companyId }),
  ),
});
