// What objects are called: by their name, or, where they have none, by what they are made of.
import { describe, expect, test } from 'vitest';
import {
  childKey,
  exactIdentity,
  identityName,
  isNameless,
  sharesNames,
} from '../../src/kinds/identity/identity.ts';
import { canonicalFields } from '../../src/kinds/values/canonical.ts';
import { hostOf } from '../../src/kinds/values/hidden.ts';
import { present } from '../../src/model/errors.ts';
import { type Key, kindName } from '../../src/model/names.ts';
import type { Fields } from '../../src/model/value.ts';
import { KINDS } from '../support/files.ts';

const kind = (name: string) => present(KINDS.get(kindName(name)), name);
const named = (name: string, fields: Fields): string | null =>
  identityName(kind(name), canonicalFields(kind(name).shape, fields, 'desired'));

describe('a name', () => {
  const route = { network_id: 'office', peer_groups: ['b', 'a'] };
  test.each<[string, Fields, string | null]>([
    ['group', { name: 'engineers' }, 'engineers'],
    ['group', { name: 'a/b' }, 'a/b'],
    ['group', {}, null],
    ['group', { name: '' }, null],
    ['group', { name: null }, null],
    ['group', { name: { first: 'a' } }, null],
    ['network_router', { peer_groups: ['b', 'a'] }, 'a,b'],
    ['network_router', { peer: 'gateway' }, 'peer=gateway'],
    ['network_router', { peer: '', peer_groups: ['a'] }, 'a'],
    ['network_router', {}, null],
    ['route', { ...route, network: '10.1.2.3/16' }, 'office 10.1.0.0/16 a,b'],
    ['route', { ...route, domains: ['B.example', 'a.example'] }, 'office a.example,b.example a,b'],
    ['route', { ...route, peer_groups: [], peer: 'g', network: '::/0' }, 'office ::/0 peer=g'],
    ['route', route, null],
    ['notification_channel', { target: { emails: ['b@x', 'a@x'] } }, 'a@x,b@x'],
    ['notification_channel', { target: {} }, null],
  ])('the name of a %s %j is %j', (name, fields, expected) => {
    expect(named(name, fields)).toBe(expected);
  });

  test('does not depend on the order of its parts', () => {
    expect(named('network_router', { peer_groups: ['c', 'a', 'b'] })).toBe(
      named('network_router', { peer_groups: ['b', 'c', 'a'] }),
    );
  });

  test('distinguishes a peer from a group of the same name', () => {
    expect(named('network_router', { peer: 'gateways' })).not.toBe(
      named('network_router', { peer_groups: ['gateways'] }),
    );
  });
});

describe('a name that is made of long lists', () => {
  const groups = Array.from({ length: 20 }, (_, i) => `gateways-${i}`);
  test('is short, and differs for every list', () => {
    const one = named('network_router', { peer_groups: groups });
    const other = named('network_router', { peer_groups: [...groups, 'more'] });
    expect(one?.length).toBeLessThan(50);
    expect(one).not.toBe(other);
  });
});

describe('a web address', () => {
  const url = 'https://hooks.example.com/T0KEN?key=secret';
  const channel = kind('notification_channel');
  test('is named by its host, without its path, which may be a credential', () => {
    expect(named('notification_channel', { target: { url } })).toBe('hooks.example.com');
    expect(hostOf('https://user:pass@hooks.example.com:8443/T0KEN')).toBe('hooks.example.com:8443');
    expect(hostOf('hooks.example.com/T0KEN')).toBe('address');
  });

  test('is identified by all of it', () => {
    const exact = (text: string) => exactIdentity(channel, { target: { url: text } });
    expect(exact(url)).not.toBe(exact(`${url}2`));
    expect(sharesNames(channel)).toBe(true);
    expect(sharesNames(kind('route'))).toBe(false);
  });
});

test.each([
  ['group', false],
  ['policy', false],
  ['network_router', true],
  ['route', true],
  ['notification_channel', true],
])('a %s is nameless: %s', (name, expected) => {
  expect(isNameless(kind(name))).toBe(expected);
});

test('a child’s key contains its parent’s key', () => {
  expect(childKey(undefined, 'a/b')).toBe('a/b');
  expect(childKey('production' as Key, 'a/b')).toBe('production/a\\/b');
});
