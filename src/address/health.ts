// What the service says of itself: a status message, and whether its database answers.
import { Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../core/access.ts';
import type { RequestContext } from '../core/context.ts';
import { GatewayError } from '../core/errors.ts';

@ObjectType({ description: 'A sign of life.', simpleResolvers: true })
export class ServiceStatus {
  @Field(() => String, { description: 'The word `ok`.' }) status!: string;
  @Field(() => String, { description: 'One sentence for people.' }) message!: string;
}

@ObjectType({ description: 'State of the database connection.', simpleResolvers: true })
export class DatabaseHealth {
  @Field(() => String, { description: 'The word `connected`; a database that does not answer gives SERVICE_UNAVAILABLE instead.' }) status!: string;
  @Field(() => String, { description: '`postgres` or `pglite`, the embedded one.' }) kind!: string;
}

@ObjectType({ description: 'Health of the service.', simpleResolvers: true })
export class Health {
  @Field(() => String, { description: 'The word `ok`.' }) status!: string;
  @Field(() => DatabaseHealth, { description: 'The database.' }) database!: DatabaseHealth;
}

const ping = { name: 'ping', text: 'select 1' };

@Resolver()
export class HealthResolver {
  @access()
  @Query(() => ServiceStatus, { description: 'That the service runs.' })
  service(): ServiceStatus {
    return { status: 'ok', message: 'The ledger gateway is running' };
  }

  @access()
  @Query(() => Health, { description: 'Whether the service can work. SERVICE_UNAVAILABLE when its database does not answer.' })
  async health(@Ctx() context: RequestContext): Promise<Health> {
    const { database } = context.services;
    await database.read(ping, [], true).catch(() => {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'the database does not answer', { retryAfterSeconds: 2 });
    });
    return { status: 'ok', database: { status: 'connected', kind: database.kind } };
  }
}
