// The statement that stores a piece of a file.
import { type EntityManager, executeIn } from '../database/open.ts';

/** Stores a piece. As an entity, its bytes would be part of the statement's text, twice as long in hexadecimal digits: 30 ms for each megabyte. */
export async function insertPiece(
  em: EntityManager,
  { fileId, position, organisationId, content }: { fileId: string; position: number; organisationId: number; content: Buffer },
): Promise<void> {
  await executeIn(em, 'insert into file_piece (file_id, position, organisation_id, content) values ($1, $2, $3, $4)', [
    fileId,
    position,
    organisationId,
    content,
  ]);
}
