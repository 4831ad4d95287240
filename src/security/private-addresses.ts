// Which addresses an outbound call may reach: the public internet, and nothing that only looks public.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Platform services of clouds that answer on addresses every range table calls public: Azure's metadata channel, IBM Cloud's private services. */
const DENIED = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) => ipaddr.IPv4.parseCIDR(range));

/** The only block of IPv6 that is handed out for the public internet. Everything else, translated IPv4 included, is refused with it. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Why the address may not be called, or null when it may. Takes what a resolver or the WHATWG URL parser gives, brackets and zone included. */
export function refuseAddress(address: string): string | null {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(bare) === 0) return `${address} is not an address`;
  // IPv4 inside IPv6 (::ffff:a.b.c.d) is judged as the IPv4 address that the socket would reach.
  const parsed = ipaddr.process(bare);
  const range = parsed.range();
  if (range !== 'unicast') return `${bare} is not a public address (${range})`;
  if (parsed instanceof ipaddr.IPv6) return parsed.match(PUBLIC_IPV6) ? null : `${bare} is not a public address`;
  return DENIED.some((denied) => (parsed as ipaddr.IPv4).match(denied)) ? `${bare} belongs to a cloud's own services` : null;
}
