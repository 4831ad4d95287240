// Versions of records: the tags that responses show and `ifMatch` names.

/** The tag of a record that has no counter of its own, from its key and the time of its last change. */
export const versionTag = (key: unknown, changed: string | Date): string => `"${key}-${new Date(changed).getTime()}"`;

/** The entity tag of the version alone, from any form of tag; a compressed response has a weak one. */
export const versionOf = (etag: string): string => etag.replace(/^W\//, '').replace(/;[0-9a-f]+"$/, '"');

/** Whether a condition names the version with this tag: `*` alone names any. */
export function namesVersion(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((tag) => versionOf(tag.trim()) === etag);
}
