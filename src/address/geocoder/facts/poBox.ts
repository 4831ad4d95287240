// Post office boxes in the words of many countries. The number of a box often has the form of a postal code, so it is known before those are looked for.

/** The words for a box, by language and with the forms that postal authorities print. */
const WORDS = [
  // English, with the bags of Australia, New Zealand and southern Africa
  'p\\.?\\s?o\\.?\\s*box(?:\\s+number)?',
  'post\\s?(?:office\\s)?box',
  '[gc]\\.?\\s?p\\.?\\s?o\\.?\\s+box',
  'p\\.?\\s?o\\.?\\s*drawer',
  '(?:private|locked)\\s+(?:mail\\s+)?bag',
  'p\\.?m\\.?b\\.?(?=\\s*\\d)',
  // German, Dutch, Afrikaans
  'postfach(?:nummer)?',
  'schlie(?:ß|ss)fach',
  'postbus',
  'antwoordnummer',
  'posbus',
  'privaatsak',
  // French, Italian, Spanish, Catalan, Portuguese, Romanian
  'bo[iî]te\\s+postale',
  'case\\s+postale',
  'b\\.?p\\.?(?=\\s*\\d)',
  'casella\\s+postale',
  'apartado(?:\\s+(?:postal|de\\s+correos|a[eé]reo))?',
  'apdo\\.?(?:\\s+postal)?',
  'casilla(?:\\s+(?:postal|de\\s+correos?))?',
  'apartat(?:\\s+de\\s+correus)?',
  'caixa\\s+postal',
  'c[aă]su[tțţ]a\\s+po[sșş]tal[aă]',
  // Scandinavian and Baltic languages, Finnish, Icelandic, Hungarian
  'postboks',
  'postilokero',
  'pósthólf',
  'postkast',
  'pašto\\s+dėžutė',
  'abonenta\\s+kast[iī]te',
  'postafi[oó]k',
  'pf\\.(?=\\s*\\d)',
  // Slavic languages
  'skrytka\\s+pocztowa',
  'skr\\.\\s*poczt\\.',
  'po[sš]tovn[ií]\\s+p[rř]ihr[aá]dka',
  'poštanski\\s+pretinac',
  'poštni\\s+predal',
  'а/я',
  'а/с',
  'абонентский\\s+ящик',
  'п\\.\\s?к\\.',
  // Greek, Turkish, Arabic, Persian, Hebrew
  'τ\\.?\\s?θ\\.?(?=\\s*\\d)',
  'posta\\s+kutusu',
  'p\\.\\s?k\\.(?=\\s*\\d)',
  'ص\\s?\\.\\s?ب\\s?\\.?',
  'صندوق\\s+(?:ال)?(?:بريد|پستی)',
  'ת\\.?\\s?ד\\.?(?=\\s*\\d)',
  // Asia and East Africa
  'kotak\\s+pos',
  'tromol\\s+pos',
  'peti\\s+surat',
  '(?:hòm|hộp)\\s+thư',
  'ตู้\\s*ป\\.?\\s?ณ\\.?',
  '私書箱',
  '(?:邮政|郵政)?信箱',
  '사서함',
  's\\.?l\\.?p\\.?(?=\\s*\\d)',
];

/** Words that name a box only where a line begins: Box, and PL of Finland. */
const LEADING_WORDS = ['box', 'boks', 'pl'];

/** Digits, grouped by two in German, or with letters before them; the postal code that may follow is not part of it. */
const NUMBER = '[a-z]{1,3}-?\\d{1,6}|\\d{1,2}(?:\\s\\d{2}){1,3}(?!\\s?\\d)|\\d{1,8}';

/** A box with its number, which is the first group. */
export const PO_BOX = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${WORDS.join('|')}|(?<=(?:^|[,;|(/\\n])\\s*)(?:${LEADING_WORDS.join('|')}))[.:]?\\s*(?:(?:no|nr|n[°ºo]|№)[.:]?\\s*)?#?\\s*(${NUMBER})(?:号|號|호)?(?![\\p{L}\\p{N}])`,
  'diu',
);

/** Where the number of a box is in a text; null without a box. */
export function boxNumber(text: string): { start: number; end: number } | null {
  const range = PO_BOX.exec(text)?.indices?.[1];
  return range ? { start: range[0], end: range[1] } : null;
}
