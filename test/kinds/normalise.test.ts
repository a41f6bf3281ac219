// Equal meanings become equal texts, as the server returns them; nothing else changes.
import { describe, expect, test } from 'vitest';
import { NORMALISERS, type NormaliserName } from '../../src/kinds/traits.ts';
import { isDomain } from '../../src/kinds/values/domain.ts';
import { normalise } from '../../src/kinds/values/normalise.ts';
import { fc } from '../support/seeded.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.ipV4(),
  fc.ipV6(),
  fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(130)).map(parts => parts.join('/')),
  fc.domain(),
  fc.domain().map(text => `*.${text.toUpperCase()}`),
  fc.nat(70000).map(port => `00${port}`),
);

describe.each(Object.keys(NORMALISERS) as NormaliserName[])('%s', name => {
  test('is unchanged by a second run', () => {
    fc.assert(
      fc.property(anyText, text => {
        const once = normalise(name, text);
        expect(normalise(name, once)).toBe(once);
      }),
    );
  });
});

// docs/server-behaviour.md#normalised-values, and for domains docs/server-behaviour.md#network-resources and
// docs/server-behaviour.md#routes.
const ROWS: readonly [NormaliserName, string, string][] = [
  ['resource-address', '10.0.0.5', '10.0.0.5/32'],
  ['resource-address', '2001:DB8::1', '2001:db8::1/128'],
  ['resource-address', '10.0.0.5/24', '10.0.0.5/24'],
  ['resource-address', '2001:DB8:0::5/64', '2001:db8::5/64'],
  ['resource-address', 'Wiki.Example.COM', 'Wiki.Example.COM'],
  ['resource-address', 'xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
  ['cidr-masked', '10.1.2.3/16', '10.1.0.0/16'],
  ['cidr-masked', '2001:DB8::FFFF/64', '2001:db8::/64'],
  ['cidr-masked', '0.0.0.0/0', '0.0.0.0/0'],
  ['cidr', '10.1.2.3/16', '10.1.2.3/16'],
  ['cidr', '2001:DB8::0:1/64', '2001:db8::1/64'],
  ['cidr', '10.1.2.3', '10.1.2.3'],
  ['domain', 'Example.COM', 'example.com'],
  ['domain', 'XN--MNCHEN-3YA.example', 'münchen.example'],
  ['domain', 'MÜNCHEN.example', 'münchen.example'],
  ['domain', '*.Example.com', '*.example.com'],
  ['domain', '1.2.3.4', '1.2.3.4'],
  ['port', '080', '80'],
  ['port', '+80', '80'],
  ['port', '0', '0'],
  ['port', 'http', 'http'],
  ['lower-case', 'Admin', 'admin'],
];

test.each(ROWS)('%s: %j → %j', (name, text, canonical) => {
  expect(normalise(name, text)).toBe(canonical);
});

describe('a domain', () => {
  test.each([
    'example.com',
    '*.example.com',
    'localhost',
    '_dmarc.example.com',
    'a_b.example',
    'EXAMPLE.com',
    'münchen.example',
    'xn--mnchen-3ya.example',
    '1.2.3.4',
    `${'a'.repeat(63)}.example`,
  ])('%s', text => {
    expect(isDomain(text)).toBe(true);
  });

  test.each([
    '',
    '.',
    'example.com.',
    '.example.com',
    'a..b',
    '-a.example',
    'a-.example',
    'a b.example',
    '*.*.example.com',
    '*',
    'foo.*.example',
    'https://example.com',
    'example.com:443',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}example`,
    'a/b',
  ])('%j is not a domain', text => {
    expect(isDomain(text)).toBe(false);
  });
});
