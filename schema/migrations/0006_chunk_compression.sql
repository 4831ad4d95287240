-- Chunks of batches live for milliseconds, and compressing them with the default took most of the time of storing them. A server can be built without lz4.
do $$
  begin
    alter table "sync_chunk" alter column "entries" set compression lz4;
  exception when feature_not_supported then null;
  end;
  $$;
