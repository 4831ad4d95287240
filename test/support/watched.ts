// A record that notes which of its members are read, to see what a connector sends of it.

/** The record, whose `used` fills with the names that are read; those of children after the name of their list: `line_items.quantity`. */
export function watched(record: Record<string, unknown>): { record: Record<string, unknown>; used: Set<string> } {
  const used = new Set<string>();
  const noting = (value: object, prefix: string): object =>
    new Proxy(value, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof name === 'symbol') return member;
        if (Object.hasOwn(target, name) && !Array.isArray(target)) used.add(`${prefix}${name}`);
        if (typeof member !== 'object' || member === null) return member;
        // The members of an object that is no list are its own matter.
        if (Array.isArray(target)) return noting(member, prefix);
        return Array.isArray(member) ? noting(member, `${prefix}${name}.`) : member;
      },
    });
  return { record: noting(record, '') as Record<string, unknown>, used };
}
