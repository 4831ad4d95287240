// Patterns that come with data: which ones are safe to hand to clients and to run here.

/** Constructs RE2 does not have; clients in other languages run these patterns too. */
const NOT_IN_RE2 = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;
/** A repeated group that repeats inside takes exponential time in a backtracking engine. */
const NESTED_REPEAT = /\([^()]*(?:[+*]|\{\d+,\d*\})[^()]*\)(?:[+*]|\{\d+,\d*\})/;

/** Says what is wrong with a pattern, or null. */
export function patternTrouble(source: string): string | null {
  if (!/^\^[\s\S]*\$$/.test(source) || source.endsWith('\\$')) return 'a pattern must be anchored, from ^ to $';
  if (NOT_IN_RE2.test(source)) return 'a pattern must do without look-around and back-references';
  try {
    new RegExp(source, 'u');
  } catch (error) {
    return `not a pattern: ${(error as Error).message}`;
  }
  const bare = source.replace(/\\./g, '_').replace(/\[[^\]]*\]/g, '_');
  if (NESTED_REPEAT.test(bare)) return 'a repeated group must not repeat inside';
  // The anchors would hold for the outer alternatives only: ^a|b$ is (^a)|(b$).
  return hasOuterAlternative(bare) ? 'alternatives must stand in a group' : null;
}

function hasOuterAlternative(bare: string): boolean {
  let depth = 0;
  for (const character of bare) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) return true;
  }
  return false;
}
