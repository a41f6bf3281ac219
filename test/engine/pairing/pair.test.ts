import { describe, expect, test } from 'vitest';
import { pairObjects } from '../../../src/engine/pairing/pairObjects.ts';
import { markedForDeletion } from '../../../src/engine/scope/markedForDeletion.ts';
import type { Desired } from '../../../src/model/object.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { declared, group, live, network, peer, type Read, resource, router } from '../planning.ts';

/** Who stands for whom (`key → id`), what is made, and what is wrong. */
function paired(files: string | readonly Desired[], reads: readonly Read[], base = '') {
  const desired = typeof files === 'string' ? desiredOf(files) : files;
  const former = base === '' ? [] : desiredOf(base);
  const found = pairObjects(
    { kinds: KINDS, desired, live: live(reads), base: former },
    { isMarkedForDeletion: markedForDeletion(desired, KINDS) },
  );
  return {
    pairs: Object.fromEntries(found.pairs.map(({ desired: { key }, live: { id } }) => [key, id])),
    creates: found.creates.map(({ key }) => key),
    unpaired: found.unpaired.map(object => found.naming.keyOfId(object.kind, object.id)),
    codes: found.diagnostics.map(({ code }) => code),
  };
}

const groups = (...names: string[]) => names.map((name, i) => group(`g${i + 1}`, name));

describe('a declared object is paired with', () => {
  test('the live object of its name', () => {
    const { pairs, creates } = paired('groups: [{ name: a }, { name: b }]', groups('a', 'c'));
    expect({ pairs, creates }).toEqual({ pairs: { a: 'g1' }, creates: ['b'] });
  });

  test('the object it is bound to, whatever its name', () => {
    const { pairs, unpaired } = paired(
      'groups: [{ name: a, lifecycle: { id: g2 } }]',
      groups('a', 'b'),
    );
    expect({ pairs, unpaired }).toEqual({ pairs: { a: 'g2' }, unpaired: ['id:g1'] });
  });

  test('the object it is bound to, although another declaration has that object’s name', () => {
    const files = 'groups: [{ name: b }, { name: a, lifecycle: { id: g1 } }]';
    expect(paired(files, groups('b'))).toMatchObject({ pairs: { a: 'g1' }, creates: ['b'] });
  });

  test('the object with its former name, as long as no object has its name', () => {
    const files = 'groups: [{ name: new, lifecycle: { was: old } }]';
    expect(paired(files, groups('old'))).toMatchObject({ pairs: { new: 'g1' }, codes: [] });
  });

  test('the object of its name rather than of its former name, and says that nothing is renamed', () => {
    const files = 'groups: [{ name: new, lifecycle: { was: old } }]';
    expect(paired(files, groups('old', 'new'))).toMatchObject({
      pairs: { new: 'g2' },
      unpaired: ['old'],
      codes: ['LIFECYCLE_IGNORED'],
    });
  });

  test('none, if its former name belongs to another declaration', () => {
    const files = 'groups: [{ name: new, lifecycle: { was: old } }, { name: old }]';
    const { pairs, creates } = paired(files, groups('old'));
    expect({ pairs, creates }).toEqual({ pairs: { old: 'g1' }, creates: ['new'] });
  });

  test('the object left under its temporary name, if names are unique', () => {
    const reads = [...groups('a~meshform'), network('n1', 'b~meshform')];
    const { pairs, creates } = paired('{ groups: [{ name: a }], networks: [{ name: b }] }', reads);
    expect({ pairs, creates }).toEqual({ pairs: { a: 'g1' }, creates: ['b'] });
  });
});

describe('a child object is paired with', () => {
  const TWO = [network('n1', 'old'), network('n2', 'other')];
  const inOther =
    'networks: [{ name: other, resources: [{ name: db, address: 10.0.0.1, groups: [] }] }]';

  test('the object of its name in its parent, whatever the parent’s former name', () => {
    const files = inOther.replace('name: other', 'name: new, lifecycle: { was: old }');
    expect(paired(files, [...TWO, resource('r1', 'n1', 'db')]).pairs).toEqual({
      new: 'n1',
      'new/db': 'r1',
    });
  });

  const DB = [...TWO, resource('r1', 'n1', 'db')];
  const reported = (was: string) =>
    inOther.replace('name: db', `name: db, lifecycle: { was: ${was} }`);

  test('the object in another parent that its `was` names, if its kind can move', () => {
    expect(paired(reported('old/db'), DB).pairs).toMatchObject({ 'other/db': 'r1' });
    const renamed = reported('old/db').replace('name: db', 'name: orders');
    expect(paired(renamed, DB).pairs).toMatchObject({ 'other/orders': 'r1' });
  });

  test('the object that its `was` names by the other parent’s former or future name', () => {
    const files = (was: string) =>
      reported(was).replace(
        '[{ name: other',
        '[{ name: fresh, lifecycle: { was: old } }, { name: other',
      );
    for (const was of ['old/db', 'fresh/db'])
      expect(paired(files(was), DB).pairs).toMatchObject({ fresh: 'n1', 'other/db': 'r1' });
  });

  test('the object of a former name with a slash in it, in its own parent first', () => {
    const reads = [...DB, resource('r2', 'n2', 'old/db')];
    expect(paired(reported('old/db'), reads).pairs).toMatchObject({ 'other/db': 'r2' });
    const escaped = [network('n1', 'o/d'), network('n2', 'other'), resource('r1', 'n1', 'd/b')];
    expect(paired(reported("'o\\/d/d\\/b'"), escaped).pairs).toMatchObject({ 'other/db': 'r1' });
  });

  const base = inOther.replace('name: other', 'name: old');

  test('the object in another parent that the base declared there and the files no longer do', () => {
    expect(paired(inOther, DB, base).pairs).toMatchObject({ 'other/db': 'r1' });
    const renamed = inOther.replace('name: db', 'name: orders, lifecycle: { was: db }');
    expect(paired(renamed, DB, base).pairs).toMatchObject({ 'other/orders': 'r1' });
  });

  test('none in another parent by its name alone, or its former name alone', () => {
    const alone = { creates: ['other/db'], unpaired: ['old', 'old/db'] };
    expect(paired(inOther, DB)).toMatchObject(alone);
    expect(paired(reported('db').replace('name: db', 'name: orders'), DB)).toMatchObject({
      creates: ['other/orders'],
    });
    const elsewhere = [network('n3', 'third'), ...TWO, resource('r1', 'n3', 'db')];
    expect(paired(inOther, elsewhere, base).creates).toEqual(['other/db']);
  });

  test('none in another parent, if its kind does not move', () => {
    const files =
      '{ groups: [{ name: a }], networks: [{ name: other, routers: [{ peer_groups: [a], masquerade: true }] }] }';
    const reads = [...TWO, ...groups('a'), router('r1', 'n1', ['g1'])];
    expect(paired(files, reads)).toMatchObject({
      creates: ['other/a'],
      unpaired: ['old', 'old/a'],
    });
  });
});

describe('a nameless object is paired with', () => {
  const routers = (...names: string[]) =>
    `networks: [{ name: n, routers: [${names.map(name => `{ peer_groups: [${name}], masquerade: true }`)}] }]`;
  const READS = [network('n1', 'n'), ...groups('a', 'b', 'c', 'd'), router('r1', 'n1', ['g1'])];

  test('the object of its natural key', () => {
    expect(paired(routers('a'), READS).pairs).toMatchObject({ 'n/a': 'r1' });
  });

  test('the object of its natural key, with a reference written as an id', () => {
    expect(paired(routers('"id:g1"'), READS).pairs).toMatchObject({ 'n/a': 'r1' });
  });

  test('the object that the base declared and the files no longer do, if it is the only one left', () => {
    expect(paired(routers('b'), READS, routers('a')).pairs).toMatchObject({ 'n/b': 'r1' });
  });

  test('none, without a base that declared it', () => {
    expect(paired(routers('b'), READS)).toMatchObject({
      creates: ['n/b'],
      unpaired: expect.arrayContaining(['n/a']),
    });
    expect(paired(routers('b'), READS, routers('c')).creates).toEqual(['n/b']);
  });

  test('none, if two declarations could be the changed one', () => {
    expect(paired(routers('b', 'c'), READS, routers('a')).creates).toEqual(['n/b', 'n/c']);
  });

  test('none, if two live objects could be the changed one', () => {
    const reads = [...READS, router('r2', 'n1', ['g4'])];
    expect(paired(routers('b'), reads, routers('a', 'd')).creates).toEqual(['n/b']);
  });

  test('the object whose references have new names', () => {
    const files = `{ groups: [{ name: z, lifecycle: { was: a } }], ${routers('z')} }`;
    expect(paired(files, READS).pairs).toMatchObject({ z: 'g1', 'n/z': 'r1' });
  });

  test('the object that the base declared by names that have changed since then', () => {
    const files = `{ groups: [{ name: z, lifecycle: { was: a } }], ${routers('b').replace('name: n,', 'name: m, lifecycle: { was: n },')} }`;
    const base = `{ groups: [{ name: a }], ${routers('a')} }`;
    expect(paired(files, READS, base).pairs).toMatchObject({ m: 'n1', 'm/b': 'r1' });
  });
});

describe('a missing object that is marked for deletion', () => {
  test('is not confused with a moved or changed object: nothing else is deleted in its place', () => {
    const moved =
      'networks: [{ name: m, lifecycle: { delete: true }, resources: [{ name: db, address: 10.0.0.1, groups: [] }] }, { name: n }]';
    const reads = [network('n1', 'n'), resource('r1', 'n1', 'db')];
    expect(paired(moved, reads)).toEqual({
      pairs: { n: 'n1' },
      creates: [],
      unpaired: ['n/db'],
      codes: [],
    });
    const changed =
      'networks: [{ name: n, routers: [{ peer_groups: [b], masquerade: true, lifecycle: { delete: true } }] }]';
    const router1 = [network('n1', 'n'), ...groups('a', 'b'), router('r1', 'n1', ['g1'])];
    const base = 'networks: [{ name: n, routers: [{ peer_groups: [a], masquerade: true }] }]';
    expect(paired(changed, router1, base)).toMatchObject({ pairs: { n: 'n1' }, creates: [] });
  });
});

describe('it is an error', () => {
  test('a name of two objects is an error, because a reference could mean either of them', () => {
    const reads = [network('n1', 'a'), network('n2', 'a')];
    expect(paired('networks: [{ name: a }]', reads)).toMatchObject({
      pairs: {},
      codes: ['PAIR_AMBIGUOUS'],
    });
  });

  test('an object of another system with the name of a declared object is not an error', () => {
    const reads = [group('g1', 'a', { issued: 'jwt' }), group('g2', 'a')];
    expect(paired('groups: [{ name: a }]', reads)).toMatchObject({ pairs: { a: 'g2' }, codes: [] });
  });

  test('declaring an object of another system is an error', () => {
    const found = paired('groups: [{ name: a }]', [group('g1', 'a', { issued: 'jwt' })]);
    expect(found).toMatchObject({ pairs: {}, creates: [], codes: ['PAIR_RESERVED'] });
  });

  test('binding to an id that does not exist is an error', () => {
    expect(paired('groups: [{ name: a, lifecycle: { id: g9 } }]', groups('a')).codes).toEqual([
      'PAIR_UNKNOWN_ID',
    ]);
  });

  test('binding two declarations to one id is an error', () => {
    const bound = { lifecycle: { id: 'g1' } };
    const found = paired(
      [declared('group', 'a', bound), declared('group', 'b', bound)],
      groups('a'),
    );
    expect(found).toMatchObject({ pairs: { a: 'g1' }, codes: ['PAIR_AMBIGUOUS'] });
  });

  test('declaring an object that can only enrol is an error, unless it is to be deleted', () => {
    expect(paired([declared('peer', 'laptop')], []).codes).toEqual(['PAIR_NOT_CREATABLE']);
    expect(paired([declared('peer', 'laptop', { lifecycle: { delete: true } })], []).codes).toEqual(
      [],
    );
  });

  test('declaring one nameless object by a name and by an id is an error', () => {
    const files =
      '{ groups: [{ name: a }], networks: [{ name: n, routers: [{ peer_groups: [a], masquerade: true }, { peer_groups: ["id:g1"], masquerade: true }] }] }';
    const found = paired(files, [network('n1', 'n'), ...groups('a')]);
    expect(found).toMatchObject({ creates: ['n/a'], codes: ['OBJECT_DUPLICATE'] });
  });
});

describe('an undeclared object is named', () => {
  test('an undeclared object is named by its id if its name is not unique', () => {
    const reads = [peer('p1', 'laptop'), peer('p2', 'laptop'), peer('p3', 'phone')];
    expect(paired([], reads).unpaired).toEqual(['id:p1', 'id:p2', 'phone']);
  });

  test('an undeclared object is named by its id if its name looks like an id, or is missing', () => {
    expect(paired([], [group('g1', 'id:g7'), group('g2', '')]).unpaired).toEqual([
      'id:g1',
      'id:g2',
    ]);
  });
});
