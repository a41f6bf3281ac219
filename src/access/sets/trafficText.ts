// Traffic as text: `tcp/443`, `tcp/8000-8100`, `udp/*`, `icmp`, `*`.
import {
  ALL_TRAFFIC,
  type Interval,
  ofProtocol,
  PROTOCOLS,
  portsOf,
  SPAN,
  type Traffic,
  type TrafficProtocol,
} from './traffic.ts';

const WORD = /^(tcp|udp)\/(?:(\*)|(\d{1,5})(?:-(\d{1,5}))?)$/;

/** Parses traffic; null if the text is not traffic. */
export function trafficOf(word: string): Traffic | null {
  if (word === '*') return ALL_TRAFFIC;
  if (word === 'icmp') return [SPAN.icmp];
  const [, protocol, every, first, last = first] = WORD.exec(word) ?? [];
  if (protocol !== 'tcp' && protocol !== 'udp') return null;
  if (every !== undefined) return [SPAN[protocol]];
  const from = Number(first);
  const to = Number(last);
  return from <= to && to <= 0xffff ? portsOf(protocol, [{ from, to }]) : null;
}

/** The ports of one protocol, such as `22,8000-8100`; `0-65535` for all ports. */
export function portsText(traffic: Traffic, protocol: 'tcp' | 'udp'): string {
  return rangesOf(traffic, protocol).join(',');
}

/** The ports of one protocol as ranges, such as `22` and `8000-8100`. */
export function rangesOf(traffic: Traffic, protocol: 'tcp' | 'udp'): readonly string[] {
  const { from: offset } = SPAN[protocol];
  const range = ({ from, to }: Interval) =>
    from === to ? String(from - offset) : `${from - offset}-${to - offset}`;
  return ofProtocol(traffic, protocol).map(range);
}

/** The ports of one protocol as numbers, both ends of a range included; empty for ICMP, which has no ports. */
export function portRanges(
  traffic: Traffic,
  protocol: TrafficProtocol,
): readonly { readonly start: number; readonly end: number }[] {
  if (protocol === 'icmp') return [];
  const { from: offset } = SPAN[protocol];
  return ofProtocol(traffic, protocol).map(({ from, to }) => ({
    start: from - offset,
    end: to - offset,
  }));
}

/** Traffic of one protocol. Ports are given in the form of `portRanges`. */
export function trafficIn(
  ports: readonly { readonly start: number; readonly end: number }[],
  protocol: TrafficProtocol,
): Traffic {
  if (protocol === 'icmp') return [SPAN.icmp];
  return portsOf(
    protocol,
    ports.map(({ start, end }) => ({ from: start, to: end })),
  );
}

/** Traffic as in selectors, one word for each range: `tcp/22`, `udp/*`, `icmp`; `*` for everything. */
export function trafficWords(traffic: Traffic): readonly string[] {
  if (PROTOCOLS.every(protocol => isWhole(traffic, protocol))) return ['*'];
  return PROTOCOLS.flatMap(protocol => {
    if (protocol === 'icmp') return ofProtocol(traffic, protocol).map(() => 'icmp');
    if (isWhole(traffic, protocol)) return [`${protocol}/*`];
    return rangesOf(traffic, protocol).map(range => `${protocol}/${range}`);
  });
}

/** Words for traffic, such as `tcp/22, 443` and `icmp`. */
export function trafficText(traffic: Traffic): string {
  const words = PROTOCOLS.filter(protocol => ofProtocol(traffic, protocol).length > 0);
  if (words.length === PROTOCOLS.length && words.every(word => isWhole(traffic, word)))
    return 'all';
  return words.map(protocol => protocolText(traffic, protocol)).join(' ');
}

function protocolText(traffic: Traffic, protocol: TrafficProtocol): string {
  if (protocol === 'icmp') return 'icmp';
  if (isWhole(traffic, protocol)) return `${protocol}/*`;
  return `${protocol}/${rangesOf(traffic, protocol).join(', ')}`;
}

function isWhole(traffic: Traffic, protocol: TrafficProtocol): boolean {
  const [only, ...others] = ofProtocol(traffic, protocol);
  const { from, to } = SPAN[protocol];
  return others.length === 0 && only?.from === from && only.to === to;
}
