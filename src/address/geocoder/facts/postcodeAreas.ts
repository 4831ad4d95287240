// The subdivision that the first digits of a postcode indicate. It covers countries whose postal authority numbers by subdivision and whose address
// metadata does not state it. Spain: the province codes of the INE. Ecuador and Peru: the province and department codes of INEC and INEI. Algeria:
// the number of the wilaya. Belgium, China and Croatia: the ranges of bpost, China Post and Hrvatska pošta. Denmark, Finland, Germany, Norway and
// Sweden: the sorting areas of their postal services, where one lies in one region almost wholly, compared with GeoNames' postal codes. Philippines: the
// range of Metro Manila.

/** `12 13 AB` gives the prefixes 12 and 13 to the subdivision AB; a prefix that several share has a hyphen. The first that fits counts, so longer ones come first. */
const RANGES: Readonly<Record<string, string>> = {
  BE: '10 11 12 BRU, 13 14 WBR, 15 16 17 18 19 30 31 32 33 34 VBR, 2 VAN, 35 36 37 38 39 VLI, 4 WLG, 5 WNA, 60 61 62 63 64 65 7 WHT, 66 67 68 69 WLX, 8 VWV, 9 VOV',
  CN: '10 BJ, 20 SH, 30 TJ, 40 CQ, 01 02 NM, 03 04 SX, 05 06 07 HE, 11 12 LN, 13 JL, 15 16 HL, 21 22 JS, 23 24 AH, 25 26 27 SD, 31 32 ZJ, 33 34 JX, 35 36 FJ, 41 42 HN, 43 44 HB, 45 46 47 HA, 51 52 GD, 53 54 GX, 55 56 GZ, 57 HI, 61 62 63 64 SC, 65 66 67 YN, 71 72 SN, 73 74 GS, 75 NX, 81 QH, 83 84 XJ, 85 XZ',
  DZ: Array.from({ length: 48 }, (_, at) => String(at + 1).padStart(2, '0'))
    .map((wilaya) => `${wilaya} ${wilaya}`)
    .concat('49 5 -')
    .join(', '),
  DE: '0190 0191 0192 0193 SN, 07952 07985 SN, 17326 BB, 019 BB, 0460 0461 0462 0463 TH, 06556 06567 0657 TH, 1726 1727 1728 1729 BB, 1932 1933 1934 BB, 2146 2148 2149 SH, 2390 2391 SH, 239 MV, 228 229 SH, 2879 NI, 287 HB, 27498 SH, 27499 HH, 2941 ST, 3434 34355 NI, 3441 3443 NW, 3767 3768 37696 NW, 38486 38489 ST, 48455 48465 48480 48488 48499 NI, 48565 48599 NW, 485 NI, 49477 49479 4949 NW, 4950 4952 4953 4954 NW, 55246 55252 HE, 65558 65582 65623 65624 65626 65629 RP, 66482 66484 66497 6650 RP, 6680 6682 6683 SL, 668 RP, 68519 HE, 69483 69488 HE, 69502 69514 BW, 695 HE, 7670 BW, 767 RP, 9651 9652 TH, 97877 97896 BW, 978 BY, 97900 BW, 9790 BY, 979 BW, 049 BB, 140 141 BE, 210 211 HH, 215 SH, 275 HB, 288 NI, 364 TH, 372 HE, 373 TH, 388 389 ST, 534 535 RP, 575 576 RP, 637 638 639 BY, 669 RP, 686 HE, 768 RP, 881 BY, 890 891 895 BW, 892 893 894 BY, 01 02 04 08 09 SN, 03 14 15 16 BB, 06 39 ST, 07 98 99 TH, 10 12 13 BE, 17 18 19 MV, 20 22 HH, 21 26 27 29 30 31 37 38 49 NI, 23 24 25 SH, 28 HB, 32 33 40 41 42 44 45 46 47 48 50 51 52 53 57 58 59 NW, 34 35 36 60 61 63 64 65 HE, 54 55 56 67 RP, 66 SL, 68 69 70 71 72 73 74 75 76 77 78 79 88 BW, 80 81 82 83 84 85 86 87 90 91 92 93 94 95 96 97 BY',
  DK: '1 2 30 31 32 33 34 35 36 37 84, 4 85, 5 83, 60 61 62 63 64 65 66 67 68 70 71 72 73 83, 69 74 75 76 78 80 81 82 83 84 85 86 87 88 89 82, 77 79 9 81',
  EC: '01 A, 02 B, 03 F, 04 C, 05 X, 06 H, 07 O, 08 E, 09 G, 10 I, 11 L, 12 R, 13 M, 14 S, 15 N, 16 Y, 17 P, 18 T, 19 Z, 20 W, 21 U, 22 D, 23 SD, 24 SE',
  ES: '01 VI, 02 AB, 03 A, 04 AL, 05 AV, 06 BA, 07 PM, 08 B, 09 BU, 10 CC, 11 CA, 12 CS, 13 CR, 14 CO, 15 C, 16 CU, 17 GI, 18 GR, 19 GU, 20 SS, 21 H, 22 HU, 23 J, 24 LE, 25 L, 26 LO, 27 LU, 28 M, 29 MA, 30 MU, 31 NA, 32 OR, 33 O, 34 P, 35 GC, 36 PO, 37 SA, 38 TF, 39 S, 40 SG, 41 SE, 42 SO, 43 T, 44 TE, 45 TO, 46 V, 47 VA, 48 BI, 49 ZA, 50 Z, 51 CE, 52 ML',
  FI: '169 312 313 316 321 06, 314 315 322 323 324 325 19, 317 318 381 382 383 384 385 11, 326 328 329 386 387 388 389 399 17, 681 14, 682 683 07, 194 771 772 773 774 775 04, 776 777 778 779 15, 199 08, 178 179 -, 00 01 02 03 04 05 06 07 08 09 10 18, 11 12 13 14 30 06, 15 16 17 18 19 16, 20 21 23 24 25 19, 26 27 28 29 17, 33 34 35 36 37 39 11, 40 41 42 43 44 08, 45 46 47 48 49 09, 50 51 52 57 58 76 04, 53 54 55 56 59 02, 60 61 62 63 03, 64 65 66 68 12, 67 69 07, 70 71 72 73 74 78 79 15, 75 80 81 82 83 13, 84 85 86 90 91 92 93 14, 87 88 89 05, 94 95 96 97 98 99 10, 22 31 32 -',
  HR: '10 -, 20 19, 21 17, 22 15, 23 13, 31 14, 32 16, 33 10, 34 11, 35 12, 40 20, 42 05, 43 07, 44 03, 47 04, 48 06, 49 02, 51 08, 52 18, 53 09',
  NO: '154 155 215 216 217 272 273 274 343 344 347 348 349 32, 210 211 212 213 275 276 277 34, 308 309 39, 340 341 342 360 361 362 363 364 33, 365 366 367 368 369 40, 446 11, 555 46, 307 352 559 665 668 797 798 -, 00 01 02 03 04 05 06 07 08 09 10 11 12 03, 13 14 19 20 32, 15 16 17 18 31, 22 23 24 25 26 28 29 34, 33 35 33, 31 32 39, 37 38 39 40, 40 41 42 43 11, 45 46 47 48 49 42, 50 51 52 53 54 56 57 58 59 67 68 69 46, 60 61 62 63 64 65 66 15, 70 71 72 73 74 75 76 77 78 50, 80 81 82 83 84 85 86 87 88 89 18, 90 91 92 93 94 55, 95 96 97 98 99 56, 30 33, 44 42, 55 11, 79 50, 21 27 34 36 -',
  PE: '01 AMA, 02 ANC, 03 APU, 04 ARE, 05 AYA, 06 CAJ, 07 CAL, 08 CUS, 09 HUV, 10 HUC, 11 ICA, 12 JUN, 13 LAL, 14 LAM, 15 -, 16 LOR, 17 MDD, 18 MOQ, 19 PAS, 20 PIU, 21 PUN, 22 SAM, 23 TAC, 24 TUM, 25 UCA',
  PH: '10 11 12 13 14 15 16 17 18 00, 0 19 2 3 4 5 6 7 8 9 -',
  SE: '285 287 G, 294 K, 361 572 577 579 593 594 598 H, 429 432 434 N, 571 573 575 576 578 F, 611 613 619 D, 666 668 O, 814 815 C, 841 Y, 933 938 BD, 293 427 430 439 570 574 590 610 660 662 810 819 880 883 930 -, 10 11 12 13 14 15 16 17 18 76 AB, 20 21 22 23 24 25 26 27 29 M, 30 31 N, 33 55 56 F, 34 35 36 G, 37 K, 38 39 H, 40 41 42 44 45 46 47 50 51 52 53 54 O, 58 60 E, 62 I, 63 64 D, 65 66 67 68 S, 69 70 71 T, 72 73 U, 74 75 C, 77 78 79 W, 80 81 82 X, 83 Z, 85 86 87 88 89 Y, 90 91 92 93 AC, 94 95 96 97 98 BD, 19 AB, 28 M, 43 O, 59 61 E, 84 Z, 57 -',
};

/** Per country the prefixes of postcodes, each with the ISO 3166-2 code it says; an empty one where it says none. */
export const POSTCODE_AREAS: ReadonlyMap<string, readonly (readonly [prefix: string, code: string])[]> = new Map(
  Object.entries(RANGES).map(([country, ranges]) => [
    country,
    ranges.split(', ').flatMap((range) => {
      const prefixes = range.split(' ');
      const area = prefixes.pop()!;
      return prefixes.map((prefix) => [prefix, area === '-' ? '' : `${country}-${area}`] as const);
    }),
  ]),
);

/** Codes of the address metadata that ISO 3166-2 has replaced since. */
export const REPLACED_CODES: Readonly<Record<string, string>> = {
  'IN-CT': 'IN-CG',
  'IN-OR': 'IN-OD',
  'IN-TG': 'IN-TS',
  'IN-UT': 'IN-UK',
  'IN-DD': 'IN-DH',
  'IN-DN': 'IN-DH',
  'IT-AO': 'IT-23',
  'IT-CI': 'IT-SU',
  'IT-VS': 'IT-SU',
  'IT-OG': 'IT-NU',
  'IT-OT': 'IT-SS',
};

/** Forms of postcodes that are no longer given out: rules about the present form say nothing of them. Korea's had six digits until August 2015. */
export const FORMER_FORMS: Readonly<Record<string, RegExp>> = { KR: /^\d{3}-\d{3}$/ };
