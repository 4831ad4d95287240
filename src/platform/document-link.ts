// Links to stored documents, as answers carry them.
import type { Services } from '../core/context.ts';
import { signedLink } from '../core/links.ts';

/** How long a link in an answer works. */
const LINK_MS = 15 * 60_000;

/** A link to the content of a stored file. */
export const documentLink = (services: Services, fileId: string): string =>
  signedLink(services, `/api/v1/downloads/files/${fileId}`, LINK_MS);
