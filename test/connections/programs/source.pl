#!/usr/bin/perl
# An Airbyte source for the tests, in Perl: what it writes for each command is in the JSON file that its first argument names,
# and what it was given goes to the file of its second argument.
use strict;
use warnings;
use JSON::PP;

my $json = JSON::PP->new->canonical;

sub slurp {
    my ($path) = @_;
    open(my $file, '<', $path) or die "$path: $!";
    local $/;
    return $json->decode(<$file>);
}

my ($script, $seen, $command, %options) = @ARGV;
my $messages = slurp($script);
my %given = (command => $command);
$given{ $_ =~ s/^--//r } = slurp($options{$_}) for keys %options;
open(my $log, '>>', $seen) or die "$seen: $!";
print $log $json->encode(\%given), "\n";
close($log);

$| = 1;
for my $message (@{ $messages->{$command} // [] }) {
    print ref($message) ? $json->encode($message) : $message, "\n";
}
my $end = $messages->{exit}{$command} // 0;
print STDERR "the source ends with $end\n" if $end;
exit $end;
