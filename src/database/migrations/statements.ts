// Reads the statements of migrations: what each creates, changes and takes away.

/** A statement without comments and literals, in one line; names are in lower case and without quotes. */
const plain = (statement: string): string =>
  statement
    .replace(/--.*$/gm, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/"/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** The parts between the commas that are inside no parenthesis and no literal. */
export function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isLiteral = false;
  let start = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === "'") isLiteral = !isLiteral;
    else if (isLiteral) continue;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}

/** The statements in the body of a `do` block, or the statement itself. */
function unfold(statement: string): string[] {
  const body = statement.match(/^do (\$\w*\$)(.*)\1$/)?.[2];
  if (body === undefined) return [statement];
  return body.split(';').flatMap((part) => part.match(/\b(alter|create|drop|truncate|delete)\b.*/)?.[0] ?? []);
}

/** One step of a statement; a statement that alters a table has one for each of its clauses. */
export interface Step {
  /** What it does and to which table, column, index or constraint, as a declaration names it: `drop column item.code`. */
  what: string;
  table?: string;
  column?: string;
  /** What follows the name: type and constraints of a column, definition of a constraint. */
  definition: string;
}

const ALTERATIONS: [pattern: RegExp, what: (...names: string[]) => string][] = [
  [/^rename to \w+()/, () => 'rename table'],
  [/^rename constraint (\w+)/, () => 'rename constraint'],
  [/^rename (?:column )?(\w+)/, () => 'rename column'],
  [/^drop constraint (?:if exists )?(\w+)/, () => 'drop constraint'],
  [/^drop (?:column )?(?:if exists )?(\w+)/, () => 'drop column'],
  [/^alter (?:column )?(\w+) (?:set data )?type\b/, () => 'change type'],
  [/^alter (?:column )?(\w+) (set|drop) (not null|default)/, (_, verb = '', property = '') => `${verb} ${property}`],
  [/^add constraint (\w+)/, () => 'add constraint'],
  [/^add ()(?=(?:primary key|unique|foreign key|check|exclude)\b)/, () => 'add constraint'],
  [/^add (?:column )?(?:if not exists )?(\w+)/, () => 'add column'],
  [/^validate constraint (\w+)/, () => 'validate constraint'],
];

function alteration(table: string, clause: string): Step {
  for (const [pattern, what] of ALTERATIONS) {
    const found = clause.match(pattern);
    if (!found) continue;
    const name = found[1] ?? '';
    const definition = clause.slice(found[0].length).trim();
    const object = name ? `${table}.${name}` : table;
    return { what: `${what(...found.slice(1))} ${object}`, table, ...(name ? { column: name } : {}), definition };
  }
  return { what: `alter table ${table}`, table, definition: clause };
}

function stepsOf(statement: string): Step[] {
  const altered = statement.match(/^alter table (?:if exists )?(?:only )?(\w+) (.*)$/);
  if (altered) return splitAtCommas(altered[2]!).map((clause) => alteration(altered[1]!, clause));
  const created = statement.match(/^create table (?:if not exists )?(\w+)/);
  if (created) return [{ what: `create table ${created[1]}`, table: created[1]!, definition: '' }];
  const index = statement.match(/^create (?:unique )?index (concurrently )?(if not exists )?(\w+) on (?:only )?(\w+)/);
  if (index) return [{ what: `create index ${index[3]}`, table: index[4]!, definition: `${index[1] ?? ''}${index[2] ?? ''}` }];
  const policy = statement.match(/^(create|drop) policy (?:if exists )?(\w+) on (\w+)/);
  if (policy) return [{ what: `${policy[1]} policy ${policy[2]} on ${policy[3]}`, table: policy[3]!, definition: '' }];
  const dropped = statement.match(/^drop (\w+(?: view)?) (concurrently )?(if exists )?(.*?)(?: cascade| restrict)?$/);
  if (dropped)
    return splitAtCommas(dropped[4]!).map((name) => ({
      what: `drop ${dropped[1]} ${name}`,
      ...(dropped[1] === 'table' ? { table: name } : {}),
      definition: `${dropped[2] ?? ''}${dropped[3] ?? ''}`,
    }));
  const emptied = statement.match(/^truncate (?:table )?(?:only )?(\w+)/) ?? statement.match(/^delete from (?:only )?(\w+)/);
  if (emptied) return [{ what: `${statement.startsWith('truncate') ? 'truncate' : 'delete from'} ${emptied[1]}`, definition: '' }];
  const renamed = statement.match(/^alter (\w+) (?:if exists )?(\w+) rename\b/);
  if (renamed) return [{ what: `rename ${renamed[1]} ${renamed[2]}`, definition: '' }];
  return [{ what: statement, definition: '' }];
}

/** The steps of a statement, in order. */
export const readSteps = (statement: string): Step[] => unfold(plain(statement)).flatMap(stepsOf);

/** The tables that the statements create; no one else has rows in them or reads them yet. */
export const createdTables = (statements: readonly string[]): Set<string> =>
  new Set(
    statements
      .flatMap(readSteps)
      .filter(({ what }) => what.startsWith('create table '))
      .map(({ table }) => table!),
  );
