-- Add column event_recording.since_snapshot.
-- Add column event_recording.since_base.
alter table "event_recording"
  add "since_snapshot" text null,
  add "since_base" bigint null;
update event_recording recording
  set since_base = 0, since_snapshot = format('%s:%s:', first_event.place, first_event.place)
  from (
    select kept.organisation_id,
      greatest(1, coalesce(min(event.commit_order), (select base from event_timeline) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)) as place
    from event_recording kept left join event on event.organisation_id = kept.organisation_id and event.triggered_at >= kept.since
    group by kept.organisation_id) first_event
  where recording.organisation_id = first_event.organisation_id;
