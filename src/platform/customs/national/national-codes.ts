// The codes of one national tariff in memory, for checking the codes of products.

/** The codes of a version of a tariff. */
export class NationalCodes {
  /** The country of the tariff, and its first day, as warnings name them. */
  readonly name: string;
  readonly #codes: readonly string[];

  /** `codes` are in ascending order. */
  constructor(name: string, codes: readonly string[]) {
    this.name = name;
    this.#codes = codes;
  }

  /**
   * Whether the tariff has a code, longer codes under it, or the undivided code of eight digits that it continues (TARIC continues the Combined
   * Nomenclature).
   */
  knows(digits: string): boolean {
    const at = this.#placeOf(digits);
    const [before, next] = [this.#codes[at - 1], this.#codes[at]];
    if (next?.startsWith(digits)) return true;
    return before !== undefined && digits.startsWith(before) && !next?.startsWith(before);
  }

  /** The place of the first code that does not come before the digits. */
  #placeOf(digits: string): number {
    let [low, high] = [0, this.#codes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#codes[middle]! < digits) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
