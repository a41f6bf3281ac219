// Selectors name objects in every form of an address; a domain stays a domain.
import { describe, expect, test } from 'vitest';
import { selectorOf } from '../../../src/access/ask/selector.ts';
import { didYouMeanSelector } from '../../../src/access/ask/suggestedNames.ts';
import { acceptedAccess } from '../../../src/access/gates/acceptedAccess.ts';

describe('a selector', () => {
  test.each([
    ['group/a b', 'group', 'a b'],
    ['group["a b"]', 'group', 'a b'],
    ['group.engineers', 'group', 'engineers'],
    ['group/a\\/b', 'group', 'a/b'],
    ['group/a/b', 'group', 'a/b'],
    ['network_resource/office/d\\/b', 'network_resource', 'office/d\\/b'],
    ['network_resource["office/d\\\\/b"]:tcp/5432', 'network_resource', 'office/d\\/b'],
    ['network.example.com', 'address', 'network.example.com'],
    ['10.20.0.5:tcp/443', 'address', '10.20.0.5'],
  ])('%s', (text, type, name) => {
    expect(selectorOf(text)).toMatchObject({ type, name });
  });
});

test.each(['group/all:22', 'group.all:22', 'network_resource/office/db:8000-8100'])(
  'a port without its protocol, as in %s, is an error that suggests both protocols',
  text => {
    const [, name, port] = /^(.*):(.*)$/.exec(text) ?? [];
    const { fault } = { fault: '', ...selectorOf(text) };
    expect(fault).toContain(`write \`${name}:tcp/${port}\` or \`${name}:udp/${port}\``);
  },
);

test.each([
  ['10.20.0.5:5432', '10.20.0.5', '5432'],
  ['wiki.example.com:8000-8100', 'wiki.example.com', '8000-8100'],
])('a port after an address needs its protocol as well: %s', (text, name, port) => {
  const { fault } = { fault: '', ...selectorOf(text) };
  expect(fault).toContain(`write \`${name}:tcp/${port}\` or \`${name}:udp/${port}\``);
});

test('an IPv6 address that ends like a port is an address', () => {
  expect(selectorOf('fd00::22')).toMatchObject({ type: 'address', name: 'fd00::22' });
});

test('a plain name is an error that says how machines and groups are written', () => {
  expect(selectorOf('vault-1')).toMatchObject({
    fault: expect.stringContaining(
      'write `peer/vault-1` for a machine, or `group/vault-1` for a group',
    ),
  });
});

test('a network resource without its network gets a suggestion with the resource of its name', () => {
  const names = ['network_resource/office2/vdb', 'network_resource/production/orders-db'];
  expect(didYouMeanSelector('network_resource/orders-db', names)).toBe(
    'did you mean `network_resource/production/orders-db`?',
  );
  expect(didYouMeanSelector('network_resource/office2/vbd', names)).toBe(
    'did you mean `network_resource/office2/vdb`?',
  );
});

test.each([
  ['group/all:22:*', 'all:22'],
  ['group/all:22:tcp/80', 'all:22'],
  ['group["all:22"]', 'all:22'],
  ['group/id:22', 'id:22'],
  ['group/all:222222', 'all:222222'],
])('%s names an object', (text, name) => expect(selectorOf(text)).toMatchObject({ name }));

test.each([
  ['group/a\\/b', true],
  ['group["a/b"]', true],
  ['group.a/b', true],
  ['group/a/b', true],
  ['group/a', false],
  ['group["a/b"]:tcp/22', false],
])('--allow CODE=%s accepts the guarded target group/a/b: %s', (object, allowed) => {
  const finding = {
    gate: 'guarded',
    what: 'gained',
    code: 'WIDENS_GUARDED_ACCESS',
    target: 'group/a/b',
    causes: [],
  } as const;
  const [accepted] = acceptedAccess([finding], {
    byFlag: [{ code: 'WIDENS_GUARDED_ACCESS', object }],
    byProject: [],
  });
  expect(accepted?.allowed_by).toBe(allowed ? 'flag' : undefined);
});
