-- Fold the case of texts by a named collation, which knows the letters of all scripts.
-- The locale of the database did so before, and the locale C knows A to Z alone. The search indexes are rebuilt only where a letter is now folded in
-- another way.
do $$
  declare
    body text := $body$return translate(lower(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g') collate pg_catalog.%I), 'ς', 'σ')$body$;
    known text[] := array['pg_c_utf8', 'und-x-icu', 'C.utf8', 'C.UTF-8'];
    chosen text;
    is_changed boolean;
    search record;
  begin
    select collname into chosen from pg_collation
      where collnamespace = 'pg_catalog'::regnamespace and collencoding in (-1, pg_char_to_encoding('UTF8')) and collname = any (known)
      order by array_position(known, collname::text) limit 1;
    if chosen is null then
      raise exception 'the server has no collation that knows the lower case of all letters. Use a PostgreSQL with ICU, or add the locale C.UTF-8 to its system and run: select pg_import_system_collations(''pg_catalog'')';
    end if;
    body := format(body, chosen);
    execute 'create function pg_temp.folded_next(text) returns text language sql immutable strict parallel safe ' || body;
    execute 'select bool_or(folded_text(chr(letter)) <> pg_temp.folded_next(chr(letter))) from generate_series(1, 131071) letter where letter not between 55296 and 57343'
      into is_changed;
    execute 'create or replace function folded_text(text) returns text language sql immutable strict parallel safe ' || body;
    if is_changed then
      for search in
        select indexrelid::regclass as name from pg_index join pg_class on pg_class.oid = indexrelid
          where relnamespace = 'public'::regnamespace and pg_get_indexdef(indexrelid) like '%folded_text(%'
      loop
        execute 'reindex index ' || search.name;
      end loop;
    end if;
  end
$$;
