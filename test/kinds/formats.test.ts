// The formats that text fields may have, and the message for a text that nearly has one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/kinds/schema/formats.ts';
import { present } from '../../src/model/errors.ts';
import { law, PATIENCE } from '../properties/runs.ts';

const format = (name: string) => present(FORMATS[name], `the format ${name}`);

const HOLDS: Readonly<Record<string, readonly string[]>> = {
  cidr: ['10.0.0.0/8', '10.0.0.5/8', '::/0', '2001:db8::1/128'],
  ip: ['10.0.0.5', '::1', '2001:db8::1'],
  ipv4: ['10.20.0.5', '0.0.0.0'],
  ipv6: ['::1', 'FD00::7'],
  network: ['10.0.0.0/8', '0.0.0.0/0', '10.0.0.5/32', '2001:db8::/32'],
  'resource-address': [
    '10.0.0.5',
    '10.0.0.5/24',
    '::1',
    'fe80::1%eth0',
    'wiki.office',
    '*.example.com',
    'localhost',
    '1a.2',
    '0xa.example',
    '0xag',
  ],
  host: [
    '10.0.0.5',
    '::1',
    '[fd00::7]',
    'fe80::1%eth0',
    'db.example.com',
    'db.example.com.',
    'localhost',
  ],
  domain: ['example.com', '*.example.com', '10.in-addr.arpa'],
  port: ['1', '80', '65535', '080'],
  version: ['1', '0.30.1', 'v1.2', '1.2.3-rc1', '5.10.0-13-amd64', '10.0.22631'],
  country: ['DE', 'NL'],
  duration: ['30s', '1m30s', '500ms', '1.5h', '0'],
  email: ['it@example.com', 'a+b@localhost'],
  header: ['X-Team', 'x-request-id'],
  'web-address': ['https://hooks.example.com/x', 'http://10.0.0.1:8080', 'HTTPS://EXAMPLE.COM'],
};

const FAILS: Readonly<Record<string, readonly string[]>> = {
  cidr: ['10.0.0.0', '10.0.0/8', 'office', '10.0.0.0/33'],
  header: ['X Team', 'X-Team:', 'Host', 'Connection', ''],
  ip: ['10.0.0', '10.0.0.5/32', 'office'],
  ipv4: ['fd00::7', '10.20.0', '10.20.0.5/32', '010.0.0.1'],
  ipv6: ['10.0.0.5', 'fe80::1%eth0', 'office'],
  network: ['10.0.0.5/8', '10.0.0.0', '2001:db8::1/64'],
  'resource-address': [
    '10.0.0.300',
    '0x0a140005',
    '0xA.0x14.0.5',
    '012.20.0.5',
    '10.0.0',
    '123',
    '10.0.0.0/33',
    'fe80::1%',
    '10.0.0.5%eth0',
    'fe80::1%eth0/64',
    'https://a.example',
    'a b',
  ],
  host: [
    '10.20.0.5.',
    '[10.20.0.5]',
    '10.20.0.5:5432',
    '10.20.0.5/',
    'u@10.20.0.5',
    '10.20.5',
    '169083909',
    '0x0a.0x14.0.5',
    '012.024.0.5',
    '10.20.0.0/16',
    'db.example.com:80',
    'db.example.com..',
    '*.example.com',
    'http://db.example.com',
    'a b',
    '',
  ],
  domain: ['a b', 'example.com.', '10.20.0.5', '0x0a140005'],
  port: ['0', '65536', '-1', '80-90', 'http', '1.5', '', '８０'],
  version: ['', 'ten', '1.', '1..2', 'latest'],
  country: ['de', 'Germany', 'DEU'],
  duration: ['', '30', '-5s', '5 s', 'soon', '1d'],
  email: ['nobody', '@example.com', 'a@b@c', 'a b@c'],
  'web-address': ['example.com', 'ftp://example.com', 'https:example.com', 'https://', '/hooks'],
};

describe.each(Object.keys(FORMATS))('%s', name => {
  test.each(HOLDS[name] ?? [])('is %j', text => {
    expect(format(name).holds(text)).toBe(true);
  });

  test.each(FAILS[name] ?? [])('is not %j', text => {
    expect(format(name).holds(text)).toBe(false);
  });

  test('has examples on both sides', () => {
    expect([HOLDS[name]?.length, FAILS[name]?.length]).not.toContain(undefined);
  });
});

test(
  'a suggested text has the format that the original lacks',
  () => {
    const addresses = fc.stringMatching(
      /^[0-3]{1,3}(\.[0-3]{1,3}){0,4}(\/\d{1,3}(\.\d{1,3}){0,3})?$/,
    );
    const texts = fc.oneof(
      addresses,
      fc.ipV6(),
      fc.webUrl(),
      fc.domain().map(name => `${name}.`),
    );
    const cases = fc.record({ text: texts, name: fc.constantFrom(...Object.keys(FORMATS)) });
    return law(cases, 1000, ({ text, name }) => {
      const [, proposed] =
        format(name)
          .lacks?.(text)
          ?.hint.match(/did you mean `(.*)`/) ?? [];
      expect(proposed === undefined || format(name).holds(proposed)).toBe(true);
    });
  },
  PATIENCE,
);

test.each([
  ['cidr', '10.0.0.0/0.0.255.0'],
  ['cidr', '10.0.0.0/255.0.255.0'],
  ['network', '0.1/0'],
  ['network', '10.0.0.5/255.0.0.0'],
])('nothing is suggested if no suggestion would be valid: %s %s', (name, text) => {
  expect(format(name).lacks?.(text)).toBeUndefined();
});

// Of a text that is not certainly an address no part is repeated.
const HOST_ALONE = 'write the host alone, without scheme, path, port or a dot at its end';

describe('the fault of a text', () => {
  test.each([
    ['network', '10.0.0.5/16', 'did you mean `10.0.0.0/16`?'],
    ['network', '0.0.0.01/0', 'did you mean `0.0.0.0/0`?'],
    ['network', '010.020.0.0/16', 'did you mean `10.20.0.0/16`?'],
    [
      'network',
      '10.0.0.5',
      'write `10.0.0.5/32` for this one address, or add the length of its network',
    ],
    ['cidr', '10.0.0/8', 'did you mean `10.0.0.0/8`?'],
    ['cidr', '10.0.0.0/255.255.0.0', 'did you mean `10.0.0.0/16`?'],
    ['cidr', '10.0.0.5/255.255.255.128', 'did you mean `10.0.0.5/25`?'],
    ['cidr', '10.0.0.0/33', 'end it with /32 or less'],
    ['cidr', '::/129', 'end it with /128 or less'],
    ['resource-address', '010.001.0.1', 'did you mean `10.1.0.1`?'],
    ['resource-address', 'https://wiki.example.com/start', HOST_ALONE],
    ['resource-address', '10.0.0.256/8', 'the four numbers of an address go from 0 to 255'],
    ['domain', 'example.com.', HOST_ALONE],
    ['port', '8000-8100', 'ranges go under `port_ranges`, as { start, end }'],
  ])('%s %s: %s', (name, text, hint) => {
    expect(format(name).lacks?.(text)?.hint).toBe(hint);
  });

  test('host bits are a separate fault, also if an octet has leading zeros; leading zeros alone are not', () => {
    const fault = (text: string) => format('network').lacks?.(text)?.fault;
    expect(fault('10.0.0.05/16')).toMatch(/has host bits set/);
    expect(fault('010.020.0.0/16')).toBeUndefined();
  });
});
