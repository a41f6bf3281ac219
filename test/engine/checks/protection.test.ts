// A plan fails when it would delete or replace a protected object.
import { describe, expect, test } from 'vitest';
import { declared, group, network, type Options, planFor, resource } from '../planning.ts';
import { found } from './verdict.ts';

describe('a protected object', () => {
  test('is not deleted if the files or the base protect it', () => {
    const reads = [group('g1', 'a'), group('g2', 'b')];
    const base = 'groups: [{ name: b, lifecycle: { protect: true } }]';
    expect(found('groups: [{ name: a }]', reads, { prune: 'removed', base })).toEqual({
      codes: ['PROTECTED'],
      actions: 0,
    });
    const torn = declared('group', 'a', { lifecycle: { protect: true, delete: true } });
    expect(found([torn], reads).codes).toEqual(['PROTECTED']);
  });

  test('is not replaced', () => {
    const files =
      'networks: [{ name: n }, { name: m, resources: [{ name: db, address: 10.0.0.1, groups: [], lifecycle: { was: n/db, protect: true } }] }]';
    const reads = [network('n1', 'n'), network('n2', 'm'), resource('r1', 'n1', 'db')];
    expect(found(files, reads).codes).toEqual(['PROTECTED']);
  });

  test('may be changed', () => {
    const files = 'groups: [{ name: b, lifecycle: { protect: true, was: a } }]';
    expect(found(files, [group('g1', 'a')])).toEqual({ codes: [], actions: 1 });
  });
});

describe('the protect list of the project', () => {
  const reads = [network('n1', 'production'), resource('r1', 'n1', 'db'), group('g1', 'a')];
  const options: Options = { prune: 'unmanaged', base: 'networks: [{ name: production }]' };
  const files = 'networks: [{ name: other }]';

  test.each([['network/production'], ['network/id:n1'], ['network_resource/production/db']])(
    'keeps objects that no file declares any more: %s',
    entry => {
      const { diagnostics, actions } = planFor(files, reads, { ...options, protect: [entry] });
      expect(diagnostics).toMatchObject([
        {
          code: 'PROTECTED',
          severity: 'error',
          hint: `if this is intended, first remove \`${entry}\` from the protect list of the project file in a separate change`,
        },
      ]);
      expect(actions).toEqual([]);
    },
  );

  test('keeps objects that would be replaced', () => {
    const moved =
      'networks: [{ name: production }, { name: vault, resources: [{ name: db, address: 10.0.0.1, groups: [], lifecycle: { was: production/db } }] }]';
    const protect = ['network_resource/id:r1'];
    expect(found(moved, reads, { protect }).codes).toEqual(['PROTECTED']);
  });

  test.each([
    ['its id', 'lifecycle: { id: g1, delete: true }'],
    ['a former name', 'lifecycle: { was: a, delete: true }'],
  ])('keeps objects that a declaration with another name would delete by %s', (_, lifecycle) => {
    const { diagnostics } = planFor(`groups: [{ name: other, ${lifecycle} }]`, reads, {
      protect: ['group/a'],
    });
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['PROTECTED', 'group.a is protected and would be deleted'],
    ]);
  });

  test('refuses a rename that takes an object off the list', () => {
    const renamed = 'groups: [{ name: other, lifecycle: { was: a } }]';
    expect(planFor(renamed, reads, { protect: ['group/a'] }).diagnostics).toMatchObject([
      {
        code: 'PROTECTED',
        message:
          '`group/a` is protected and would be renamed to group.other, which is not protected',
        hint: 'add `group/other` to the protect list of the project file',
      },
    ]);
    expect(found(renamed, reads, { protect: ['group/a', 'group/other'] })).toEqual({
      codes: [],
      actions: 1,
    });
  });

  test.each([
    ['declared', ', resources: [{ name: db, address: 10.0.0.1, groups: [] }]'],
    ['not declared', ''],
  ])('refuses the rename of a network that takes a resource off the list: %s', (_, resources) => {
    const renamed = `networks: [{ name: prod, lifecycle: { was: production }${resources} }]`;
    const entry = 'network_resource/production/db';
    expect(planFor(renamed, reads, { protect: [entry] }).diagnostics).toMatchObject([
      {
        code: 'PROTECTED',
        message: `\`${entry}\` is protected and would be renamed to network_resource.prod/db, which is not protected`,
      },
    ]);
    for (const other of ['network_resource/prod/db', 'network_resource/id:r1'])
      expect(found(renamed, reads, { protect: [entry, other] })).toEqual({ codes: [], actions: 1 });
  });

  test('allows changes, and everything for objects that are not on it', () => {
    const renamed = 'networks: [{ name: prod, lifecycle: { was: production } }]';
    expect(found(renamed, reads, { protect: ['network/id:n1', 'network/production'] })).toEqual({
      codes: [],
      actions: 1,
    });
    expect(found(files, reads, { ...options, protect: ['group/production'] }).codes).toEqual([]);
  });
});
