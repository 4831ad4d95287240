// The words of a text as the search of customs codes compares them.

/** Words that say nothing about goods, and those with which descriptions refer to one another. */
const SILENT = new Set(
  'a an and or of the in on for to with whether not other than from by as at its their nec nes item items no heading headings chapter'.split(
    ' ',
  ),
);
const MARKS = /[\u0300-\u036f]/g;

/** Lower case without accents; possessives lose their ending, `t-shirt` is one word. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .replaceAll('t-shirt', 'tshirt')
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !SILENT.has(word));

const EXCLUDING = /excluding|other than|except|not including|n\.e\.c\./i;

/** The text up to where it begins to exclude. */
const beforeExclusion = (clause: string): string => {
  const at = clause.search(EXCLUDING);
  return at < 0 ? clause : clause.slice(0, at);
};

/** A description without what it excludes: those words would find the very goods that it does not cover. */
export const covered = (description: string): string =>
  description
    .replace(/\([^()]*\)/g, (group) => (EXCLUDING.test(group) ? ' ' : group))
    .split(/[,;]/)
    .map(beforeExclusion)
    .join(' ');
