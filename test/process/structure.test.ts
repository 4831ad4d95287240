// How the code may depend on itself: layers read downward, private folders stay private, no circle, and the words of the house.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packagePath, packageRoot } from '../../src/runtime/package-root.ts';

/** The layers from the bottom up; a file imports from its own layer and from those before it. */
const layers = [
  'src/postgres-url.ts',
  'src/config.ts',
  'src/records',
  'src/runtime',
  'src/json',
  'src/security',
  'src/database',
  'src/queue',
  'src/access',
  'src/http',
  'src/graphql',
  'src/events',
  'src/administration',
  'src/files',
  'src/webhooks',
  'src/listen',
  'src/demo',
  'src/address',
  'src/platform',
  'src/integrations',
  'src/registry.ts',
  'src/tasks.ts',
  'src/services.ts',
  'src/server',
  'src/admin',
  'rest-compat',
  'site',
  'src/adapters.ts',
  'src/serve.ts',
  'src/main.ts',
];

/** Folders that only their parent folder knows, and the registry, which names every record. */
const privateFolders = [
  'src/database/wire',
  'src/platform/products/imports',
  'src/platform/registrations/content',
  'src/address/gazetteer',
  'src/address/engines',
  'src/address/accuracy',
  'src/integrations/records',
];
const compositionRoots = ['src/registry.ts', 'src/tasks.ts'];

/** What the gateway can do without, and the one file that imports each. */
const seams: Record<string, string> = {
  'site/': 'src/adapters.ts',
  'src/database/distributed/': 'src/database/engines.ts',
  'src/database/wire/': 'src/database/open-reads.ts',
  'src/address/engines/': 'src/address/geocoding.ts',
  'src/integrations/connectors/tryton/': 'src/integrations/connections/connectors.ts',
  'src/integrations/connectors/xero/': 'src/integrations/connections/connectors.ts',
};

const MAX_FILES = 22;

/** Names that the field has other words for; each pattern says which. */
const forbiddenWords: [word: RegExp, instead: string][] = [
  [/\b(lane|patience|overtake|overtaken|taker)s?\b/i, 'query scheduler, hedge delay, hedged retry, row sink'],
  [/\brecord kit\b|\bkit\b/i, 'record decorators'],
  [/\bdialects?\b|\brestNames?\b/, 'naming strategy, jsonName'],
  [/\bmendable\b|\bseparable\b|\bhomeless\b|\bclashing\b/i, 'retryable, parallelisable, unknown corporation, conflicting'],
  [/\bgiveBack\b|\bgive back\b|\bgiven back\b/i, 'release'],
  [/\btext lists?\b|\brecord text\b/i, 'JSON lists, record JSON'],
  [/\bdoors?\b/i, 'endpoint, adapter'],
  [/\bfaults?\b/i, 'input issue, error'],
  [/\bbatter(y|ies)\b|\bcontenders?\b/i, 'suite, subject'],
  [/\bsweeps?\b|\bportions?\b/i, 'schedule, batch'],
];
/** Places where a word is the field's own, or a name that is persisted and therefore stays. */
const wordExceptions: [path: RegExp, line: RegExp][] = [
  [/^(src|test)\/address\//, /door|lane|kit/i],
  [/^src\/integrations\/demo\/records\.ts$/, /Foundry Lane/],
  // A member of the payload of batches.
  [/^src\/integrations\/syncs\/batch\.ts$/, /\blanes\b/],
];

interface Source {
  file: string;
  text: string;
  imports: string[];
}

function sourcesOf(folder: string): Source[] {
  return readdirSync(packagePath(folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)(app|built|build-package|node_modules)\//.test(file))
    .map((file) => {
      const path = packagePath(folder, file);
      const text = readFileSync(path, 'utf8');
      const imports = [...text.matchAll(/(?:^(?:import|export)[^;]*?from |\bimport\()'([^']+)'/gm)].map(([, name]) =>
        name!.startsWith('.') ? relative(packageRoot, join(dirname(path), name!)) : name!,
      );
      return { file: join(folder, file), text, imports };
    });
}

const src = sourcesOf('src');
const rest = sourcesOf('rest-compat');
const site = sourcesOf('site');
const sources = [...src, ...rest, ...site];
const byFile = new Map(sources.map((source) => [source.file, source]));

const layerOf = (file: string): number => layers.findIndex((layer) => file === layer || file.startsWith(`${layer}/`));
/** A folder, or a file at the root of src. */
const roomOf = (file: string): string => (dirname(file) === 'src' ? file : dirname(file));

/** The circles of a graph, each as the nodes on it. */
function circles(graph: Map<string, ReadonlySet<string>>): string[][] {
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): void => {
    state.set(node, 'open');
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      if (state.get(next) === 'open') found.push([...path.slice(path.indexOf(next)), next]);
      else if (!state.has(next)) visit(next);
    }
    path.pop();
    state.set(node, 'done');
  };
  for (const node of graph.keys()) if (!state.has(node)) visit(node);
  return found;
}

describe('imports', () => {
  it('every file belongs to a layer, and imports only from its own and those below', () => {
    const strays = sources.filter(({ file }) => layerOf(file) === -1).map(({ file }) => file);
    expect(strays).toEqual([]);
    const upward = sources.flatMap(({ file, imports }) =>
      imports.filter((name) => byFile.has(name) && layerOf(name) > layerOf(file)).map((name) => `${file} → ${name}`),
    );
    expect(upward).toEqual([]);
  });

  it('no circle among files, types included', () => {
    const graph = new Map(sources.map(({ file, imports }) => [file, new Set(imports.filter((name) => byFile.has(name) && name !== file))]));
    expect(circles(graph)).toEqual([]);
  });

  it('no circle among folders', () => {
    const graph = new Map<string, Set<string>>();
    for (const { file, imports } of sources) {
      const room = roomOf(file);
      if (!graph.has(room)) graph.set(room, new Set());
      for (const name of imports) if (byFile.has(name) && roomOf(name) !== room) graph.get(room)!.add(roomOf(name));
    }
    expect(circles(graph)).toEqual([]);
  });

  it('a private folder is known to its parent alone', () => {
    const wrong = privateFolders.flatMap((folder) =>
      sources
        .filter(({ file }) => !file.startsWith(`${dirname(folder)}/`) && !compositionRoots.includes(file))
        .flatMap(({ file, imports }) => imports.filter((name) => name.startsWith(`${folder}/`)).map((name) => `${file} → ${name}`)),
    );
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(seams))('%s can be taken out: one file imports it', (folder, importer) => {
    const users = sources.filter(({ file, imports }) => !file.startsWith(folder) && imports.some((name) => name.startsWith(folder)));
    expect(users.map(({ file }) => file)).toEqual([importer]);
  });

  it('SQL that the ORM does not write is in statement files alone', () => {
    const running = src.filter(({ file, text }) => /\bexecuteIn[<(]/.test(text) && file !== 'src/database/open.ts');
    expect(running.map(({ file }) => file).filter((file) => !file.endsWith('.statements.ts'))).toEqual([]);
    expect(running.length).toBeGreaterThan(0);
  });

  it('types are said, not silenced: fewer than 20 assertions are as never', () => {
    expect(sources.flatMap(({ text }) => [...text.matchAll(/ as never\b/g)]).length).toBeLessThan(20);
  });

  it('no adapter imports the ORM or runs SQL', () => {
    const wrong = [...rest, ...site].filter(({ imports }) =>
      imports.some((name) => name.startsWith('@mikro-orm') || name === 'pg' || name === 'kysely' || name.endsWith('/transaction.ts')),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  it('who is asking is decided in one file, from the socket and the trusted proxies', () => {
    const readers = sources.filter(({ text }) => /'(x-)?forwarded(-for)?'|remoteAddress|x-real-ip|\breq(uest)?\.ips?\b/i.test(text));
    expect(readers.map(({ file }) => file)).toEqual(['src/http/authentication.ts']);
  });

  it('the thread of a mapping loads no package but jsonata: each run of a connection starts one', () => {
    const loaded = new Set(['src/integrations/connectors/programs/mapping-worker.ts']);
    const packages = new Set<string>();
    for (const file of loaded)
      for (const [, name] of byFile.get(file)!.text.matchAll(/^(?:import (?!type )|export [^;']*?from )[^;']*'([^']+)'/gm)) {
        if (name!.startsWith('.')) loaded.add(join(dirname(file), name!));
        else packages.add(name!);
      }
    expect([...packages].sort()).toEqual(['node:module', 'node:worker_threads']);
  });

  it('the environment is read in one file', () => {
    expect(sources.filter(({ text }) => text.includes('process.env')).map(({ file }) => file)).toEqual(['src/config.ts']);
  });
});

/** A type of the schema, or of a part of it, that is made or changed by hand. */
const typeByHand =
  /(?<!\bthis)\.(?:type|args|deprecationReason|isOneOf) = |new GraphQL(?:Schema|ObjectType|InterfaceType|UnionType|EnumType|InputObjectType)\(|getFields\(\)[.[][^=]* = |defineProperty\([^,]*getFields/;

it('the schema is built once: what clients see of it is declared before, and afterwards resolvers alone change', () => {
  const found = sources.flatMap(({ file, text }) => text.split('\n').flatMap((line) => (typeByHand.test(line) ? [file] : [])));
  expect(found.sort()).toEqual(
    [
      // type-graphql has no word for an object of exactly one member.
      'src/graphql/schema.ts',
      // Types by which values are coerced; no schema has them.
      'src/graphql/input/written-arguments.ts',
      'src/integrations/books/source-transactions.ts',
      'src/integrations/books/source-transactions.ts',
    ].sort(),
  );
});

describe('rooms', () => {
  it(`no folder holds more than ${MAX_FILES} files`, () => {
    const counts = new Map<string, number>();
    for (const { file } of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
  });

  it('the root of src holds the entry, the settings, the URL of a database, the services and the three lists', () => {
    const root = src.filter(({ file }) => dirname(file) === 'src').map(({ file }) => file);
    expect(root.sort()).toEqual([
      'src/adapters.ts',
      'src/config.ts',
      'src/main.ts',
      'src/postgres-url.ts',
      'src/registry.ts',
      'src/serve.ts',
      'src/services.ts',
      'src/tasks.ts',
    ]);
  });

  it('every file says in its first line what it owns', () => {
    expect(sources.filter(({ text }) => !text.startsWith('// ') && !text.startsWith('/**\n * ')).map(({ file }) => file)).toEqual([]);
  });
});

/** A look through a list for each entry of another, or a comparison of each entry with all others. */
const eachWithEach =
  /\.(?:filter|map|flatMap|some|every|find|findIndex|findLast|reduce|forEach)\([^;]*=>[^;]*\.(?:indexOf|includes|findIndex|some|find)\(|\.(?:indexOf|findIndex)\([^;]*\) (?:<|===|!==) (?:at|index|place)\b/;
/** A list as the arguments of one call, which fails beyond about a hundred thousand. */
const spreadCall = /\b(?:push|unshift|Math\.max|Math\.min|fromCharCode)\((?:[^(){}[\]]*, )?\.\.\./;
/** A function literal that is assigned to a property. V8 allocates it among the old objects; written to a variable first, it is young. */
const oldFunction = /(?<!typeof )\b(?:context|request|response|scope)\.\w+ = (?:async )?(?:\([^()]*\)(?:: [^=]+)?|\w+) =>/;

/** Lines of each file that have such a form, by the reason why one of their lists is short whatever a caller sends. */
const shortLists: Record<string, Record<string, number>> = {
  'it runs at the command line or when the process starts': {
    'rest-compat/openapi/json-schema.ts': 1,
    'rest-compat/openapi/operation.ts': 1,
    'rest-compat/openapi/shared-parts.ts': 1,
    'rest-compat/openapi/webhooks.ts': 1,
    'site/pages/gateway-model.ts': 1,
    'site/pages/reference/example-operation.ts': 3,
    'site/pages/reference/model-picture.ts': 10,
    'site/pages/reference/pictured-types.ts': 1,
    'site/pages/reference/rest-pages.ts': 1,
    'site/pages/reference/rest-reference.ts': 1,
    'rest-compat/routes/integrations-records.ts': 1,
    'src/address/accuracy/metrics.ts': 3,
    'src/address/accuracy/speed.ts': 1,
    'src/address/cli/report.ts': 1,
    'src/admin/arguments.ts': 1,
    'src/admin/connections.ts': 1,
    'src/admin/customs.ts': 2,
    'src/admin/lists.ts': 1,
    'src/admin/print.ts': 1,
    'src/admin/records.ts': 1,
    'src/config.ts': 4,
    'src/database/migrations/state.ts': 2,
    'src/database/distributed/steps.ts': 3,
    'src/database/schema-diff.ts': 1,
    'src/graphql/input/plain-arguments.ts': 1,
    'src/integrations/connections/connector-check.ts': 6,
    'src/integrations/connections/connectors.ts': 1,
    'src/postgres-url.ts': 1,
  },
  'one of the lists is a declaration: of a record, a field, a topic, a connector, a country or a form': {
    'site/forms/incorporation-form.ts': 1,
    'site/pages/search.ts': 2,
    'site/pages/tables.ts': 1,
    'rest-compat/runtime/error-bodies.ts': 1,
    'rest-compat/runtime/ledger-parameters.ts': 1,
    'rest-compat/runtime/operation-errors.ts': 3,
    'src/address/engines/nominatim.ts': 1,
    'src/address/geocoder/claims.ts': 1,
    'src/address/geocoder/read.ts': 1,
    'src/address/iso/formats.ts': 1,
    'src/address/iso/ingest.ts': 1,
    'src/database/reader/list-plan.ts': 7,
    'src/database/reader/list-statement.ts': 2,
    'src/database/reader/projection.ts': 1,
    'src/database/wire/pipelined-query.ts': 3,
    'src/events/stream-resolver.ts': 1,
    'src/graphql/graph/reverse-lists.ts': 1,
    'src/graphql/introspection-sizes.ts': 1,
    'src/graphql/rest/rest-record.ts': 1,
    'src/graphql/standard-introspection.ts': 1,
    'src/integrations/connections/link.ts': 1,
    'src/integrations/connections/resolver.ts': 1,
    'src/integrations/connections/schedule.ts': 3,
    'src/integrations/connectors/files/inbox.ts': 1,
    'src/integrations/connectors/programs/mapping-run.ts': 1,
    'src/integrations/connectors/tryton/client.ts': 1,
    'src/integrations/connectors/tryton/contacts.ts': 1,
    'src/integrations/connectors/tryton/documents.ts': 1,
    'src/integrations/syncs/begin-pull.ts': 1,
    'src/integrations/syncs/connection-schedule.ts': 1,
    'src/integrations/syncs/push.ts': 1,
    'src/integrations/writes/integrity-check.ts': 1,
    'src/integrations/writes/record.statements.ts': 1,
    'src/integrations/writes/references.ts': 4,
    'src/platform/entity-forms/entity-type.ts': 4,
    'src/platform/incorporation/form-rules.ts': 3,
    'src/platform/registrations/needed-places.ts': 1,
    'src/platform/registrations/needed.ts': 3,
    'src/platform/registrations/rules.ts': 1,
    'src/platform/shared/corporation-types.ts': 1,
    'src/records/decorators.ts': 2,
  },
  'a list is cut before: words of an address, keys of an order or of a summary, sizes of one field, suggestions, taxes of a line, words of a search':
    {
      'site/forms/address-finder.ts': 1,
      'src/address/geocoder/compose.ts': 1,
      'src/address/geocoder/geocode.ts': 1,
      'src/address/geocoder/layout.ts': 1,
      'src/address/geocoder/mentions.ts': 1,
      'src/address/geocoder/score.ts': 2,
      'src/address/geocoder/suggest.ts': 1,
      'src/address/geocoder/textCity.ts': 2,
      'src/address/geocoder/typos.ts': 1,
      'src/graphql/summaries/summaries.ts': 3,
      'src/integrations/connectors/tryton/lines.ts': 3,
      'src/integrations/operations/search.ts': 1,
    },
  'the list is a page of a source, a chunk of a batch or the work of a process': {
    'src/integrations/connectors/programs/pages.ts': 2,
    'src/integrations/syncs/pull-pages.ts': 1,
    'src/integrations/syncs/push-sending.ts': 1,
    'src/webhooks/delivery-worker.ts': 1,
  },
  'an identifier names at most 50 registrations when it is made, and one more with each link': {
    'src/platform/business-entities/resolver.ts': 2,
  },
};

describe('work', () => {
  it('nothing compares each with each, or spreads into a call, a list whose length a caller chooses', () => {
    const found = sources.flatMap(({ file, text }): [string, number][] => {
      const lines = text.split('\n');
      const own = lines.flatMap((line) => [eachWithEach, spreadCall].filter((form) => form.test(line)));
      return own.length > 0 ? [[file, own.length]] : [];
    });
    const permitted = Object.values(shortLists).flatMap((files) => Object.entries(files));
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(permitted));
  });
});

describe('memory', () => {
  it('no function literal is assigned to a property of a request or its context, because V8 would keep the request until a full collection', () => {
    const found = sources.flatMap(({ file, text }) =>
      text.split('\n').flatMap((line) => (oldFunction.test(line) ? [`${file}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});

describe('turns', () => {
  it('a part that may start at once starts before anything is awaited, because others would be allowed to start as well', () => {
    const awaiting = sources.filter(({ text }) => /await (?:[\w.?]*turn\??|this)\.start\(\)/i.test(text)).map(({ file }) => file);
    expect(awaiting).toEqual([]);
  });
});

describe('words', () => {
  it('the words of the field are used everywhere', () => {
    const files = ['src', 'rest-compat', 'site', 'test', 'docs', 'schema']
      .flatMap((folder) =>
        readdirSync(packagePath(folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => !/(^|\/)(node_modules|generated|__generated__|built|build-package|app|decisions)\//.test(file))
          .map((file) => join(folder, file)),
      )
      .concat(readdirSync(packageRoot))
      .filter((file) => /\.(ts|md)$/.test(file) && !file.endsWith('structure.test.ts'));
    const wrong = files.flatMap((file) =>
      readFileSync(packagePath(file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          forbiddenWords
            .filter(([word]) => word.test(line) && !wordExceptions.some(([path, own]) => path.test(file) && own.test(line)))
            .map(([, instead]) => `${file}:${index + 1} ${line.trim().slice(0, 80)}   (instead: ${instead})`),
        ),
    );
    expect(wrong).toEqual([]);
  });
});
