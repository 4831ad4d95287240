// Words that mark a street, by their position in its name and by the countries that use them.

const GROUPS: Readonly<Record<string, string>> = {
  en: 'US GB CA AU NZ IE ZA IN KE NG GH JM BB TT BS BM KY GG JE IM GI MT SG HK PH PK BD LK ZW ZM UG TZ BW NA FJ PG BZ GY LC VC GD AG DM KN MS AI VG VI GU FK SH SL LR GM MW SZ LS SC MU SB VU TO WS NU CK',
  fr: 'FR BE CH LU MC CA GP MQ GF RE YT PM BL MF NC PF WF SN CI ML BF NE TD CM GA CG CD GN BJ TG MG KM DJ BI RW HT TN MA DZ MR CF LB VU SC MU',
  de: 'DE AT CH LI LU BE IT',
  it: 'IT CH SM VA',
  es: 'ES MX AR CO PE CL VE EC GT CU BO DO HN PY SV NI CR PA UY PR GQ AD GI PH',
  ca: 'ES AD',
  pt: 'PT BR AO MZ CV GW ST TL MO',
  nl: 'NL BE SR AW CW SX BQ',
  pl: 'PL',
  cs: 'CZ SK',
  hu: 'HU',
  ro: 'RO MD',
  sl: 'HR SI RS BA ME MK BG',
  ru: 'RU UA BY KZ KG UZ TJ TM AM AZ MD GE',
  sv: 'SE FI AX',
  da: 'DK GL FO',
  nb: 'NO SJ',
  fi: 'FI',
  tr: 'TR CY AZ',
  lv: 'LV LT EE',
  id: 'ID MY BN SG',
  vi: 'VN',
  ar: 'AE SA EG IQ JO LB SY YE OM QA BH KW LY TN DZ MA SD PS MR',
  gr: 'GR CY',
  sq: 'AL XK',
  is: 'IS',
  az: 'AZ',
  th: 'TH',
  ph: 'PH',
  mt: 'MT',
};

/** Street words before the name: rue de Rivoli. */
const PREFIX: Readonly<Record<string, string>> = {
  fr: 'rue avenue av boulevard bd blvd chemin ch allee allees impasse place quai route rte cours square passage sentier ruelle esplanade faubourg fbg residence lotissement hameau rond lieu zac za zi voie villa cite venelle montee cote pl impasse promenade',
  it: 'via viale piazza corso largo vicolo contrada strada vle piazzale borgo lungomare salita localita',
  es: 'calle avenida avda carrera paseo plaza cerrada calz calzada camino carretera ronda pasaje jiron transversal diagonal prolongacion callejon boulevard cl cra privada',
  ca: 'carrer avinguda placa passeig rambla',
  pt: 'rua travessa avenida praca alameda estrada largo rodovia condominio',
  pl: 'ulica ul al aleja aleje plac pl osiedle os',
  cs: 'ulice namesti nabrezi trida',
  ro: 'strada str bulevardul bd calea aleea piata soseaua intrarea bulevard',
  sl: 'trg put ulica ulitsa bulevar',
  ru: 'улица ул проспект пр переулок пер площадь пл шоссе бульвар набережная проезд вул вулиця',
  id: 'jalan jl jln lorong persiaran gang kampung',
  vi: 'duong pho ngo hem',
  ar: 'شارع طريق حي',
  sq: 'rruga bulevardi',
  mt: 'triq',
  az: 'kuce prospekti',
  th: 'soi thanon',
};

/** Street words after the name: Oxford Street. */
const SUFFIX: Readonly<Record<string, string>> = {
  en: 'street road avenue ave rd lane ln drive dr boulevard blvd court ct circle cir terrace ter crescent cres parkway pkwy highway hwy trail trl turnpike tpke alley aly mews close way plaza plz expressway expy freeway pike loop walk row square sq grove grv gardens gdns place pl',
  de: 'strasse str weg platz gasse allee ring damm ufer chaussee',
  nl: 'straat laan weg plein kade gracht steeg',
  hu: 'utca ut ter korut utja krt',
  tr: 'sokak sokagi caddesi cad bulvari sk',
  lv: 'iela gatve pr tanav tee mnt',
  ru: 'улица проспект переулок площадь шоссе бульвар набережная ulitsa prospekt prospect kuchasi kocasi',
  sl: 'ulica cesta trg',
  fi: 'katu tie',
  sv: 'gatan vagen gata vag',
  da: 'vej gade allé',
  nb: 'gate gata vei veien veg vegen',
  az: 'kuc prospekti kucesi',
  is: 'gata stigur',
  id: 'barat',
};

/** Endings of one-word street names: Rosenthalerstraße. */
const ENDINGS: ReadonlyArray<readonly [RegExp, string]> = [
  [/.{3}(?:strasse|str|platz|gasse|allee|damm|ufer|chaussee)$/, 'de'],
  [/.{3}(?:straat|laan|kade|plein|gracht|steeg|dijk|singel|burgwal)$/, 'nl'],
  [/.{3}(?:gatan|vagen|gata)$/, 'sv'],
  [/.{3}(?:vej|gade)$/, 'da'],
  [/.{3}(?:gate|gata|vei|veien|veg|vegen)$/, 'nb'],
  [/.{3}(?:katu|tie|kuja|polku)$/, 'fi'],
  [/.{4}(?:straeti|stigur|vegur)$/, 'is'],
];

/** Words inside a street name that carry no information. */
export const PARTICLES: ReadonlySet<string> = new Set(
  'de la le les du des d l del della delle dei degli di da do dos das of the and et y e van der den het zum zur am an im von the al el'.split(
    ' ',
  ),
);

/** Words that join a street word to the name after it. */
export const LINKS: ReadonlySet<string> = new Set('de du des del della dell di do da dos das la le les'.split(' '));

/** Street words that are also codes of states or countries: Hartford CT, Warszawa PL. */
export const AREA_CODES: ReadonlySet<string> = new Set(['al', 'ct', 'pl', 'pr', 'sk']);

/** Months as streets are named after them, folded. */
const MONTHS: ReadonlySet<string> = new Set(
  (
    'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre enero febrero marzo abril mayo junio julio agosto ' +
    'septiembre setiembre octubre noviembre diciembre janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro ' +
    'gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre'
  ).split(' '),
);

export const isMonth = (key: string): boolean => MONTHS.has(key);

export type StreetRole = 'prefix' | 'suffix' | 'ending';
interface StreetWord {
  readonly role: StreetRole;
  readonly languages: readonly string[];
}

const WORDS = buildWords();
const COUNTRIES = new Map(Object.entries(GROUPS).map(([language, list]) => [language, new Set(list.split(' '))]));

function buildWords(): Map<string, StreetWord[]> {
  const words = new Map<string, StreetWord[]>();
  for (const [role, table] of [
    ['prefix', PREFIX],
    ['suffix', SUFFIX],
  ] as const) {
    const languages = new Map<string, string[]>();
    for (const [language, list] of Object.entries(table))
      for (const word of list.split(' ')) languages.set(word, [...(languages.get(word) ?? []), language]);
    for (const [word, list] of languages) words.set(word, [...(words.get(word) ?? []), { role, languages: list }]);
  }
  return words;
}

/** The roles a folded word can play in a street name; empty for every other word. */
export function streetWord(key: string): readonly StreetWord[] {
  const known = WORDS.get(key);
  if (known) return known;
  if (key.length < 6) return [];
  const languages = ENDINGS.filter(([pattern]) => pattern.test(key)).map(([, language]) => language);
  return languages.length > 0 ? [{ role: 'ending', languages }] : [];
}

/** True for the beginning of a word that marks a street in that role. */
export function beginsStreetWord(beginning: string, role: StreetRole): boolean {
  for (const [word, kinds] of WORDS) if (word.startsWith(beginning) && kinds.some((kind) => kind.role === role)) return true;
  return false;
}

/** The country most addresses in the language come from; only languages with one such country. */
const HOME: Readonly<Record<string, string>> = {
  fr: 'FR',
  de: 'DE',
  it: 'IT',
  nl: 'NL',
  sv: 'SE',
  ro: 'RO',
  ca: 'ES',
  tr: 'TR',
  da: 'DK',
  nb: 'NO',
  fi: 'FI',
};

export function isHome(languages: Iterable<string>, country: string): boolean {
  for (const language of languages) if (HOME[language] === country) return true;
  return false;
}

/** True when the street vocabulary of one of the languages belongs to the country. */
export function speaks(languages: Iterable<string>, country: string): boolean {
  for (const language of languages) if (COUNTRIES.get(language)?.has(country)) return true;
  return false;
}
