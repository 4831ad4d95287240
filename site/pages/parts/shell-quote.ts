// Text as one word of a shell command.

/** A text between apostrophes, which a POSIX shell takes as it is. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
