// Markdown for programs that read the documentation.

/** The media type of Markdown, as RFC 7763 names it. */
export const MARKDOWN = 'text/markdown';

/** A block of code. Its fence is longer than any in the text. */
export function fenced(language: string, text: string): string {
  let fence = '```';
  while (text.includes(fence)) fence += '`';
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

/** A value as a block of JSON. */
export const fencedJson = (value: unknown): string => fenced('json', JSON.stringify(value, null, 2));

/** Entries of a list, one a line. */
export const listed = (entries: readonly string[]): string => entries.map((entry) => `- ${entry.split(/\n\s*/).join(' ')}`).join('\n');

/** A heading of the second level or below with what is under it; nothing where that is empty. */
export const section = (title: string, content: string, level = 2): string[] =>
  content === '' ? [] : [`${'#'.repeat(level)} ${title}`, content];

/** A document of blocks, each after an empty line. */
export const blocks = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;

/** The sentences of Markdown, code in backticks: without headings, programs, tables, marks and the addresses of links. */
export function plainOf(markdown: string): string {
  let isProgram = false;
  const isProse = (line: string): boolean => {
    const isFence = line.startsWith('```');
    if (isFence) isProgram = !isProgram;
    return !isFence && !isProgram && !/^[#|]/.test(line);
  };
  return markdown
    .split('\n')
    .filter(isProse)
    .map((line) => line.replace(/^(-|\d+\.) /, ''))
    .join(' ')
    .replaceAll(/\[([^[\]]+)\]\([^()\s]+\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
