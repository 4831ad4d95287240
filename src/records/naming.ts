// The two spellings of every name: camelCase in TypeScript and GraphQL, snake_case in columns and on the snake_case surfaces.

/** `postedDate` → `posted_date`; `addressLine1` → `address_line_1`; digits that end a word stay with it only as the interface has them (`street2`). */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** A path of camel case fields, `data[0].lineItems[1].taxId`, in snake case. */
export const snakePath = (path: string): string => path.split('.').map(snakeCase).join('.');
