// Drawn ranges that share an address with a given one, in IPv4 and in each form of IPv6 that leads to IPv4.
import type { RandomSource } from '../../properties/generators/randomSource.ts';

/** A whole number from `least` to `most`. */
export const between = (random: RandomSource, least: number, most: number): number =>
  least + random.below(most - least + 1);

/** A range that overlaps another one: it contains it, equals it, or is inside it. Sometimes IPv4 is written as IPv6. */
export function rangeAt(random: RandomSource, address: string): string {
  const [ip = '', length = ''] = address.split('/');
  if (ip.includes(':'))
    return random.pick([
      address,
      `${ip}/128`,
      maskedIPv6(ip, between(random, 48, 128)),
      '2001:db8::/32',
    ]);
  const wider = between(random, 8, Number(length));
  const range = random.pick([address, `${masked(ip, wider)}/${wider}`, `${ip}/32`]);
  return random.chance(0.4) ? asIPv6(random, range) : range;
}

/** An IPv4 range in one of the forms of IPv6 that routers turn into it, or a range with all addresses of such a form. */
function asIPv6(random: RandomSource, range: string): string {
  const [ip = '', length = ''] = range.split('/');
  const octets = ip.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  const halves = [a * 256 + b, c * 256 + d];
  const low = 96 + Number(length);
  return random.pick([
    `::ffff:${ip}/${low}`,
    `64:ff9b::${ip}/${low}`,
    `64:ff9b:1::${ip}/${low}`,
    `::${ip}/${low}`,
    `2002:${halves.map(hex).join(':')}::/${16 + Number(length)}`,
    maskedIPv6(`2001::${halves.map(half => hex(half ^ 0xffff)).join(':')}`, low),
    '64:ff9b::/64',
    '2000::/3',
  ]);
}

const hex = (number: number): string => number.toString(16);

function masked(ip: string, length: number): string {
  const octets = ip.split('.').map(Number);
  const kept = octets.map((one, at) => {
    const host = Math.min(8, Math.max(0, 8 * (at + 1) - length));
    return (one >> host) << host;
  });
  return kept.join('.');
}

/** The range of a length that an address is in. A route to an address with other bits set is none. */
function maskedIPv6(ip: string, length: number): string {
  const [head = '', tail = ''] = ip.split('::');
  const [first, last] = [head, tail].map(part => part.split(':').filter(one => one !== ''));
  const zeros = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0');
  const groups = [...(first ?? []), ...zeros, ...(last ?? [])].map(one => Number.parseInt(one, 16));
  const kept = groups.map((one, at) => {
    const host = Math.min(16, Math.max(0, 16 * (at + 1) - length));
    return (one >> host) << host;
  });
  return `${kept.map(hex).join(':')}/${length}`;
}

/** One IPv4 address in a form of IPv6. */
export function asIPv6Host(random: RandomSource, ip: string): string {
  const form = asIPv6(random, `${ip}/32`);
  return form.endsWith('/128') ? form : `::ffff:${ip}`;
}

/** A range, the same in IPv6, and an address of it. */
export function within(range: string): readonly [string, ...string[]] {
  const [ip = '', length = ''] = range.split('/');
  if (ip.includes(':')) return [range, `${ip}/128`];
  return [range, `::ffff:${ip}/${96 + Number(length)}`, `${ip}/32`];
}
