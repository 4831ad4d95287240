// The statement that sums up the responses of the receivers of webhooks.

/** Deliveries of a webhook that are looked at; the index gives the newest without reading others. */
export const MAX_MEASURED = 1_000;

/**
 * The statement that sums up the attempts of the newest deliveries of each webhook of an organisation: their number, the successful ones, and their
 * duration.
 */
const statement = (name: string, hour?: string) => ({
  name,
  text: `select w.id, ${hour ? `${hour}, ` : ''}count(a.id), count(a.id) filter (where a.status between 200 and 299),
      percentile_disc(0.5) within group (order by a.duration), percentile_disc(0.95) within group (order by a.duration)
    from webhook w
    left join lateral (
      select d.id from webhook_delivery d where d.organisation_id = $1::bigint and d.webhook_id = w.id order by d.id desc limit ${MAX_MEASURED}) d on true
    ${hour ? '' : 'left '}join webhook_attempt a on a.organisation_id = $1::bigint and a.delivery_id = d.id
    where w.organisation_id = $1::bigint and w.id = any($2::text[]) group by w.id${hour ? `, ${hour} order by 2 desc` : ''}`,
});

/** All attempts together. */
export const attemptStatistics = statement('webhook_attempt_statistics');
/** The attempts of each hour that has some, the latest first. */
export const hourlyStatistics = statement(
  'webhook_hourly_statistics',
  `to_char(date_trunc('hour', a.at at time zone 'utc'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
);
