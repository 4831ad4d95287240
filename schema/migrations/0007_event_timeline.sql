create table "event_timeline" ("name" text not null, "base" bigint not null, primary key ("name"));
insert into "event_timeline" ("name", "base") values ('events', 0);
-- Events are written by the application role, which reads the base; only a start moves it.
do $$
  begin
    revoke insert, update, delete on event_timeline from ledger_gateway;
  exception
    when undefined_object then null;
  end $$;
