// Selectors name objects in every form of an address; a domain stays a domain.
import { describe, expect, test } from 'vitest';
import { selectorOf } from '../../../src/access/ask/selector.ts';
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
