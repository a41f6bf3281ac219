// The named formats of text fields (`format` in JSON Schema), with the messages for invalid texts.
import { quoted } from '../../model/text/visible.ts';
import { isDomain } from '../values/domain.ts';
import { isHeaderName, isOwnHeader } from '../values/headers.ts';
import { bits, masked, parseIp, parsePrefix, prefixText, withoutZone } from '../values/ip.ts';
import { isDuration } from '../values/serverDuration.ts';

/** A format: its test, its description, and the fault of a text that nearly fits. */
export interface Format {
  readonly holds: (text: string) => boolean;
  /** What a valid text is, as the end of the sentence "… is not …". */
  readonly what: string;
  readonly lacks?: (text: string) => Lack | undefined;
}

// The reason why a text does not have a format.
interface Lack {
  /**
   * The fault, as the end of a sentence about the text; absent if there is nothing more precise than that the text is not `what`.
   */
  readonly fault?: string;
  /** The suggested replacement. */
  readonly hint: string;
}

/** All formats that kinds may name. */
export const FORMATS: Readonly<Record<string, Format>> = {
  cidr: {
    holds: isPrefix,
    what: 'a network in CIDR notation, such as 10.20.0.0/16',
    lacks: text => lengthless(text) ?? misread(text, isPrefix),
  },
  network: {
    holds: isMasked,
    what: 'a network in CIDR notation, such as 10.20.0.0/16',
    lacks: text => lengthless(text) ?? hostBits(withoutZeros(text)) ?? misread(text, isMasked),
  },
  ip: { holds: text => parseIp(text) !== null, what: 'an IP address, such as 100.64.0.7' },
  ipv4: { holds: text => parseIp(text)?.version === 4, what: 'an IPv4 address, such as 10.20.0.5' },
  ipv6: { holds: text => parseIp(text)?.version === 6, what: 'an IPv6 address, such as fd00::7' },
  'resource-address': {
    holds: isAddress,
    what: 'an IP address, a network in CIDR notation, or a domain such as *.example.com',
    lacks: text => misread(text, isAddress) ?? adorned(isAddress, text),
  },
  host: {
    holds: isHost,
    what: 'an IP address or a domain name, such as 10.20.0.5 or db.example.com',
    lacks: text => misread(text, isHost) ?? adorned(isHost, text),
  },
  domain: {
    holds: isNamedDomain,
    what: 'a domain name, such as example.com or *.example.com',
    lacks: text => adorned(isNamedDomain, text),
  },
  port: {
    holds: text => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535,
    what: 'a port from 1 to 65535',
    lacks: text =>
      /^\d+\s*[-:–]\s*\d+$/.test(text)
        ? {
            fault: 'is a range, not a port',
            hint: 'ranges go under `port_ranges`, as { start, end }',
          }
        : undefined,
  },
  version: {
    holds: text => /^v?\d+(\.\d+)*([-+~][0-9A-Za-z.+~-]+)?$/.test(text),
    what: 'a version number, such as 0.30.1',
  },
  country: {
    holds: text => /^[A-Z]{2}$/.test(text),
    what: 'a country code of two capital letters, such as DE',
  },
  email: { holds: text => /^[^@\s]+@[^@\s]+$/.test(text), what: 'an e-mail address' },
  duration: {
    holds: isDuration,
    what: 'a duration with units, such as 30s, 1m30s or 500ms',
  },
  header: {
    holds: isOwnHeader,
    what: 'the name of a header that the proxy forwards',
    lacks: text =>
      isHeaderName(text)
        ? {
            fault: 'is a header that the proxy sets or drops itself',
            hint: 'choose another name, such as one that begins with `X-`',
          }
        : undefined,
  },
  'web-address': {
    holds: text => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text),
    what: 'a web address that begins with https:// or http://',
  },
};

const meant = (holds: (text: string) => boolean, text: string): Lack | undefined =>
  holds(text) ? { hint: `did you mean ${quoted(text)}?` } : undefined;

// The hint for a host with additions. It does not repeat the text, because the text may contain a part of a secret.
const adorned = (holds: (text: string) => boolean, text: string): Lack | undefined =>
  holds(hostIn(text))
    ? { hint: 'write the host alone, without scheme, path, port or a dot at its end' }
    : undefined;

function isPrefix(text: string): boolean {
  return parsePrefix(text) !== null;
}

function isAddress(text: string): boolean {
  return parseIp(withoutZone(text)) !== null || isPrefix(text) || isNamedDomain(text);
}

function isMasked(text: string): boolean {
  const prefix = parsePrefix(text);
  return prefix !== null && masked(prefix).address === prefix.address;
}

// Whether a text is a domain and not an attempt at an address. The server accepts `10.0.0.300` as a domain, because labels may
// consist of digits (docs/server-behaviour.md#network-resources). But whoever writes it means an address, and many resolvers read
// it as one. They also accept octal and hexadecimal parts (`0x0a140005`, `012.20.0.5`).
function isNamedDomain(text: string): boolean {
  return isDomain(text) && !text.split('.').every(part => /^(\d+|0x[\da-f]*)$/i.test(part));
}

// Whether a text is only a host. A program that calls a host would also accept users, ports, paths, and addresses with octal or
// missing parts; these are excluded here.
function isHost(text: string): boolean {
  const address = text.replace(/^\[(.*:.*)\]$/, '$1');
  if (parseIp(withoutZone(address)) !== null) return true;
  return !text.startsWith('*') && isNamedDomain(text.replace(/(?<=[^\d.])\.$/, ''));
}

function lengthless(text: string): Lack | undefined {
  const ip = parseIp(text);
  if (!ip) return undefined;
  const one = `${text}/${bits(ip.version)}`;
  return {
    fault: 'has no prefix length',
    hint: `write ${quoted(one)} for this one address, or add the length of its network`,
  };
}

function tooLong(text: string): Lack | undefined {
  const [address = '', length = '', ...rest] = text.split('/');
  const ip = parseIp(address);
  if (!ip || rest.length > 0 || !/^\d+$/.test(length) || Number(length) <= bits(ip.version))
    return undefined;
  const most = bits(ip.version);
  return { fault: `has a prefix longer than ${most} bits`, hint: `end it with /${most} or less` };
}

function hostBits(text: string): Lack | undefined {
  const prefix = parsePrefix(text);
  if (!prefix || isMasked(text)) return undefined;
  return {
    fault: 'has host bits set: it is an address in a network, not the network',
    hint: `did you mean ${quoted(prefixText(masked(prefix)))}?`,
  };
}

// The fault of an invalid address: a number out of range, a mask, or one of the short forms of old tools.
function misread(text: string, holds: (text: string) => boolean): Lack | undefined {
  if (!/^[\d./]+$/.test(text)) return tooLong(text);
  const numbers = text.split('/')[0]?.split('.').map(Number) ?? [];
  if (numbers.length === 4 && numbers.some(number => number > 255)) {
    return {
      fault: 'has a number over 255',
      hint: 'the four numbers of an address go from 0 to 255',
    };
  }
  return (
    tooLong(text) ??
    [withoutZeros, withLengthOfMask, withAllNumbers]
      .map(read => meant(holds, read(text)))
      .find(Boolean)
  );
}

// The text without leading zeros in numbers. JavaScript does not accept `010`, because some programs read it as octal.
const withoutZeros = (text: string): string => text.replaceAll(/\b0+(?=\d)/g, '');

function withLengthOfMask(text: string): string {
  const [address, mask = ''] = text.split('/');
  const digits = parseIp(mask)?.address.toString(2).padStart(32, '0') ?? '';
  return /^1+0*$/.test(digits) ? `${address}/${digits.lastIndexOf('1') + 1}` : text;
}

function withAllNumbers(text: string): string {
  const [address = '', length] = text.split('/');
  const missing = 4 - address.split('.').length;
  return length === undefined || missing < 0 ? text : `${address}${'.0'.repeat(missing)}/${length}`;
}

// The host in a text. People paste URLs from a browser, or add a port or a dot at the end.
function hostIn(text: string): string {
  if (/^[\d./:]+$/.test(text)) return text;
  return text
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/\/.*$/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '');
}
