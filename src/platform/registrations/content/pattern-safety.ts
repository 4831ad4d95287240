// Which patterns of a content pack are safe to send to clients and to run here.

/** Constructs RE2 does not have; clients in other languages run these patterns too. */
const NOT_IN_RE2 = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;
/** A repeated group that repeats inside takes exponential time in a backtracking engine. */
const NESTED_REPEAT = /\([^()]*(?:[+*]|\{\d+,\d*\})[^()]*\)(?:[+*]|\{\d+,\d*\})/;

/** What is wrong with a pattern; null when it is safe. */
export function patternTrouble(source: string): string | null {
  if (!/^\^[\s\S]*\$$/.test(source) || source.endsWith('\\$')) return 'a pattern must be anchored, from ^ to $';
  if (NOT_IN_RE2.test(source)) return 'a pattern must not use look-around or back-references';
  try {
    new RegExp(source, 'u');
  } catch (error) {
    return `not a pattern: ${(error as Error).message}`;
  }
  const skeleton = source.replace(/\\./g, '_').replace(/\[[^\]]*\]/g, '_');
  if (NESTED_REPEAT.test(skeleton)) return 'a repeated group must not contain a repeated part';
  // The anchors would hold for the outer alternatives only: ^a|b$ is (^a)|(b$).
  return hasOuterAlternative(skeleton) ? 'alternatives must be in a group' : null;
}

function hasOuterAlternative(skeleton: string): boolean {
  let depth = 0;
  for (const character of skeleton) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) return true;
  }
  return false;
}
