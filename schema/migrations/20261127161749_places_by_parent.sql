-- Drop index external_link_by_position.
-- Drop index external_link_parent.
-- Drop index address_by_position.
-- Drop index address_parent.
-- Drop index payment_allocation_by_position.
-- Drop index payment_allocation_parent.
-- Drop index phone_number_by_position.
-- Drop index phone_number_parent.
-- Drop index pipeline_stage_by_position.
-- Drop index pipeline_stage_parent.
-- Drop index variant_by_position.
-- Drop index variant_parent.
-- Drop index line_item_by_position.
-- Drop index line_item_parent.
-- destructive: drop index external_link_by_position, unneeded since 20261125163638_places_of_children_concurrently: lists in this order are read by parent, whose index has the place
-- destructive: drop index external_link_parent, unneeded since 20261125163638_places_of_children_concurrently: an index with the place takes its place
-- destructive: drop index address_by_position, unneeded since 20261125163638_places_of_children_concurrently: lists in this order are read by parent, whose index has the place
-- destructive: drop index address_parent, unneeded since 20261125163638_places_of_children_concurrently: an index with the place takes its place
-- destructive: drop index payment_allocation_by_position, unneeded since 20261125163638_places_of_children_concurrently: lists in this order are read by parent, whose index has the place
-- destructive: drop index payment_allocation_parent, unneeded since 20261125163638_places_of_children_concurrently: an index with the place takes its place
-- destructive: drop index phone_number_by_position, unneeded since 20261125163638_places_of_children_concurrently: lists in this order are read by parent, whose index has the place
-- destructive: drop index phone_number_parent, unneeded since 20261125163638_places_of_children_concurrently: an index with the place takes its place
-- destructive: drop index pipeline_stage_by_position, unneeded since 20261125163638_places_of_children_concurrently: lists in this order are read by parent, whose index has the place
-- destructive: drop index pipeline_stage_parent, unneeded since 20261125163638_places_of_children_concurrently: an index with the place takes its place
-- destructive: drop index variant_by_position, unneeded since 20261125163638_places_of_children_concurrently: lists in this order are read by parent, whose index has the place
-- destructive: drop index variant_parent, unneeded since 20261125163638_places_of_children_concurrently: an index with the place takes its place
-- destructive: drop index line_item_by_position, unneeded since 20261125163638_places_of_children_concurrently: lists in this order are read by parent, whose index has the place
-- destructive: drop index line_item_parent, unneeded since 20261125163638_places_of_children_concurrently: an index with the place takes its place
drop index "external_link_by_position";
drop index "external_link_parent";
drop index "address_by_position";
drop index "address_parent";
drop index "payment_allocation_by_position";
drop index "payment_allocation_parent";
drop index "phone_number_by_position";
drop index "phone_number_parent";
drop index "pipeline_stage_by_position";
drop index "pipeline_stage_parent";
drop index "variant_by_position";
drop index "variant_parent";
drop index "line_item_by_position";
drop index "line_item_parent";
