// Folding of text into the form names are compared in. The gazetteer build uses the same functions, so both sides always agree.

/** One word of the text: its folded form, the words as written, and their position in the prepared text. */
export interface Token {
  readonly key: string;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ə: 'e',
  ŋ: 'n',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ё: 'е',
};

/** Words whose short and long form name the same place; both become the short form. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  saint: 'st',
  sankt: 'st',
  sainte: 'ste',
  fort: 'ft',
  mount: 'mt',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  heights: 'hts',
  springs: 'spgs',
  junction: 'jct',
  beach: 'bch',
  branch: 'br',
  valley: 'vly',
  harbor: 'hbr',
  harbour: 'hbr',
  center: 'ctr',
  centre: 'ctr',
  village: 'vlg',
  township: 'twp',
  mountain: 'mtn',
  falls: 'fls',
  landing: 'ldg',
  sint: 'st',
  county: 'co',
};

/**
 * Latin, Greek and Cyrillic accents, Arabic vowel signs, modifier letters, invisible characters. Marks of Indic and kana scripts stay,
 * because they distinguish words.
 */
const COMBINING = /[\u02b0-\u02ff]|[\u0300-\u036f]|[\u064b-\u0652]|\u0640|\p{Cf}/gu;
const FOLDABLE = /[øłđðßæœıþħŧəŋأإآٱىیکةё]/g;
const ASCII_ONLY = /^[\x20-\x7e]*$/;
/** Han, kana and Hangul: scripts written without spaces between the names of an address. */
const CJK = '\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uac00-\\ud7af\\u3005';
const WORD = new RegExp(`[${CJK}]+|[[\\p{L}\\p{N}\\p{M}]--[${CJK}]]+`, 'gv');
const CJK_WORD = new RegExp(`^[${CJK}]+$`, 'u');

/** Compatibility forms composed, markup entities and control characters removed, white space collapsed. Keeps case and accents. */
export function prepare(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(/&#\d{1,6};|&[a-z]{2,6};/gi, (entity) => (entity.toLowerCase() === '&amp;' || entity === '&#38;' ? '&' : ' '));
  return plain.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}

/** Lower case without accents; letters that do not decompose are spelled out. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII_ONLY.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(COMBINING, '')
    .normalize('NFC')
    .replace(FOLDABLE, (letter) => LETTERS[letter] ?? letter);
}

/** Splits text into folded words. Apostrophes, hyphens and full stops separate words. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(WORD)) {
    const folded = fold(match[0]).replace(/[^\p{L}\p{N}\p{M}]/gu, '');
    if (folded !== '')
      tokens.push({ key: SHORT_FORMS[folded] ?? folded, raw: match[0], start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

/** The key a name is stored and looked up under. */
export function nameKey(name: string): string {
  return tokenise(prepare(name))
    .map((token) => token.key)
    .join(' ');
}

/** True for a word written in a script without spaces, whose parts have to be looked up too. */
export function isUnspaced(word: string): boolean {
  return CJK_WORD.test(word);
}
