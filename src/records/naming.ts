// The naming strategy: camelCase in TypeScript and GraphQL, snake_case in columns and on the snake_case REST surfaces.

/** `postedDate` → `posted_date`; no underscore before digits: `addressLine1` → `address_line1`. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** A path of camelCase fields, `data[0].lineItems[1].taxId`, in snake_case. */
export const snakePath = (path: string): string => path.split('.').map(snakeCase).join('.');
