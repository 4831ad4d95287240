// Decorators that declare what the answer of a field means for those who carry it: compression and caches.
import { Extensions } from 'type-graphql';

/** Declares a field whose value opens something to whoever has it: a key, a signing secret, a signed link. Answers that show it are not compressed. */
export const showsSecret: MethodDecorator & PropertyDecorator = Extensions({ showsSecret: true });

/** Declares a root field of reference data: the same for every caller who may ask for it, so that caches may share its answer. */
export const isReference: MethodDecorator & PropertyDecorator = Extensions({ isReference: true });
