// Counts of what happened since the start, by kind, for the metrics.

/** A count for each combination of labels, which come from closed lists. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(...labels: string[]): void {
    const key = labels.join('\n');
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The labels and their counts. */
  entries(): [labels: string[], count: number][] {
    return [...this.#counts].map(([key, count]) => [key.split('\n'), count]);
  }
}
