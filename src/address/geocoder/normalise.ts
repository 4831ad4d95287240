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

/** A word folded, without signs. */
const letters = (word: string): string => fold(word).replace(/[^\p{L}\p{N}\p{M}]/gu, '');

/** Splits text into folded words. Apostrophes, hyphens and full stops separate words. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(WORD)) {
    const folded = letters(match[0]);
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

/** A name as it is written, folded: with neither signs nor short forms. */
export function writtenKey(name: string): string {
  if (ASCII_ONLY.test(name))
    return name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  return tokenise(prepare(name))
    .map(({ raw }) => letters(raw))
    .join(' ');
}

const SPELLINGS = Object.entries(SHORT_FORMS);
/** Most beginnings that one text is completed from. */
const MAX_BEGINNINGS = 12;

/** The beginnings of written names that a text may become when its last word continues: `st lo` and `saint lo`, `sain` and `st `. */
export function beginnings(text: string): string[] {
  const words = writtenKey(text).split(' ');
  const last = words.pop()!;
  if (last === '') return [];
  let heads = [''];
  for (const word of words) {
    const others = SPELLINGS.flatMap(([long, short]) => (word === long ? [short] : word === short ? [long] : []));
    heads = heads.flatMap((head) => [word, ...others].map((spelling) => `${head}${spelling} `)).slice(0, MAX_BEGINNINGS);
  }
  // Names are not written with a direction as one letter.
  const ends = SPELLINGS.filter(([, short]) => short.length > 1 && last.length > 1).flatMap(([long, short]) =>
    long.startsWith(last) ? [`${short} `] : last === short ? [`${long} `] : [],
  );
  return [...new Set(heads.flatMap((head) => [last, ...ends].map((end) => head + end)))].slice(0, MAX_BEGINNINGS);
}

/** True for a word written in a script without spaces, whose parts have to be looked up too. */
export function isUnspaced(word: string): boolean {
  return CJK_WORD.test(word);
}
