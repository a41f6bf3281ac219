// Pointers inside values: every one is found, at its place, and replaced without touching anything else.
import { describe, expect, test } from 'vitest';
import { fieldsSentBy, mapFieldRefs, refsIn, refsOf } from '../../src/kinds/values/refs.ts';
import { shapeAt } from '../../src/kinds/values/shapeAt.ts';
import { present } from '../../src/model/errors.ts';
import { kindName } from '../../src/model/names.ts';
import type { Fields, Json } from '../../src/model/value.ts';
import { KINDS } from '../support/files.ts';

const kind = (name: string) => present(KINDS.get(kindName(name)), name);

const POLICY: Fields = {
  name: 'engineers',
  source_posture_checks: ['recent agent'],
  rules: [
    {
      name: 'ssh',
      sources: ['engineers'],
      destinationResource: { network_resource: ['production', 'a/b'] },
      authorized_groups: { engineers: ['root'] },
    },
    { name: 'one', sourceResource: { peer: 'laptop' }, destinations: [] },
  ],
};

test('the references of an object are found with their paths', () => {
  const found = refsIn(kind('policy').shape, POLICY);
  expect(found.map(({ kind, key, path }) => `${kind} ${key} at ${path.join('/')}`)).toEqual([
    'posture_check recent agent at source_posture_checks/0',
    'group engineers at rules/0/authorized_groups/engineers',
    'group engineers at rules/0/sources/0',
    'network_resource production/a\\/b at rules/0/destinationResource/network_resource',
    'peer laptop at rules/1/sourceResource/peer',
  ]);
});

test('replacing references changes nothing else', () => {
  const renamed = mapFieldRefs(kind('policy'), POLICY, (to, key) => `${to}:${key}`);
  expect(renamed).toEqual({
    name: 'engineers',
    source_posture_checks: ['posture_check:recent agent'],
    rules: [
      {
        name: 'ssh',
        sources: ['group:engineers'],
        destinationResource: { network_resource: 'network_resource:production/a\\/b' },
        authorized_groups: { 'group:engineers': ['root'] },
      },
      { name: 'one', sourceResource: { peer: 'peer:laptop' }, destinations: [] },
    ],
  });
});

// What a file holds may be of any type before its schema has been asked.
test.each<Json>([null, '', 5, true, {}, { name: 'a' }, [], [1], ['a', { b: 'c' }], [[]]])(
  'a value that is not a name refers to nothing: %j',
  value => {
    const fields = { peer: value, peer_groups: [value], masquerade: true };
    const found = refsIn(kind('network_router').shape, fields);
    expect(found.filter(({ path }) => path[0] === 'peer')).toEqual([]);
    expect(mapFieldRefs(kind('network_router'), fields, () => 'changed').peer).toEqual(value);
  },
);

test('a kind lists the kinds that it refers to', () => {
  expect([...refsOf(kind('policy'))].sort()).toEqual([
    'group',
    'network_resource',
    'peer',
    'posture_check',
  ]);
  expect([...refsOf(kind('group'))]).toEqual(['peer']);
});

test('a reference carries the fields of its target that the server requires', () => {
  expect([...fieldsSentBy(KINDS, kindName('network_resource'))]).toEqual(['type']);
  expect([...fieldsSentBy(KINDS, kindName('peer'))]).toEqual([]);
});

describe('the shape of a part', () => {
  test.each([
    ['', 'object'],
    ['rules', 'list'],
    ['rules/0', 'object'],
    ['rules/0/ports/3', 'scalar'],
    ['rules/0/authorized_groups', 'dict'],
    ['rules/0/authorized_groups/engineers/0', 'scalar'],
    ['rules/0/destinationResource', 'choice'],
    ['rules/0/nothing', undefined],
    ['name/first', undefined],
  ])('the shape at %j is %s', (path, type) => {
    expect(shapeAt(kind('policy').shape, path.split('/').filter(Boolean))?.type).toBe(type);
  });
});
