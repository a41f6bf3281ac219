// IP addresses and prefixes: strict on the way in, one text on the way out.
import { BlockList } from 'node:net';
import { describe, expect, test } from 'vitest';
import { bits, masked, parseIp, parsePrefix, prefixText } from '../../src/kinds/values/ip.ts';
import { fc } from '../support/seeded.ts';

const v4 = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
  .map(parts => parts.join('.'));
const v6 = fc
  .array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  .map(groups => groups.map(group => group.toString(16)).join(':'));
const prefix = fc.oneof(
  fc.tuple(v4, fc.nat(32)).map(([address, length]) => `${address}/${length}`),
  fc.tuple(v6, fc.nat(128)).map(([address, length]) => `${address}/${length}`),
);

describe('not an address', () => {
  // Traps that other readers fall into: octal, short forms, hexadecimal, numbers, zones, spaces.
  test.each([
    '010.0.0.1',
    '10.0.0',
    '10.0',
    '0x0a.0.0.1',
    '167772161',
    '256.0.0.1',
    '1.2.3.4.5',
    '1.2.3.4 ',
    ' 1.2.3.4',
    'fe80::1%eth0',
    ':::',
    '1::2::3',
    '12345::',
    '',
    'example.com',
    '::ffff:1.2.3.256',
    '１.1.1.1',
  ])('%j', text => {
    expect(parseIp(text)).toBeNull();
    expect(parsePrefix(`${text}/8`)).toBeNull();
  });
});

describe('not a prefix', () => {
  test.each([
    '10.0.0.0',
    '10.0.0/8',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/8 ',
    '10.0.0.0/ 8',
    '10.0.0.0/8.0',
    '10.0.0.0/255.0.0.0',
    '::/129',
    '::/1e2',
    '::/',
  ])('%j', text => {
    expect(parsePrefix(text)).toBeNull();
  });
});

describe('the canonical text of a prefix', () => {
  // RFC 5952, and the server's form of addresses that carry an IPv4 one (docs/server-behaviour.md#normalised-values).
  test.each([
    ['10.0.0.5/24', '10.0.0.5/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0:0:0:0:1/64', '2001:db8::1/64'],
    ['2001:0db8:0000:0001:0000:0000:0000:0000/64', '2001:db8:0:1::/64'],
    ['::/0', '::/0'],
    ['0:0:0:0:0:0:0:1/128', '::1/128'],
    ['1:0:0:2:0:0:0:3/128', '1:0:0:2::3/128'],
    ['1:0:0:2:3:0:0:4/128', '1::2:3:0:0:4/128'],
    ['1:2:3:4:5:6:7:0/128', '1:2:3:4:5:6:7:0/128'],
    ['1:2:3:4:5:6:0:0/112', '1:2:3:4:5:6::/112'],
    ['::FFFF:10.0.0.1/128', '::ffff:10.0.0.1/128'],
    ['::ffff:a00:1/128', '::ffff:10.0.0.1/128'],
    ['64:ff9b::10.0.0.1/96', '64:ff9b::a00:1/96'],
  ])('%s → %s', (text, canonical) => {
    const parsed = parsePrefix(text);
    expect(parsed && prefixText(parsed)).toBe(canonical);
  });

  test('parses to the same prefix again', () => {
    fc.assert(
      fc.property(prefix, text => {
        const parsed = parsePrefix(text);
        expect(parsed).not.toBeNull();
        expect(parsed && parsePrefix(prefixText(parsed))).toEqual(parsed);
      }),
    );
  });
});

// The platform keeps lists of networks of its own: two readings that must agree.
test('a network contains the addresses that the platform says it contains', () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6), fc.oneof(v4, v6), fc.nat(128), (network, address, generated) => {
      const family = network.includes(':') ? 'ipv6' : 'ipv4';
      const length = family === 'ipv6' ? generated : generated % 33;
      const parsed = parsePrefix(`${network}/${length}`);
      const ip = parseIp(address);
      fc.pre(parsed !== null && ip !== null && parsed.version === ip.version);
      const list = new BlockList();
      list.addSubnet(network, length, family);
      expect(masked({ ...ip, length }).address === masked(parsed).address).toBe(
        list.check(address, family),
      );
    }),
  );
});

test('masking keeps the first bits and clears the rest', () => {
  fc.assert(
    fc.property(prefix, text => {
      const parsed = parsePrefix(text);
      fc.pre(parsed !== null);
      const host = BigInt(bits(parsed.version) - parsed.length);
      expect(masked(parsed).address >> host).toBe(parsed.address >> host);
      expect(masked(parsed).address & ((1n << host) - 1n)).toBe(0n);
      expect(masked(masked(parsed))).toEqual(masked(parsed));
    }),
  );
});
