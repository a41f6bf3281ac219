// Former names that other declarations have: what cannot be a rename is said before anything is planned.
import { describe, expect, test } from 'vitest';
import { load } from '../support/files.ts';

const groups = (...pairs: readonly (readonly [name: string, was?: string])[]): string =>
  ['groups:', ...pairs.map(([name, was]) => entry(name, was))].join('\n');

const entry = (name: string, was?: string): string =>
  was === undefined ? `  - { name: ${name} }` : `  - { name: ${name}, lifecycle: { was: ${was} } }`;

const found = (text: string, isEarlier = false) =>
  load(text, { env: () => undefined, file: () => undefined, vars: new Map(), isEarlier })
    .diagnostics.filter(({ code }) => code === 'LIFECYCLE_IGNORED')
    .map(({ severity, at }) => `${severity} in line ${at?.line}`);

describe('former names', () => {
  test('two objects that swap their names are an error, because every run would swap them again', () => {
    const text = groups(['left', 'right'], ['right', 'left'], ['other']);
    expect(found(text)).toEqual(['error in line 2', 'error in line 3']);
    const [first] = load(text).diagnostics;
    expect(first).toMatchObject({
      message: expect.stringContaining('group.right'),
      hint: expect.stringContaining('lifecycle.id'),
    });
  });

  test('a cycle of three names is an error at each of them, and a name that leads into the cycle is only a warning', () => {
    const text = groups(['a', 'b'], ['b', 'c'], ['c', 'a'], ['d', 'a']);
    expect(found(text)).toEqual([
      'error in line 2',
      'error in line 3',
      'error in line 4',
      'warning in line 5',
    ]);
  });

  test('a former name that another object has now is a warning, as after two successive renames', () => {
    expect(found(groups(['a', 'b'], ['b', 'c']))).toEqual(['warning in line 2']);
  });

  test('a former name that a group of the identity provider now has is a warning: the rename needs a run of its own before, because the group has no id yet', () => {
    const text = `${groups(['b', 'a'])}\n  - { name: a, from: identity_provider }`;
    expect(load(text).diagnostics).toMatchObject([
      {
        code: 'LIFECYCLE_IGNORED',
        severity: 'warning',
        hint: 'rename first: leave group.a out of the files, apply, and declare it again in a later run',
      },
    ]);
  });

  test('are not an error in an earlier revision, because the revision can still be a base', () => {
    const text = groups(['left', 'right'], ['right', 'left']);
    expect(found(text, true)).toEqual(['warning in line 2', 'warning in line 3']);
  });

  test('a former name beside an id does not affect pairing', () => {
    const text = groups(['left', 'right'], ['right']).replace('was: right', 'id: g1');
    expect(found(text)).toEqual([]);
  });
});

test('a former name that has only a part of the identity says what a name consists of', () => {
  const said = (was: string) =>
    load(
      `dns: { zones: [{ domain: corp.x, name: c, distribution_groups: [a], records: [{ name: web.corp.x, type: CNAME, content: db.corp.x, lifecycle: { was: ${was} } }] }] }`,
    )
      .diagnostics.filter(({ code }) => code === 'LIFECYCLE_IGNORED')
      .map(({ message, hint }) => `${message}; ${hint}`);
  expect(said('www.corp.x')).toEqual([
    '`www.corp.x` is not the name of a DNS record, which consists of `name`, `type`, `content`; write all of them, as in `web.corp.x CNAME db.corp.x`',
  ]);
  expect(said('www.corp.x CNAME db.corp.x')).toEqual([]);
});
