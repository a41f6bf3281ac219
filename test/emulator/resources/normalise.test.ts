// The emulator's own normalisation of addresses, ranges, domains and versions (docs/server-behaviour.md#normalised-values).
import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDomain, unicodeDomain } from '../../../src/emulator/normalise/domain.ts';
import { formatIp, type Ip, parseIp } from '../../../src/emulator/normalise/ip.ts';
import {
  contains,
  formatPrefix,
  masked,
  type Prefix,
  parsePrefix,
} from '../../../src/emulator/normalise/prefix.ts';
import { isVersion } from '../../../src/emulator/normalise/version.ts';

const anyIp: fc.Arbitrary<Ip> = fc.oneof(
  fc.bigInt(0n, 2n ** 32n - 1n).map(value => ({ version: 4 as const, value })),
  fc.bigInt(0n, 2n ** 128n - 1n).map(value => ({ version: 6 as const, value })),
  fc.array(fc.constantFrom('0', '0', 'f', '1a'), { minLength: 8, maxLength: 8 }).map(groups => ({
    version: 6 as const,
    value: BigInt(`0x${groups.map(group => group.padStart(4, '0')).join('')}`),
  })),
);
const anyPrefix: fc.Arbitrary<Prefix> = anyIp.chain(ip =>
  fc.nat({ max: ip.version === 4 ? 32 : 128 }).map(length => ({ ip, length })),
);

describe('an address', () => {
  it('is formatted and parsed without loss', () => {
    fc.assert(
      fc.property(anyIp, ip => {
        expect(parseIp(formatIp(ip))).toEqual(ip);
      }),
    );
  });

  it('is the same whether its IPv6 text is long, in capitals or compressed', () => {
    fc.assert(
      fc.property(fc.ipV6(), text => {
        const ip = parseIp(text);
        expect(isIP(text)).toBe(6);
        expect(ip && formatIp(ip)).toBe(
          formatIp(parseIp(text.toUpperCase()) ?? { version: 6, value: -1n }),
        );
      }),
    );
  });

  it.each([
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['::FFFF:1.2.3.4', '::ffff:1.2.3.4'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ])('%s is written %s (RFC 5952)', (text, canonical) => {
    const ip = parseIp(text);
    expect(ip && formatIp(ip)).toBe(canonical);
  });

  it.each([
    '010.0.0.1',
    '10.0.0',
    '10.0.0.256',
    '0x0a.0.0.1',
    'fe80::1%eth0',
    '1::2::3',
    '',
    ' 10.0.0.1',
  ])('%j is not an address', text => expect(parseIp(text)).toBeUndefined());
});

describe('a range', () => {
  it('is formatted and parsed without loss', () => {
    fc.assert(
      fc.property(anyPrefix, prefix => {
        expect(parsePrefix(formatPrefix(prefix))).toEqual(prefix);
      }),
    );
  });

  it('stays the same when it is masked again', () => {
    fc.assert(
      fc.property(anyPrefix, prefix => {
        expect(masked(masked(prefix))).toEqual(masked(prefix));
      }),
    );
  });

  it('contains the same addresses as an independent block list', () => {
    fc.assert(
      fc.property(anyPrefix, anyIp, ({ ip, length }, other) => {
        const family = (one: Ip) => (one.version === 4 ? 'ipv4' : 'ipv6');
        const blocked = new BlockList();
        blocked.addSubnet(formatIp(ip), length, family(ip));
        fc.pre(ip.version === other.version);
        expect(contains({ ip, length }, other)).toBe(blocked.check(formatIp(other), family(other)));
        expect(contains({ ip, length }, masked({ ip, length }).ip)).toBe(true);
      }),
    );
  });

  it.each([
    '10.0.0.1',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/08',
    '10.0.0.0/+8',
    '10.0.0.0/',
    '/8',
    '10.0.0/8',
  ])('%j is not a range', text => expect(parsePrefix(text)).toBeUndefined());
});

describe('a domain', () => {
  it.each([
    'example.com',
    '*.example.com',
    'a',
    '123',
    '10.0.0',
    '_dmarc.example',
    'a-b.c_d',
    'bücher.de',
    'EXAMPLE.com',
  ])('%s is a domain', text => expect(isDomain(text)).toBe(true));

  it.each([
    '',
    '.',
    'a..b',
    'a.',
    '.a',
    '*',
    '*.',
    'a.*.b',
    'a b',
    '-a',
    'a-',
    `${'x'.repeat(64)}.de`,
    'a/b',
    'a:b',
  ])('%j is not a domain', text => expect(isDomain(text)).toBe(false));

  it('a domain of 253 characters is valid, and a longer domain is not', () => {
    const labels = ['x'.repeat(63), 'x'.repeat(63), 'x'.repeat(63), 'x'.repeat(61)];
    expect(isDomain(labels.join('.'))).toBe(true);
    expect(isDomain(`x${labels.toReversed().join('.')}`)).toBe(false);
  });

  it('is written in lower case and Unicode, whatever its input, and stays so', () => {
    for (const text of ['XN--BCHER-KVA.de', 'Bücher.DE', 'bücher.de'])
      expect(unicodeDomain(text)).toBe('bücher.de');
    fc.assert(
      fc.property(fc.domain(), text => {
        expect(isDomain(text)).toBe(true);
        expect(unicodeDomain(unicodeDomain(text))).toBe(unicodeDomain(text));
      }),
    );
  });
});

describe('a version', () => {
  it.each(['0', '1.2.3.4', 'v1', '1.2.3-rc1', '1.0~beta', '5.10.0-13-amd64', '1.2.3+meta.1'])(
    '%s is a version',
    text => expect(isVersion(text)).toBe(true),
  );

  it.each(['', 'v', 'latest', '1.', '.1', '1..2', '1 2', 'vv1', '1+'])(
    '%j is not a version',
    text => expect(isVersion(text)).toBe(false),
  );
});
