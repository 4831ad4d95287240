// Connections in GraphQL: what can be connected, the connections of a company, and their changes.
import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  Info,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import { DataModel } from '../../events/data-model.ts';
import { RecordArg } from '../../graphql/input-types.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { ownRecord, ownRecordOfEach } from '../../graphql/own-record.ts';
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
import { type ConnectionLink, createConnectionLink } from './link.ts';
import { fullSyncDaysOf, type GivenSchedule, MAX_DAYS, OTHERS, rhythmsOf, type Scheduled, WEEKLY } from './schedule.ts';

export const SettingKind = defineEnum<Uppercase<SettingField['kind']>>('SettingKind', 'Kind of a setting of a connection.', {
  TEXT: 'Text.',
  URL: 'An address that begins with https://, or http:// for a host that the operator allows.',
  DATE: 'A date, YYYY-MM-DD.',
  SECRET: 'A credential: stored encrypted, and never shown again.',
});

@ObjectType({ description: 'A setting that a connection to a source takes.', simpleResolvers: true })
export class ConnectorSetting {
  @Field(() => String, { description: 'Name in `settings`.' }) name!: string;
  @Field(() => String, { description: 'What a form calls it.' }) title!: string;
  @Field(() => String, { description: 'What it is and where it is found.' }) description!: string;
  @Field(() => SettingKind.values, { description: 'Its kind.' }) kind!: string;
  @Field(() => Boolean, { description: 'Whether the connection works only with it.' }) isRequired!: boolean;
}

@ObjectType({ description: 'What a source does with the records of a data model.', simpleResolvers: true })
export class ConnectorCapability {
  @Field(() => DataModel.values, { description: 'The data model.' }) dataModel!: string;
  @Field(() => Boolean, { description: 'Whether its records are pulled from the source.' }) pull!: boolean;
  @Field(() => Boolean, { description: 'Whether records that are written here are sent to the source.' }) push!: boolean;
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
  @Field(() => DataModel.values, { description: 'The data model.' }) dataModel!: string;
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
  @Field(() => String, { description: 'Its name: the `source` of `createConnection`, and the integration type of its companies.' })
  source!: string;
  @Field(() => String, { description: 'What people call it.' }) title!: string;
  @Field(() => [ConnectorSetting], { description: 'The settings that a connection to it takes.' }) settings!: ConnectorSetting[];
  @Field(() => [ConnectorCapability], { description: 'What it does with each data model.' }) capabilities!: readonly ConnectorCapability[];
  @Field(() => [ConnectorModel], { description: 'What it does with the records and fields of each data model.' })
  @Extensions({ size: 15 })
  models!: readonly ConnectorModel[];
}

@ObjectType({ description: 'Where the next incremental pull of a data model begins.', simpleResolvers: true })
export class StreamCursor {
  @Field(() => DataModel.values, { description: 'The data model.' }) dataModel!: string;
}

@ObjectType({ description: 'How often a data model of a connection is pulled, and when it is next.', simpleResolvers: true })
export class ConnectionSchedule {
  @Field(() => DataModel.values, { nullable: true, description: 'The data model; null for all that no other entry names.' })
  dataModel!: string | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Minutes between two runs, of which each varies by a tenth; null where `cron` says when.',
  })
  intervalMinutes!: number | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Cron expression of five fields: minute, hour, day of the month, month, day of the week. A run starts within the minute it names. Null where `intervalMinutes` says when.',
  })
  cron!: string | null;
  @Field(() => String, { nullable: true, description: 'Time zone of `cron`, an IANA name; null without one.' }) timeZone!: string | null;
  @Field(() => Int, { description: 'Days after which a run is a full one, which notices deletions at the source; 0 for never.' })
  fullSyncDays!: number;
  @Field(() => DateTime, { nullable: true, description: 'When its next run is due; null while the schedule starts none.' })
  nextRunAt!: string | null;
}

@InputType({ description: 'How often a data model of a connection is pulled: one of `intervalMinutes` and `cron`.' })
@Extensions({ echoes: ['nextRunAt'] })
export class ConnectionScheduleInput {
  @Field(() => DataModel.values, { nullable: true, description: 'The data model; absent for all that no other entry names.' })
  dataModel?: string | null;
  @Field(() => Int, { nullable: true, description: 'Minutes between two runs.' })
  @Extensions({ rules: { min: 1, max: MAX_MINUTES } })
  intervalMinutes?: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'Cron expression of five fields: minute, hour, day of the month, month, day of the week, as in `30 2 * * MON-FRI`.',
  })
  @Extensions({ rules: { minLength: 1, maxLength: 120 } })
  cron?: string | null;
  @Field(() => String, { nullable: true, description: 'Time zone of `cron`, an IANA name such as `Europe/Berlin`; UTC when absent.' })
  @Extensions({ rules: { minLength: 1, maxLength: 64 } })
  timeZone?: string | null;
  @Field(() => Int, {
    nullable: true,
    description: `Days after which a run is a full one, which notices deletions at the source; 0 for never, ${WEEKLY} when absent. Files are never pulled fully by a schedule.`,
  })
  @Extensions({ rules: { min: 0, max: MAX_DAYS } })
  fullSyncDays?: number | null;
}

@ObjectType({ description: 'A custom field of the records of a data model, and where the source has it.', simpleResolvers: true })
export class CustomFieldSource {
  @Field(() => DataModel.values, { description: 'The data model.' }) dataModel!: string;
  @Field(() => String, { description: 'Name in `customFields` of its records.' }) name!: string;
  @Field(() => String, { description: 'Member of what the source sends of a record, as `rawData` shows it.' }) from!: string;
}

@InputType({ description: 'A custom field of the records of a data model, and where the source has it.' })
export class CustomFieldSourceInput {
  @Field(() => DataModel.values, { description: 'The data model.' }) dataModel!: string;
  @Field(() => String, { description: 'Name in `customFields` of its records, without an equals sign.' })
  @Extensions({ rules: { minLength: 1, maxLength: 100, pattern: /^[^=]+$/, expectation: 'have no equals sign' } })
  name!: string;
  @Field(() => String, { description: 'Member of what the source sends of a record, as `rawData` shows it.' })
  @Extensions({ rules: { minLength: 1, maxLength: 200 } })
  from!: string;
}

@InputType({ description: 'A connection to make.' })
export class NewConnectionInput {
  @Field(() => String, { description: 'Source system, as `connectors` lists it.' })
  @Extensions({ rules: { maxLength: 64 } })
  source!: string;
  @Field(() => JSONObject, {
    nullable: true,
    description: 'Settings by their names. Secrets may be left out here and given on the page of its link instead.',
  })
  settings?: Record<string, unknown> | null;
  @Field(() => Int, {
    nullable: true,
    description: `Minutes between two runs of the data models that \`schedules\` does not name; ${HOURLY} when absent.`,
  })
  @Extensions({ rules: { min: 1, max: MAX_MINUTES } })
  intervalMinutes?: number | null;
  @Field(() => [ConnectionScheduleInput], { nullable: true, description: 'Data models that are pulled in another rhythm, each once.' })
  @Extensions({ rules: { maxItems: 50 } })
  schedules?: GivenSchedule[] | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether its records keep what the source sent of them, in `rawData`, from their next run on; no when absent.',
  })
  keepsRawData?: boolean | null;
  @Field(() => [CustomFieldSourceInput], {
    nullable: true,
    description: 'The custom fields of its records, each name of a data model once; none when absent.',
  })
  @Extensions({ rules: { maxItems: 100 } })
  customFields?: CustomFieldRule[] | null;
}

@InputType({ description: 'Fields of a connection to change.' })
export class ConnectionChangesInput {
  @Field(() => JSONObject, { nullable: true, description: 'Settings to change, by their names; the others stay.' })
  settings?: Record<string, unknown> | null;
  @Field(() => Int, { nullable: true, description: 'Minutes between two runs of the data models that `schedules` does not name.' })
  @Extensions({ rules: { min: 1, max: MAX_MINUTES } })
  intervalMinutes?: number | null;
  @Field(() => [ConnectionScheduleInput], {
    nullable: true,
    description: 'Data models that are pulled in another rhythm, each once; they replace all that were there.',
  })
  @Extensions({ rules: { maxItems: 50 } })
  schedules?: GivenSchedule[] | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether its records keep what the source sent of them, in `rawData`, from their next run on.',
  })
  keepsRawData?: boolean | null;
  @Field(() => [CustomFieldSourceInput], {
    nullable: true,
    description: 'The custom fields of its records, each name of a data model once; they replace all that were there.',
  })
  @Extensions({ rules: { maxItems: 100 } })
  customFields?: CustomFieldRule[] | null;
}

@ObjectType({ description: 'Result of a change of a connection.', simpleResolvers: true })
export class ConnectionPayload {
  @Field(() => Connection, { description: 'The connection as it is now.' }) connection!: Connection;
}

@ObjectType({ description: 'Result of `createConnectionLink`.', simpleResolvers: true })
export class CreateConnectionLinkPayload {
  @Field(() => URLScalar, {
    description: 'Address of the page. Whoever has it can give the connection its settings, but reads no credential.',
  })
  url!: string;
  @Field(() => DateTime, { description: 'When the link expires: an hour after it was made.' }) expiresAt!: string;
}

/** The company that a connection must belong to. REST has it in its paths. */
export const OwnerArg = (): ParameterDecorator =>
  RecordArg('companyId', () => Company, { nullable: true, description: 'Company it must belong to; not compared when absent.' });

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

/** The connection with what the operation selected of it. */
async function payload(context: RequestContext, info: GraphQLResolveInfo, id: string): Promise<{ connection: Row }> {
  const tree = lookAhead(info).fields.get('connection');
  return { connection: tree ? await ownRecord(context, tree, Connection, { id }, { id, field: 'id' }) : { id } };
}

@Resolver(() => Company)
export class CompanyConnectionsResolver {
  @FieldResolver(() => Connection, { description: 'The connection of the company with this id. RECORD_NOT_FOUND when it has none.' })
  connection(
    @Arg('id', () => ID, { description: 'Identifier of the connection.' }) id: string,
    @Root() { ledgerId: companyId }: CompanyRow,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return ownRecordOfEach(context, info, Connection, { companyId, id }, { id, field: 'id' }, scopeOf(context));
  }

  @needs(Company, 'integrationType')
  @FieldResolver(() => Connector, {
    nullable: true,
    description: 'The connector of its source system; null where there is none, so that only files in its inbox can be pulled.',
  })
  @Extensions({ rest: 'never' })
  connector(@Root() { integrationType }: CompanyRow, @Ctx() { services }: RequestContext): Connector | null {
    const definition = connectorsOf(services).get(integrationType);
    return definition ? shown(definition) : null;
  }
}

@Resolver(() => Connection)
export class ConnectionResolver {
  @needs(Connection, 'source')
  @FieldResolver(() => [ConnectorCapability], { description: 'What its source does with each data model.' })
  capabilities(@Root() { source }: Pick<Connection, 'source'>, @Ctx() { services }: RequestContext): readonly ConnectorCapability[] {
    return connectorsOf(services).get(source)?.capabilities.map(capabilityOf) ?? [];
  }

  @needs(Connection, 'intervalMinutes', 'rhythms', 'dueAt', 'nextRunAt')
  @FieldResolver(() => [ConnectionSchedule], {
    name: 'schedules',
    description: 'How often each data model is pulled, and when it is next.',
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

  @access('INTEGRATIONS')
  @Query(() => [Connector], {
    description: 'The source systems that companies can be connected to, with their settings and what they can do.',
  })
  @Extensions({ size: 10 })
  connectors(@Ctx() { services }: RequestContext): Connector[] {
    return [...connectorsOf(services).values()].map(shown);
  }

  @access('INTEGRATIONS')
  @Query(() => Connector, {
    nullable: true,
    description: 'The connector with this source. RECORD_NOT_FOUND when there is none.',
  })
  connector(
    @Arg('source', () => String, { description: 'Name of the source, as `connectors` lists it.' }) source: string,
    @Ctx() { services }: RequestContext,
  ): Connector {
    const definition = connectorsOf(services).get(source.toUpperCase());
    if (!definition) throw new GatewayError('RECORD_NOT_FOUND', 'no such connector; `connectors` lists them', { field: 'source' });
    return shown(definition);
  }

  @access('INTEGRATIONS')
  @Query(() => Connection, { nullable: true, description: 'The connection with this id. RECORD_NOT_FOUND when the key may see none.' })
  connection(
    @Arg('id', () => ID, { description: 'Identifier of the connection.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return ownRecord(context, info, Connection, { id }, { id, field: 'id' });
  }

  @access('INTEGRATIONS')
  @Mutation(() => ConnectionPayload, {
    description:
      'Connects a company to a source system. The first run starts at once when the settings are complete. RECORD_ALREADY_EXISTS while another connection of the company is live.',
  })
  async createConnection(
    @RecordArg('companyId', () => Company, { description: 'Company to connect.' }) companyId: number,
    @Arg('input', () => NewConnectionInput, { description: 'The connection.' }) input: NewConnection,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ connection: Row }> {
    return payload(context, info, await createConnection(context, companyId, input));
  }

  @access('INTEGRATIONS')
  @Mutation(() => ConnectionPayload, { description: 'Changes settings or schedule of a connection; new settings are tried at once.' })
  async updateConnection(
    @Arg('id', () => ID, { description: 'Identifier of the connection.' }) id: string,
    @OwnerArg() companyId: number | null,
    @Arg('input', () => ConnectionChangesInput, { description: 'The fields to change.' }) input: ConnectionChanges,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ connection: Row }> {
    await updateConnection(context, { id, companyId }, input);
    return payload(context, info, id);
  }

  @access('INTEGRATIONS')
  @Mutation(() => ConnectionPayload, { description: 'Stops the schedule of a connection. A run that is under way ends first.' })
  async pauseConnection(
    @Arg('id', () => ID, { description: 'Identifier of the connection.' }) id: string,
    @OwnerArg() companyId: number | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ connection: Row }> {
    await pauseConnection(context, { id, companyId });
    return payload(context, info, id);
  }

  @access('INTEGRATIONS')
  @Mutation(() => ConnectionPayload, { description: 'Starts the schedule of a paused connection again, with a run at once.' })
  async resumeConnection(
    @Arg('id', () => ID, { description: 'Identifier of the connection.' }) id: string,
    @OwnerArg() companyId: number | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ connection: Row }> {
    await resumeConnection(context, { id, companyId });
    return payload(context, info, id);
  }

  @access('INTEGRATIONS')
  @Mutation(() => CreateConnectionLinkPayload, {
    description:
      'Makes a link to a page where a person gives a connection its settings or signs in at the source; also for one that needs new credentials. A newer link ends an older one, and so does its success. CONNECTION_DISCONNECTED where the connection has ended, OPERATION_NOT_SUPPORTED where the operator has no client at a source that is signed in to.',
  })
  createConnectionLink(
    @Arg('connectionId', () => ID, { description: 'Identifier of the connection.' }) id: string,
    @OwnerArg() companyId: number | null,
    @Ctx() context: RequestContext,
  ): Promise<ConnectionLink> {
    return createConnectionLink(context, { id, companyId });
  }
}
