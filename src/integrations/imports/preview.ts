// What a pull would make of an uploaded file, before it happens: the first records, and those that would be rejected, each with its place.

import type { Services } from '../../access/context.ts';
import { GatewayError } from '../../records/errors.ts';
import { others } from '../../runtime/others.ts';
import type { FileRecord, KnownFile } from '../connectors/files/file-reading.ts';
import { modelCoercer } from '../syncs/pull-pages.ts';
import type { RecordCoercer } from '../syncs/source-record.ts';

const SHOWN = 20;
const MAX_REJECTED = 100;
/** How long a file is looked at while a person waits. */
const LOOKED_MS = 10_000;
/** Records that are looked at before the process may do other work. */
const AT_ONCE = 50;

/** A record that a pull would store or reject. */
export interface PreviewedRecord {
  dataModel: string;
  place: string;
  platformId: string | null;
  /** Null where the mapping makes none. */
  record: Record<string, unknown> | null;
  code: string | null;
  message: string | null;
}

/** What a pull would make of a file. */
export interface FilePreview {
  kind: string;
  title: string | null;
  recordCount: number;
  counts: { dataModel: string; stored: number; rejected: number }[];
  records: PreviewedRecord[];
  rejected: PreviewedRecord[];
  isComplete: boolean;
}

/** Looks at the records of a file. Throws what reading the file throws. */
export async function previewOf({ schema, clock }: Services, file: KnownFile): Promise<FilePreview> {
  const { kind, title, dataModels } = file;
  const preview: FilePreview = { kind, title, recordCount: await file.count(), counts: [], records: [], rejected: [], isComplete: true };
  const coercers = new Map(dataModels.map((dataModel) => [dataModel, modelCoercer(schema, dataModel, true)]));
  const stored = new Map(dataModels.map((dataModel) => [dataModel, new Set<string>()]));
  const rejected = new Map(dataModels.map((dataModel) => [dataModel, 0]));
  const until = clock.now().getTime() + LOOKED_MS;
  let looked = 0;
  for await (const entry of file.records()) {
    if (++looked % AT_ONCE === 0) await others();
    const seen = previewed(entry, coercers.get(entry.dataModel)!);
    const ids = stored.get(entry.dataModel)!;
    if (seen.code !== null) {
      rejected.set(entry.dataModel, rejected.get(entry.dataModel)! + 1);
      if (preview.rejected.length < MAX_REJECTED) preview.rejected.push(seen);
    } else if (!ids.has(seen.platformId!)) {
      ids.add(seen.platformId!);
      if (preview.records.length < SHOWN) preview.records.push(seen);
    }
    if (clock.now().getTime() <= until) continue;
    preview.isComplete = false;
    break;
  }
  preview.counts = dataModels.map((dataModel) => ({ dataModel, stored: stored.get(dataModel)!.size, rejected: rejected.get(dataModel)! }));
  return preview;
}

function previewed(entry: FileRecord, coerce: RecordCoercer): PreviewedRecord {
  const { place, dataModel } = entry;
  const { record = null, error } = entry;
  const platformId = record?.platform_id == null ? null : String(record.platform_id);
  const seen = { place, dataModel, platformId, record };
  if (error) return { ...seen, code: error.code, message: error.message };
  try {
    coerce(record!, '');
    return { ...seen, code: null, message: null };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { ...seen, code: error.code, message: `${place}: ${error.message.replaceAll(/(^|[ ;])\./g, '$1')}` };
  }
}
