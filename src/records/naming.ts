// The naming strategy: camelCase in TypeScript and GraphQL, snake_case in columns and on the snake_case REST surfaces.

/** `postedDate` → `posted_date`; no underscore before digits: `addressLine1` → `address_line1`. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** `EINLetter` → `EIN_LETTER`, the spelling of enumeration values in GraphQL. */
export const constantCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toUpperCase();

/** A path of camelCase fields, `data[0].lineItems[1].taxId`, in snake_case. */
export const snakePath = (path: string): string => path.split('.').map(snakeCase).join('.');

/** A name as people say it: `legalName` is "legal name", `addressLine1` "address line 1". */
export const spokenName = (name: string): string =>
  snakeCase(name)
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=\d)/g, ' ');
