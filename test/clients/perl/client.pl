# OpenAPI::Client, which makes a Perl client from the OpenAPI 3.0 documents that the gateway serves: the platform and the integrations API.
# perl client.pl <base> <bearer> <api key>; where the module is not installed it says so and ends with 3.
use strict;
use warnings;

unless (eval { require OpenAPI::Client; 1 }) {
  print "skipped: the Perl module OpenAPI::Client is not installed (Debian: libopenapi-client-perl)\n";
  exit 3;
}

my ($base, $bearer, $api_key) = @ARGV;

# The client checks what it sends against the document and names what does not fit.
sub client {
  my ($surface, $header, $value) = @_;
  my $client = OpenAPI::Client->new("$base/openapi/$surface-3.0.json");
  $client->base_url->scheme('http')->host('127.0.0.1')->port(Mojo::URL->new($base)->port);
  $client->ua->on(start => sub { $_[1]->req->headers->header($header => $value) });
  return $client;
}

sub expect {
  my ($holds, $what, $tx) = @_;
  die "expected $what, not " . $tx->res->code . ' ' . $tx->res->body . "\n" unless $holds;
}

my $platform = client(platform => Authorization => "Bearer $bearer");
my $created = $platform->call(CreateCorporation => {}, json => {legal_name => 'Perl Ltd', jurisdiction => 'GB'});
my $id = $created->res->json('/data/id');
expect($created->res->is_success && $id, 'a corporation', $created);
my $product = {corporation_id => $id, sku => 'PERL-1', name => 'Laptop'};
my $first = $platform->call(CreateProduct => {}, json => $product);
expect($first->res->json('/data/sku') eq 'PERL-1', 'a product', $first);
my $again = $platform->call(CreateProduct => {}, json => $product);
expect($again->res->json('/error/code') eq 'DUPLICATE_SKU', 'the code DUPLICATE_SKU', $again);
my $wrong = $platform->call(CreateProduct => {}, json => {corporation_id => $id, sku => ['PERL-1']});
expect($wrong->res->code == 400 && $wrong->res->json('/errors/0/path') =~ m{/sku$}, 'a refusal by the document before anything is sent', $wrong);

my $ledger = client(integrations => api_key => $api_key);
my $companies = $ledger->call(Companies => {limit => 1});
my $company = $companies->res->json('/data/0/ledger_id');
expect(defined $company, 'a company', $companies);
my $rate = {data => {platform_id => "perl-$id", name => 'VAT 20', total_tax_rate => 20}};
my $written = $ledger->call(UpsertTaxRates => {companyId => $company}, json => $rate);
expect($written->res->json('/data/sync_id') =~ /^sync_/, 'a sync', $written);
print join(', ', 'product ' . $first->res->json('/data/id'), $again->res->json('/error/code'), $written->res->json('/data/sync_id')), "\n";
