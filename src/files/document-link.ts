// Links to stored documents in responses.
import type { Services } from '../access/context.ts';
import { signedLink } from '../security/signed-urls.ts';

/** How long a link in a response works. */
const LINK_MS = 15 * 60_000;

/** A link to the content of a stored file. */
export const documentLink = (services: Services, fileId: string): string =>
  signedLink(services, `/api/v1/downloads/files/${fileId}`, LINK_MS);
