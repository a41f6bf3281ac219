// The named normalisers. Two texts that mean the same become equal. A text that a normaliser cannot parse is returned unchanged.
import type { NormaliserName } from '../traits.ts';
import { domainText } from './domain.ts';
import { addressText, bits, masked, parseIp, parsePrefix, prefixText, withoutZone } from './ip.ts';
import { durationText } from './serverDuration.ts';

const NORMALISE: Readonly<Record<NormaliserName, (text: string) => string>> = {
  cidr: text => mapPrefix(text, prefix => prefix),
  'cidr-masked': text => mapPrefix(text, masked),
  domain: domainText,
  duration: durationText,
  ip: ipText,
  'lower-case': text => text.toLowerCase(),
  port: text => (/^\+?\d+$/.test(text) ? BigInt(text.replace('+', '')).toString() : text),
  'resource-address': resourceAddress,
};

/**
 * The text in normalised form, so that texts that mean the same are equal (docs/server-behaviour.md#normalised-values).
 * Idempotent.
 */
export function normalise(name: NormaliserName, text: string): string {
  return NORMALISE[name](text);
}

function mapPrefix(text: string, change: (prefix: Prefix) => Prefix): string {
  const prefix = parsePrefix(text);
  return prefix ? prefixText(change(prefix)) : text;
}
type Prefix = NonNullable<ReturnType<typeof parsePrefix>>;

// The address of a network resource: a bare address gets its full length and loses its zone, host bits stay, and domains stay as
// written (docs/server-behaviour.md#network-resources).
function resourceAddress(text: string): string {
  const ip = parseIp(withoutZone(text));
  return ip ? prefixText({ ...ip, length: bits(ip.version) }) : mapPrefix(text, prefix => prefix);
}

function ipText(text: string): string {
  const ip = parseIp(text);
  return ip ? addressText(ip) : text;
}
