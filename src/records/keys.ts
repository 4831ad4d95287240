// Texts that identify a record and that people type, such as a sku or the number of a document: two of them that look alike are equal. They are the
// OpaqueString of RFC 8265 without blanks at their ends: in the normal form NFC, each blank an ordinary one, no character that shows nothing.

/** Control characters, those that RFC 8264 calls ignorable, line separators, and two that look like a blank or like nothing. */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800]/u;
const OTHER_BLANK = /[^\S ]/u;
const MARK = /\p{M}/u;

/** Whether keys are stored in their one form, or refused in any other because something outside compares them as they are. */
export type KeyRule = 'normalised' | 'exact';

/** A key in its one form; characters that show nothing stay, so that they can be refused by name. */
export const keyText = (text: string): string =>
  isPlain(text)
    ? text
    : text
        .replaceAll(/\p{Zs}/gu, ' ')
        .trim()
        .normalize('NFC');

/** Most keys are printable ASCII without blanks at their ends. */
const isPlain = (text: string): boolean => /^[!-~]([ -~]*[!-~])?$/.test(text);

const nameOf = (character: string): string => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** What keeps a text from being a key, as the end of the sentence "<field> must …"; undefined for a key. */
export function keyFault(text: string): string | undefined {
  if (isPlain(text)) return undefined;
  const invisible = INVISIBLE.exec(text);
  if (invisible) return `not contain the invisible character ${nameOf(invisible[0])}`;
  const normal = keyText(text);
  if (normal === text) return undefined;
  if (text.trim() !== text) return 'not begin or end with a blank';
  const blank = OTHER_BLANK.exec(text);
  if (blank) return `not contain the blank ${nameOf(blank[0])}; the ordinary one is U+0020`;
  const from = [...text].findIndex((character, at) => character !== [...normal][at]);
  const rest = [...text].slice(from);
  return `be in the Unicode normal form NFC, which ${nameOf(rest.find((character) => MARK.test(character)) ?? rest[0]!)} is not part of here`;
}
