// The queries `service` and `health`: a status message, the state of the database, and the versions of the program, its schema and the content in use.
import { Ctx, Extensions, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../access/authorise.ts';
import type { RequestContext } from '../access/context.ts';
import { GatewayError } from '../records/errors.ts';
import { isReference } from '../records/schema-extensions.ts';
import { programVersion } from '../runtime/package-root.ts';
import { type GazetteerMeta, gazetteerMeta } from './gazetteer/gazetteer.ts';
import { newestVersion } from './iso/register.ts';

@ObjectType({ description: 'Status of the service.', simpleResolvers: true })
export class ServiceStatus {
  @Field(() => String, { description: 'Always `ok`.' }) status!: string;
  @Field(() => String, { description: 'One sentence for people.' }) message!: string;
  @Field(() => [String], { description: 'Attribution of the data of the geocoder.' }) attribution!: string[];
}

@ObjectType({ description: 'State of the database connection.', simpleResolvers: true })
export class DatabaseHealth {
  @Field(() => String, { description: 'Always `connected`. The query fails with SERVICE_UNAVAILABLE if the database does not respond.' })
  status!: string;
  @Field(() => String, { description: '`postgres` or `pglite`, the embedded one.' }) kind!: string;
}

@ObjectType({ description: 'The ISO 3166 content in use.', simpleResolvers: true })
export class IsoContentHealth {
  @Field(() => Int, { description: 'Version number; increases when an ingest changes something.' }) version!: number;
  @Field(() => String, { description: 'Source of the version.' }) source!: string;
  @Field(() => Int, { description: 'Countries in force.' }) countries!: number;
  @Field(() => Int, { description: 'Subdivisions in force.' }) subdivisions!: number;
}

@ObjectType({ description: 'The place tables of the geocoder.', simpleResolvers: true })
export class GazetteerHealth {
  @Field(() => String, { description: 'Id of the build the tables come from.' }) build!: string;
}

@ObjectType({ description: 'Health of the service.', simpleResolvers: true })
export class Health {
  @Field(() => String, { description: 'Always `ok`.' }) status!: string;
  @Field(() => String, { description: 'Version of the gateway.' }) version!: string;
  @Field(() => String, { description: 'Newest migration of the database at the start of the process.' }) schema!: string;
  @Field(() => DatabaseHealth, { description: 'Connection to the database, and its kind.' }) database!: DatabaseHealth;
  @Field(() => IsoContentHealth, { nullable: true, description: 'ISO 3166 content; null if none is loaded.' })
  @Extensions({ jsonName: 'iso_3166' })
  iso3166!: IsoContentHealth | null;
  @Field(() => GazetteerHealth, { description: 'Place tables of the geocoder.' }) gazetteer!: GazetteerHealth;
}

let meta: GazetteerMeta | undefined;
const tables = (): GazetteerMeta => (meta ??= gazetteerMeta());

@Resolver()
export class HealthResolver {
  @isReference
  @access()
  @Query(() => ServiceStatus, { description: 'Reports that the service is running.' })
  service(): ServiceStatus {
    return { status: 'ok', message: 'The ledger gateway is running', attribution: [...tables().attribution] };
  }

  @access()
  @Query(() => Health, { description: 'Health of the service. SERVICE_UNAVAILABLE if its database does not respond.' })
  async health(@Ctx() context: RequestContext): Promise<Health> {
    const { database } = context.services;
    const content = await newestVersion(context.services).catch(() => {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'the database is not responding', { retryAfterSeconds: 2 });
    });
    const source = content && [content.sourceName, content.sourceVersion].filter(Boolean).join(' ');
    return {
      status: 'ok',
      version: programVersion,
      schema: database.schema,
      database: { status: 'connected', kind: database.kind },
      iso3166: content ? ({ ...content, source } as IsoContentHealth) : null,
      gazetteer: { build: tables().build },
    };
  }
}
