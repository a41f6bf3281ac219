// Who joins a group that may call a service gains what the service leads to, under the unchanged name of its callers.
import { describe, expect, test } from 'vitest';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { movedAccess } from '../../../src/access/gates/movedAccess.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { StateObject } from '../../../src/access/state/stateObject.ts';
import { stateOf } from '../../../src/access/state/stateOf.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import { flowText } from '../../../src/model/access/accessFindings.ts';
import type { Fields } from '../../../src/model/value.ts';

const object = (
  kind: string,
  key: string,
  fields: Fields = {},
  id: string | undefined = `${kind}-${key}`,
): StateObject => ({ kind, key, ...(id !== undefined && { id }), fields });

const group = (name: string, ...peers: readonly string[]): StateObject =>
  object('group', name, { name, peers });

const service = (name: string, fields: Fields): StateObject =>
  object('proxy_service', name, {
    targets: [{ target: { peer: 'web' }, port: 8080, protocol: 'http' }],
    ...fields,
  });

const PRIVATE = service('a', { private: true, access_groups: ['ci'] });
const signIn = (...groups: readonly string[]): StateObject =>
  service('a', { auth: { bearer_auth: { enabled: true, distribution_groups: groups } } });
const SIGN_IN = signIn('ci');

const ACCOUNT: readonly StateObject[] = [
  object('peer', 'web'),
  object('peer', 'runner'),
  object('peer', 'laptop', { user_id: 'user-con' }),
  group('All', 'web', 'runner', 'laptop'),
];
const CI = group('ci', 'runner');
const WIDER = group('ci', 'runner', 'laptop');

const KEY = object('setup_key', 'k', { auto_groups: ['ci'] });
const user = (key: string, fields: Fields): StateObject => object('user', key, fields);

function movedIn(side: 'gained' | 'lost', was: readonly StateObject[], is: readonly StateObject[]) {
  const states = [was, is].map(list => stateOf([...ACCOUNT, ...list], new Map()));
  const pool = rowPool();
  const [before, after] = worldsOf(states).map(world => reachesOf(world, pool));
  if (before === undefined || after === undefined) throw new Error('two worlds');
  return movedAccess({ before, after }, side, { to: checkedSelector('peer/web') });
}
const moved: (...given: Parameters<typeof movedIn>) => readonly string[] = (...given) =>
  movedIn(...given).map(flowText);
const gained = (was: readonly StateObject[], is: readonly StateObject[]) =>
  moved('gained', was, is);

describe('a new member of a group that may call a private service', () => {
  const caller = (who: string) => [
    `service callers of group/ci unless blocked (${who}) → peer/web`,
  ];

  test('gains as a machine', () => {
    expect(gained([CI, PRIVATE], [WIDER, PRIVATE])).toEqual(caller('peer/laptop'));
    expect(moved('lost', [CI, PRIVATE], [WIDER, PRIVATE])).toEqual([]);
  });

  test('loses the access again by leaving, as a machine', () => {
    expect(moved('lost', [WIDER, PRIVATE], [CI, PRIVATE])).toEqual(caller('peer/laptop'));
    expect(gained([WIDER, PRIVATE], [CI, PRIVATE])).toEqual([]);
  });

  test('gains a caller with a new setup key, and with a key that adds machines to one more group', () => {
    expect(gained([CI, PRIVATE], [CI, PRIVATE, KEY])).toEqual(caller('setup_key/k'));
    const idle = object('setup_key', 'k', { auto_groups: [] });
    expect(gained([CI, PRIVATE, idle], [CI, PRIVATE, KEY])).toEqual(caller('setup_key/k'));
  });

  test('gains through the machines of a user', () => {
    const [before, after] = [[], ['ci']].map(groups => user('con', { auto_groups: groups }));
    if (!before || !after) throw new Error('two users');
    expect(gained([CI, PRIVATE, before], [CI, PRIVATE, after])).toEqual(caller('user/con'));
  });

  test('gains if one machine takes the place of another', () => {
    const other = group('ci', 'laptop');
    expect(gained([CI, PRIVATE], [other, PRIVATE])).toEqual(caller('peer/laptop'));
    expect(moved('lost', [CI, PRIVATE], [other, PRIVATE])).toEqual(caller('peer/runner'));
  });

  test('gains nothing that another service gave before, or that everybody had', () => {
    const open = service('b', {});
    expect(gained([CI, PRIVATE, open], [WIDER, PRIVATE, open])).toEqual([]);
    const docs = [group('docs', 'laptop')];
    const other = service('b', { private: true, access_groups: ['docs'] });
    expect(gained([...docs, CI, PRIVATE, other], [...docs, WIDER, PRIVATE, other])).toEqual([]);
  });

  test('gains nothing by joining another group', () => {
    const was = [group('docs'), CI, PRIVATE];
    expect(gained(was, [group('docs', 'laptop'), CI, PRIVATE])).toEqual([]);
  });

  test('gains nothing as the machine to which the service sends requests', () => {
    expect(gained([CI, PRIVATE], [group('ci', 'runner', 'web'), PRIVATE])).toEqual([]);
  });

  test('counts among the pairs of a new service', () => {
    const pairs = (...list: readonly StateObject[]) =>
      movedIn('gained', list.slice(0, 1), list).map(one => one.pairs);
    expect(pairs(group('ci'), PRIVATE)).toEqual([1]);
    expect(pairs(CI, PRIVATE)).toEqual([1]);
    expect(pairs(WIDER, PRIVATE)).toEqual([2]);
    expect(pairs(group('ci', 'runner', 'laptop', 'web'), PRIVATE)).toEqual([2]);
  });

  test('gains nothing if all machines may call it', () => {
    const all = service('a', { private: true, access_groups: ['All'] });
    expect(gained([CI, all], [WIDER, KEY, all, user('new', { auto_groups: ['ci'] })])).toEqual([]);
  });
});

describe('a new member of a group that may sign in to a service', () => {
  test('gains as a machine on the overlay network, which needs no sign-in', () => {
    expect(gained([CI, SIGN_IN], [WIDER, SIGN_IN])).toEqual([
      'service callers of group/ci (peer/laptop) → peer/web',
    ]);
  });

  test('gains as a user and with the machines of the user', () => {
    const [before, after] = [[], ['ci']].map(groups => user('con', { auto_groups: groups }));
    if (!before || !after) throw new Error('two users');
    const both = 'service callers of group/ci (user/con), users of group/ci (user/con) → peer/web';
    expect(gained([CI, SIGN_IN, before], [CI, SIGN_IN, after])).toEqual([both]);
    expect(gained([CI, SIGN_IN], [CI, SIGN_IN, after])).toEqual([both]);
  });
});

describe('a group of callers with another name', () => {
  const renamed = object('group', 'runners', { name: 'runners', peers: ['runner'] }, 'group-ci');

  test('is the same group', () => {
    const other = service('a', { private: true, access_groups: ['runners'] });
    expect(gained([CI, PRIVATE], [renamed, other])).toEqual([]);
    expect(moved('lost', [CI, PRIVATE], [renamed, other])).toEqual([]);
    expect(gained([CI, SIGN_IN], [renamed, signIn('runners')])).toEqual([]);
    expect(moved('lost', [CI, SIGN_IN], [renamed, signIn('runners')])).toEqual([]);
  });

  test('gives access to whoever joins it', () => {
    const wider = object('group', 'runners', { peers: ['runner', 'laptop'] }, 'group-ci');
    const other = service('a', { private: true, access_groups: ['runners'] });
    expect(gained([CI, PRIVATE], [wider, other])).not.toEqual([]);
  });

  test('is a different group if it is new', () => {
    const other = service('a', { private: true, access_groups: ['docs'] });
    const docs = group('docs', 'runner');
    expect(gained([CI, docs, PRIVATE], [CI, docs, other])).not.toEqual([]);
  });
});
