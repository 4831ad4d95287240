// The interface of connectors to source systems, and how to write one.
/**
 * The interface that a connector implements, so that the gateway can pull records from a source system and push records to it.
 *
 * To write one for a vendor:
 * 1. Implement `Connector` in a file of its own. `pull` yields pages of records as the vendor's data in the shape of the REST bodies of
 *    this API (snake case, `platform_id` in each). Do not keep a whole data model in memory; yield pages of some hundred records.
 * 2. Make outbound calls only through `callOut` of `src/security/egress.ts`. No transaction is open while `pull` or `push` runs.
 * 3. Convert the vendor's errors to `GatewayError`s: PLATFORM_DENIED and CONNECTION_EXPIRED end the job; PLATFORM_ERROR and
 *    PLATFORM_RATE_LIMIT_EXCEEDED are tried again three times, after `retryAfterSeconds` where the vendor names it. Put the vendor's
 *    answer, without secrets, into `platformError`.
 * 4. Register it by its integration type in `connectors.ts`.
 *
 * Pulls may be repeated from their start after a crash, and may overlap the previous one by seconds: records are matched by `platform_id`,
 * and those whose content has the stored `data_hash` are not touched, so neither does harm.
 */

/** The company a connector works for. */
export interface ConnectorCompany {
  organisationId: number;
  ledgerId: number;
  integrationType: string;
}

/** What a pull asks for. */
export interface PullRequest {
  company: ConnectorCompany;
  dataModel: string;
  /**
   * Only records that changed at or after this time; 1970 for a first pull. Null asks for every record of the source, so that stored records
   * that it no longer has can be marked deleted.
   */
  since: Date | null;
}

/** A record of the source, with the field names of REST bodies. Values may still be text, as in a CSV file. */
export type SourceRecord = Record<string, unknown>;

/** Access to a source system, or to a kind of them. */
export interface Connector {
  /** The data models it has records of for a company. */
  dataModels(company: ConnectorCompany): Promise<string[]>;
  /** Pages of records. Records of different pages are stored in different transactions. */
  pull(request: PullRequest): AsyncIterable<SourceRecord[]>;
  /** Sends a record to the source and returns the source's id. Absent where the source takes no records. */
  push?(company: ConnectorCompany, dataModel: string, record: SourceRecord): Promise<{ platformId: string }>;
}
