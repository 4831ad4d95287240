// Check digits of identifiers: of the library `stdnum`, and by the rules of the authorities where the library has another rule.
import { createRequire } from 'node:module';

/** Whether the check digits of a number fit, and the number as it is compared. */
export interface CheckDigits {
  fits(number: string): boolean;
  compact(number: string): string;
}

/** The part of a validator of the library that is used here. */
interface LibraryCheck {
  validate(value: string): { isValid: boolean };
  compact(value: string): string;
}

/** The rules of a country are loaded at its first check: those of all 90 take about 60 ms. */
const load = createRequire(import.meta.url);

/** The rule of a country, written as `BG.vat`. */
export function checkDigits(rule: string): CheckDigits {
  const [country, name] = rule.split('.') as [string, string];
  const library: LibraryCheck = load(`stdnum/lib/cjs/${country.toLowerCase()}/index.js`)[name];
  const own = OWN_RULES[rule];
  const stricter = STRICTER_RULES[rule];
  const spell = SPELLINGS[rule] ?? ((number) => number);
  const compact = (number: string): string => library.compact(spell(number));
  const known = (number: string): boolean => library.validate(spell(number)).isValid;
  return {
    fits: own ? (number) => own(compact(number)) : stricter ? (number) => stricter(compact(number)) && known(number) : known,
    compact,
  };
}

const digitsOf = (number: string): number[] => [...number].map(Number);

const weighted = (number: string, weights: readonly number[]): number => {
  const digits = digitsOf(number);
  return weights.reduce((sum, weight, at) => sum + weight * digits[at]!, 0);
};

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

const two = (number: string, at: number): number => Number(number.slice(at, at + 2));

/** EIK of the Registry Agency: weights 1 to 8; where the remainder is 10, weights 3 to 10. BG831642181 is in VIES. */
function fitsBulgarianCompany(number: string): boolean {
  const first = weighted(number, [1, 2, 3, 4, 5, 6, 7, 8]) % 11;
  const check = first === 10 ? weighted(number, [3, 4, 5, 6, 7, 8, 9, 10]) % 11 : first;
  return check % 10 === Number(number[8]);
}

/** EGN: a day of birth, 20 added to the month before 1900 and 40 from 2000 on, and a weighted remainder. */
function fitsBulgarianPerson(number: string): boolean {
  const month = two(number, 2);
  const [year, plain] = month > 40 ? [2000, month - 40] : month > 20 ? [1800, month - 20] : [1900, month];
  return (
    isDay(year + two(number, 0), plain, two(number, 4)) && (weighted(number, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === Number(number[9])
  );
}

const fitsBulgarianForeigner = (number: string): boolean => weighted(number, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10 === Number(number[9]);

/** Numbers that the revenue agency assigns to others; a remainder that would need the digit 10 is never assigned. */
const fitsBulgarianOther = (number: string): boolean =>
  (11 - (weighted(number, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(number[9]);

/**
 * Birth number of Czechia and Slovakia (Act 133/2000): 50 added to the month of women, 20 where the numbers of a day ran out. Nine digits,
 * without a check digit, until 1953; a remainder of 10 is written as 0, and is not assigned from 1985 on.
 */
function fitsBirthNumber(number: string): boolean {
  const short = number.length === 9;
  const years = two(number, 0);
  if (short && years >= 54 && years < 80) return false;
  const year = years + (short && years >= 80 ? 1800 : !short && years < 54 ? 2000 : 1900);
  if (!isDay(year, (two(number, 2) % 50) % 20, two(number, 4))) return false;
  const remainder = Number(number.slice(0, 9)) % 11;
  return short || (year < 1985 ? remainder % 10 : remainder) === Number(number[9]);
}

/** IČO: weights 8 to 2. */
const fitsCzechCompany = (number: string): boolean => {
  const check = (11 - (weighted(number, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return (check === 0 ? 1 : check % 10) === Number(number[7]);
};

/** Persons without a birth number: a 6, which has no weight, then eight digits. CZ681208919 is in VIES. */
const fitsCzechSpecial = (number: string): boolean => {
  const remainder = weighted(number.slice(1), [8, 7, 6, 5, 4, 3, 2]) % 11;
  return (8 + remainder) % 10 === Number(number[8]);
};

function fitsCzech(number: string): boolean {
  if (number.length === 8) return number[0] !== '9' && fitsCzechCompany(number);
  return number.length === 9 && number[0] === '6' ? fitsCzechSpecial(number) : fitsBirthNumber(number);
}

/** The two digits of the Land, or the one of Bavaria and North Rhine-Westphalia, begin the number that is unique in the federation. */
const GERMAN_FEDERAL = /^(?:(?:1[01]|2[1-46-8]|3[0-2]|4[01])[0-9]{2}|[59][0-9]{3})0[0-9]{8}$/;

/** The Luhn check, ISO/IEC 7812-1. */
const fitsLuhn = (number: string): boolean =>
  digitsOf(number)
    .toReversed()
    .reduce((sum, digit, at) => sum + (at % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit), 0) %
    10 ===
  0;

/** Modulo 11, where the remainders 0 and 1 both give 0. */
const checkOf = (sum: number): number => (sum % 11 > 1 ? 11 - (sum % 11) : 0);

/** RUC of Paraguay (DNIT): weights from 2 on, from the right. */
const fitsParaguayan = (number: string): boolean =>
  checkOf(
    digitsOf(number.slice(0, -1))
      .toReversed()
      .reduce((sum, digit, at) => sum + digit * (at + 2), 0),
  ) === Number(number.at(-1));

/** NIT of El Salvador (Ministerio de Hacienda): another rule where the three digits before the check are 100 or less. */
function fitsSalvadoran(number: string): boolean {
  if (!'019'.includes(number[0]!)) return false;
  const isOld = Number(number.slice(10, 13)) <= 100;
  const sum = weighted(number, isOld ? [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2] : [2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]);
  return (isOld ? (sum % 11) % 10 : checkOf(sum)) === Number(number[13]);
}

/** NRT of Andorra: a letter for the kind of taxpayer, which limits the six digits; the rule of the last letter is not published. */
const ANDORRAN = /^(?:[CDEGOPU][0-9]{6}|F[0-6][0-9]{5}|[AL]7[0-9]{5})[A-Z]$/;

/** Rules in place of those of the library, which reject numbers that the authorities assign. */
const OWN_RULES: Readonly<Record<string, (number: string) => boolean>> = {
  'BG.vat': (number) =>
    number.length === 9
      ? fitsBulgarianCompany(number)
      : fitsBulgarianPerson(number) || fitsBulgarianForeigner(number) || fitsBulgarianOther(number),
  'CZ.dic': fitsCzech,
  'SK.dph': (number) => fitsBirthNumber(number) || (number[0] !== '0' && '234789'.includes(number[2]!) && Number(number) % 11 === 0),
  // The check digit is computed in another way by each Land, which the short forms do not name.
  'DE.stnr': (number) => number.length === 10 || number.length === 11 || GERMAN_FEDERAL.test(number),
  // python-stdnum 1.18, ad.nrt: A and L have 700000 to 799999, which the library has as the only ones that they cannot have.
  'AD.nrt': (number) => ANDORRAN.test(number),
  'PY.ruc': fitsParaguayan,
  'SV.nit': fitsSalvadoran,
  // Two digits for the kind of taxpayer begin it, of which the tax office has added some; the check is that of the first nine.
  'ID.npwp': (number) => fitsLuhn(number.slice(0, 9)),
};

/** Ways of writing a number that the patterns accept and the library does not know, made the one that it knows. */
const SPELLINGS: Readonly<Record<string, (number: string) => string>> = {
  'SM.coe': (number) => number.replace(/^SM/, ''),
  'NO.mva': (number) => number.replace(/(?:MVA)?$/, 'MVA'),
  // A T is before the number of an issuer of qualified invoices.
  'JP.cn': (number) => number.replace(/^T/, ''),
};

/** La Poste numbers its offices by another rule. */
const LA_POSTE = /^356000000/;

/** What the authorities ask for beyond the rule of the library, which passes numbers that they do not assign. */
const STRICTER_RULES: Readonly<Record<string, (number: string) => boolean>> = {
  // INSEE: the first nine digits are a SIREN, which has a check digit of its own.
  'FR.siret': (number) => LA_POSTE.test(number) || fitsLuhn(number.slice(0, 9)),
  // Belastingdienst: the two digits begin with 01.
  'NL.btw': (number) => !number.endsWith('B00'),
  // Inland Revenue: numbers from 10,000,000 on.
  'NZ.ird': (number) => Number(number) >= 10_000_000,
  // Finančna uprava: numbers from 10000000 on; a remainder that would need the digit 11 is not assigned.
  'SI.ddv': (number) => number[0] !== '0' && weighted(number, [8, 7, 6, 5, 4, 3, 2]) % 11 !== 0,
  // Registers Iceland: the last digit is the century, 8 to 0.
  'IS.kennitala': (number) => '890'.includes(number[9]!),
};
