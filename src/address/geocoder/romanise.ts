// Latin spellings of names in Cyrillic and Greek letters, for places that the tables have in Latin letters alone.

const CYRILLIC: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  ђ: 'd',
  е: 'e',
  є: 'ye',
  ж: 'zh',
  з: 'z',
  и: 'i',
  і: 'i',
  ї: 'yi',
  й: 'y',
  ј: 'j',
  к: 'k',
  л: 'l',
  љ: 'lj',
  м: 'm',
  н: 'n',
  њ: 'nj',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  ћ: 'c',
  у: 'u',
  ў: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  џ: 'dz',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
};
/** Where a language writes other letters for these. */
const BULGARIAN: Readonly<Record<string, string>> = { х: 'h', щ: 'sht', ъ: 'a', ь: 'y' };
const SERBIAN: Readonly<Record<string, string>> = { ж: 'z', х: 'h', ц: 'c', ч: 'c', ш: 's' };
const UKRAINIAN: Readonly<Record<string, string>> = { г: 'h', и: 'y' };

const GREEK: Readonly<Record<string, string>> = {
  α: 'a',
  β: 'v',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
};

/** The folded Latin spellings of a folded name; empty for every other script. */
export function romanised(key: string): string[] {
  if (/[\u0430-\u045f]/.test(key))
    return [{}, BULGARIAN, SERBIAN, UKRAINIAN].map((own) => [...key].map((letter) => own[letter] ?? CYRILLIC[letter] ?? letter).join(''));
  if (!/[\u03b1-\u03c9]/.test(key)) return [];
  const joined = key.replace(/ου/g, 'u').replace(/αυ/g, 'av').replace(/ευ/g, 'ev').replace(/γγ/g, 'ng').replace(/μπ/g, 'b');
  return [[...joined].map((letter) => GREEK[letter] ?? letter).join('')];
}
