-- Create extensions pg_trgm and btree_gin: the indexes of the text that lists search.
-- Create function folded_text: a text without case and accents.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create function folded_text(text) returns text language sql immutable strict parallel safe
  return translate(lower(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g')), 'ς', 'σ');
