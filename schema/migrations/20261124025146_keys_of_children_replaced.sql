-- Drop index external_link_source_id_key.
-- Drop index address_source_id_key.
-- Drop index payment_allocation_source_id_key.
-- Drop index phone_number_source_id_key.
-- Drop index pipeline_stage_source_id_key.
-- Drop index variant_source_id_key.
-- Drop index line_item_source_id_key.
-- destructive: drop index external_link_source_id_key, unneeded since 0002_records: an index of the plain columns takes its place, with the same uniqueness
-- destructive: drop index address_source_id_key, unneeded since 0002_records: an index of the plain columns takes its place, with the same uniqueness
-- destructive: drop index payment_allocation_source_id_key, unneeded since 0002_records: an index of the plain columns takes its place, with the same uniqueness
-- destructive: drop index phone_number_source_id_key, unneeded since 0002_records: an index of the plain columns takes its place, with the same uniqueness
-- destructive: drop index pipeline_stage_source_id_key, unneeded since 0002_records: an index of the plain columns takes its place, with the same uniqueness
-- destructive: drop index variant_source_id_key, unneeded since 0002_records: an index of the plain columns takes its place, with the same uniqueness
-- destructive: drop index line_item_source_id_key, unneeded since 0002_records: an index of the plain columns takes its place, with the same uniqueness
drop index "external_link_source_id_key";
drop index "address_source_id_key";
drop index "payment_allocation_source_id_key";
drop index "phone_number_source_id_key";
drop index "pipeline_stage_source_id_key";
drop index "variant_source_id_key";
drop index "line_item_source_id_key";
