// The tools for agents: two that read the documentation, two for the operations of /graphql, and the guides as resources.
import type * as Protocol from '@modelcontextprotocol/server';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { printType } from 'graphql';
import { z } from 'zod';
import type { RequestContext } from '../../src/access/context.ts';
import { formatError } from '../../src/graphql/apollo.ts';
import { operationTool } from '../../src/graphql/endpoint/operation-tools.ts';
import type { GivenOperation } from '../../src/graphql/endpoint/operations.ts';
import type { RequestWithId } from '../../src/http/request.ts';
import { GatewayError, invalid } from '../../src/records/errors.ts';
import type { AdapterOptions } from '../../src/server/app.ts';
import { type Documentation, version } from '../pages/documentation.ts';
import { MARKDOWN } from '../pages/parts/markdown.ts';
import { searchResults } from '../pages/search.ts';
import { described } from './describe.ts';

/** A request of an agent whose steps were passed. */
export interface AgentCall {
  readonly options: AdapterOptions;
  readonly documentation: Documentation;
  readonly request: RequestWithId;
  readonly context: RequestContext;
  /** The origin of the gateway, for requests in descriptions. */
  readonly origin: string;
}

/** The media type of a part of the schema. */
const SDL = 'application/graphql';

/** Results of a search: without a number of its own, and at most. */
const DEFAULT_RESULTS = 10;
const MAX_RESULTS = 60;

/** How an agent gets from a question to its response. */
const INSTRUCTIONS = [
  'One GraphQL schema over the books, entities, tax registrations and webhooks of one organisation.',
  'Search for a word of the domain, describe what was found, check an operation, then run it.',
  'Records of the books are below a company: query `companies` first. Money is exact; let the gateway sum it with a summary field.',
].join(' ');

const operation = {
  operation: z.string().describe('A GraphQL document with one query or mutation.'),
  variables: z.record(z.string(), z.unknown()).optional().describe('Values of its variables by name.'),
};

const text = (content: string, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: content }],
  ...(isError ? { isError } : {}),
});

/** The server of one request. */
export function toolServer(protocol: Pick<typeof Protocol, 'McpServer' | 'fromJsonSchema'>, call: AgentCall): McpServer {
  const { options, documentation, context, origin } = call;
  const server = new protocol.McpServer({ name: 'ledger-gateway', version }, { instructions: INSTRUCTIONS });
  const reads = { readOnlyHint: true, openWorldHint: false } as const;
  server.registerTool(
    'search',
    {
      description:
        'Finds types, fields, REST operations, error codes, guides and limits that have every word of the query. Returns JSON: results with title, url, kind and excerpt.',
      inputSchema: z.strictObject({
        query: z.string().describe('One to three words, for example `contact`, `overdue` or `webhook retry`.'),
        limit: z.int().min(1).max(MAX_RESULTS).default(DEFAULT_RESULTS).describe(`Most results, 1 to ${MAX_RESULTS}.`),
      }),
      annotations: reads,
    },
    async ({ query, limit }) => text(JSON.stringify({ results: searchResults(await documentation.search(query)).slice(0, limit) })),
  );
  server.registerTool(
    'describe',
    {
      description:
        'Describes one thing by its name: a query or mutation with its arguments and an example, a type, a field (`Contact.email`), a REST operation (`GET /api/v1/webhooks`), an error code, a guide. Every title of a search result is such a name. Returns Markdown.',
      inputSchema: z.strictObject({ name: z.string().describe('The name.') }),
      annotations: reads,
    },
    ({ name }) => {
      const found = described(documentation, name.trim(), origin);
      return found === undefined ? text(`Nothing is named "${name}". Use a title of a search result.`, true) : text(found);
    },
  );
  server.registerTool(
    'check',
    {
      description:
        'Checks a GraphQL operation without running it: names, types, roles, variables. Returns JSON: valid with the kind, the cost in objects and the highest cost allowed, or the errors for which `run` would reject it.',
      inputSchema: z.strictObject(operation),
      annotations: reads,
    },
    masked(call, ({ operation: query, variables }) => {
      const checked = options.operations.check(context, { query, variables });
      return text(JSON.stringify(checked), !checked.valid);
    }),
  );
  server.registerTool(
    'run',
    {
      description:
        'Runs one GraphQL operation and returns its response as JSON: data, errors or both. Mutations need a key with the role AGENT_WRITE.',
      inputSchema: z.strictObject(operation),
      annotations: context.isReadOnly ? reads : { readOnlyHint: false, openWorldHint: false },
    },
    masked(call, ({ operation: query, variables }) => ran(call, { query, variables })),
  );
  for (const document of context.principal!.tools ?? []) {
    const { name, description, isQuery, variables } = operationTool(options.schema, document);
    const names = Object.keys(variables.properties as object);
    server.registerTool(
      name,
      {
        description,
        inputSchema: protocol.fromJsonSchema<Record<string, unknown>>(variables, unchecked),
        annotations: { readOnlyHint: isQuery, openWorldHint: false },
      },
      masked(call, (given) => {
        for (const argument of Object.keys(given)) if (!names.includes(argument)) throw unknownArgument(argument, name, names);
        return ran(call, { query: document, variables: given });
      }),
    );
  }
  for (const { name, title, summary, text: content } of documentation.guides) {
    const uri = `${origin}/docs/guides/${name}.md`;
    const contents = [{ uri, mimeType: MARKDOWN, text: content }];
    server.registerResource(name, uri, { title, description: summary, mimeType: MARKDOWN }, () => ({ contents }));
  }
  for (const { title, note, types } of documentation.model.pictured) {
    const uri = `schema:${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
    const sdl = (): string => types.map(({ name }) => printType(options.schema.getType(name)!)).join('\n\n');
    server.registerResource(`Schema: ${title}`, uri, { title: `Schema: ${title}`, description: note, mimeType: SDL }, () => ({
      contents: [{ uri, mimeType: SDL, text: sdl() }],
    }));
  }
  return server;
}

/** Takes arguments as they are: as variables of an operation they are checked like those of /graphql, and rejected in the same words. */
const unchecked: Protocol.jsonSchemaValidator = {
  getValidator<T>(): Protocol.JsonSchemaValidator<T> {
    return (data) => ({ valid: true, data: data as T, errorMessage: undefined });
  },
};

/** The error of an argument that no variable of a document takes. /graphql passes over such a value, and an agent would not see its filter lost. */
const unknownArgument = (argument: string, tool: string, names: readonly string[]): GatewayError =>
  invalid(argument, `${argument} is not an argument of ${tool}; allowed are ${names.join(', ') || 'none'}`, 'UNKNOWN_FIELD');

/** The response to an operation, as /graphql gives it. */
async function ran({ options, request, context }: AgentCall, given: GivenOperation): Promise<CallToolResult> {
  const body = await options.operations.run(request, context, given);
  return text(body, 'errors' in JSON.parse(body));
}

/** A tool whose errors are those of /graphql. What is thrown to the server of the protocol reaches the caller with its text. */
const masked =
  <Given>({ options, context }: AgentCall, run: (given: Given) => CallToolResult | Promise<CallToolResult>) =>
  async (given: Given): Promise<CallToolResult> => {
    try {
      return await run(given);
    } catch (error) {
      const formatted = formatError({ message: '' }, error);
      if (!(error instanceof GatewayError)) options.services.log.error({ err: error, requestId: context.requestId }, 'tool failed');
      return text(JSON.stringify({ errors: [formatted] }), true);
    }
  };
