// The error of a published file: the line, and what is wrong there.

/** Thrown at the first line that is not as published. */
export class TariffFileIssue extends Error {
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
  }
}
