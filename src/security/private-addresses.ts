// Which addresses an outbound call may reach: the public internet alone.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Cloud services inside ranges that tables list as public: Azure's metadata channel, IBM Cloud's private services. */
const DENIED = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) => ipaddr.IPv4.parseCIDR(range));

/** The only IPv6 block allocated to the public internet. Everything outside it is rejected, translated IPv4 included. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Why the address may not be called; null when it may. Takes an address as a resolver or the WHATWG URL parser writes it, with brackets and zone. */
export function refuseAddress(address: string): string | null {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(plain) === 0) return `${address} is not an address`;
  // IPv4 inside IPv6 (::ffff:a.b.c.d) is judged as the IPv4 address that the socket would reach.
  const parsed = ipaddr.process(plain);
  const range = parsed.range();
  if (range !== 'unicast') return `${plain} is not a public address (${range})`;
  if (parsed instanceof ipaddr.IPv6) return parsed.match(PUBLIC_IPV6) ? null : `${plain} is not a public address`;
  return DENIED.some((denied) => parsed.match(denied)) ? `${plain} belongs to a cloud's own services` : null;
}
