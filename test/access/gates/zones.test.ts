// A name that DNS zones within each other answer: what one zone hides of another is hidden only from machines that get both.
import { describe, expect, test } from 'vitest';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { movedAccess } from '../../../src/access/gates/movedAccess.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import { flowText } from '../../../src/model/access/accessFindings.ts';
import type { Json } from '../../../src/model/value.ts';
import { recordOf, resourceAt, stateWith, zoneOf } from './roads.ts';

const DB = 'network_resource/production/orders-db';
const COPY = 'network_resource/production/copy';
const OPENED = [`group/laptops → ${COPY}`];
const ALL = 'g0';
const LAPTOPS = 'g1';
const ADMINS = 'g3';
const COPIES = 'g5';

const GUARDED = '10.20.0.5';
const ELSEWHERE = '10.9.9.9';

function movedAt(
  side: 'gained' | 'lost',
  before: AccessState,
  after: AccessState,
  to = DB,
): readonly string[] {
  const pool = rowPool();
  const [was, is] = worldsOf([before, after]).map(world => reachesOf(world, pool));
  if (was === undefined || is === undefined) throw new Error('two worlds');
  return movedAccess({ before: was, after: is }, side, { to: checkedSelector(to) }).map(flowText);
}

const offering = (name: string, zones: readonly Json[]): AccessState =>
  stateWith({ resources: [resourceAt('r2', 'copy', name, 'g5')], zones });

/** What a new network resource with a name opens of the database. */
const openedBy = (name: string, zones: readonly Json[]): readonly string[] =>
  movedAt('gained', stateWith({ zones }), offering(name, zones));

const outer = (groups: readonly string[] | undefined, more = {}) =>
  zoneOf('example.com', groups, [recordOf('*.example.com', 'A', GUARDED, 'd1')], more);
const inner = (groups: readonly string[] | undefined, more = {}) =>
  zoneOf('db.example.com', groups, [recordOf('db.example.com', 'A', ELSEWHERE, 'd2')], more);

describe('a wildcard of an outer zone is open unless machines certainly get the inner zone', () => {
  test.each([
    ['distributed to nobody', [LAPTOPS], inner([])],
    ['disabled', [LAPTOPS], inner([LAPTOPS], { enabled: false })],
    ['without records', [LAPTOPS], inner([LAPTOPS], { records: [] })],
    ['distributed to others', [LAPTOPS], inner([ADMINS])],
    ['distributed to a part of the groups', [LAPTOPS, ADMINS], inner([LAPTOPS])],
    ['distributed to groups of the machines of all', [ALL], inner([LAPTOPS, ADMINS])],
    ['distributed to a group that nobody knows', [LAPTOPS], inner(['g99'])],
    ['distributed to groups that nobody knows of', [LAPTOPS], inner(undefined)],
    ['distributed to others than those that nobody knows of', undefined, inner([LAPTOPS])],
    ['distributed to as few as the outer zone: nobody', [], inner([])],
  ] as const)('%s', (_, groups, within) => {
    expect(openedBy('db.example.com', [outer(groups), within])).toEqual(OPENED);
    expect(openedBy('db.example.com', [within, outer(groups)])).toEqual(OPENED);
  });

  test.each([
    ['the same group', [LAPTOPS], [LAPTOPS]],
    ['more groups', [LAPTOPS], [ADMINS, LAPTOPS]],
    ['every machine', [LAPTOPS, ADMINS], [ALL]],
    ['every machine, for groups that nobody knows of', undefined, [ALL]],
  ] as const)(
    'it is hidden where everybody who gets the outer zone gets the inner zone: %s',
    (_, groups, within) => {
      expect(openedBy('db.example.com', [outer(groups), inner(within)])).toEqual([]);
    },
  );

  test('a wildcard of an outer zone is hidden if each of its groups gets some inner zone', () => {
    const name = 'a.b.db.example.com';
    const own = recordOf(name, 'A', ELSEWHERE, 'd3');
    const within = [
      zoneOf('b.db.example.com', [LAPTOPS], [own]),
      zoneOf('db.example.com', [ADMINS], [own]),
    ];
    expect(openedBy(name, [outer([LAPTOPS, ADMINS]), ...within])).toEqual([]);
    expect(openedBy(name, [outer([LAPTOPS, ADMINS, COPIES]), ...within])).toEqual(OPENED);
  });

  test('a wildcard of the inner zone hides wildcards of the outer zone, for a name and for a wildcard', () => {
    const within = (groups: readonly string[]) =>
      zoneOf('db.example.com', groups, [recordOf('*.db.example.com', 'A', ELSEWHERE, 'd2')]);
    for (const name of ['a.db.example.com', '*.db.example.com']) {
      expect(openedBy(name, [outer([LAPTOPS]), within([LAPTOPS])])).toEqual([]);
      expect(openedBy(name, [outer([LAPTOPS]), within([ADMINS])])).toEqual(OPENED);
    }
  });

  test('an address of another version hides nothing', () => {
    const within = zoneOf(
      'db.example.com',
      [LAPTOPS],
      [recordOf('db.example.com', 'AAAA', 'fd00::9')],
    );
    expect(openedBy('db.example.com', [outer([LAPTOPS]), within])).toEqual(OPENED);
  });

  test('it is open on the path of an alias too', () => {
    const alias = zoneOf(
      'other.test',
      [LAPTOPS],
      [recordOf('a.other.test', 'CNAME', 'db.example.com')],
    );
    const zones = (groups: readonly string[]) => [alias, outer([LAPTOPS]), inner(groups)];
    expect(openedBy('a.other.test', zones([LAPTOPS]))).toEqual([]);
    expect(openedBy('a.other.test', zones([ADMINS]))).toEqual(OPENED);
  });
});

describe('the zone with the longest domain answers, whatever the order of the zones', () => {
  test('a record of the outer zone hides no record of the inner zone', () => {
    const around = zoneOf('example.com', [ALL], [recordOf('a.db.example.com', 'A', ELSEWHERE)]);
    const within = zoneOf(
      'db.example.com',
      [LAPTOPS],
      [recordOf('*.db.example.com', 'A', GUARDED)],
    );
    expect(openedBy('a.db.example.com', [around, within])).toEqual(OPENED);
  });

  test('zones of one name do not hide records of each other', () => {
    const one = zoneOf('Example.com', [LAPTOPS], [recordOf('db.example.com', 'A', ELSEWHERE)]);
    expect(openedBy('db.example.com', [outer([LAPTOPS]), one])).toEqual(OPENED);
  });

  test('a record of the same name in two zones leads to both places', () => {
    const around = zoneOf('example.com', [LAPTOPS], [recordOf('db.example.com', 'A', GUARDED)]);
    expect(openedBy('db.example.com', [around, inner([LAPTOPS])])).toEqual(OPENED);
  });

  test('a domain whose name only ends with the same letters is another domain', () => {
    const around = zoneOf('example.com', [LAPTOPS], [recordOf('*.notexample.com', 'A', GUARDED)]);
    const other = zoneOf(
      'notexample.com',
      [LAPTOPS],
      [recordOf('a.notexample.com', 'A', ELSEWHERE)],
    );
    expect(openedBy('a.notexample.com', [around, other])).toEqual(OPENED);
  });

  test('the name of a machine hides no wildcard: not everybody asks for it', () => {
    const around = zoneOf('selfhosted', [LAPTOPS], [recordOf('*.selfhosted', 'A', GUARDED)]);
    expect(openedBy('admin.netbird.selfhosted', [around])).toEqual(OPENED);
  });

  test('records of one zone hide each other, whoever gets the zone', () => {
    const both = [
      recordOf('*.example.com', 'A', GUARDED, 'd1'),
      recordOf('db.example.com', 'A', ELSEWHERE, 'd2'),
    ];
    for (const groups of [undefined, [], [LAPTOPS]])
      expect(openedBy('db.example.com', [zoneOf('example.com', groups, both)])).toEqual([]);
  });

  test('a nearer wildcard of one zone hides the wider one from a network resource of all its names', () => {
    const both = [
      recordOf('*.example.com', 'A', GUARDED, 'd1'),
      recordOf('*.db.example.com', 'A', ELSEWHERE, 'd2'),
    ];
    const zone = zoneOf('example.com', [LAPTOPS], both);
    expect(openedBy('*.db.example.com', [zone])).toEqual([]);
    expect(openedBy('*.example.com', [zone])).toEqual(OPENED);
  });
});

describe('a plan that removes what hid a wildcard from some machines opens it', () => {
  const offered = (...zones: readonly Json[]) => offering('db.example.com', zones);

  test.each([
    ['the zone of those who had it', outer([LAPTOPS, ADMINS]), [inner([LAPTOPS])], [], false],
    [
      'its zone from one of two groups',
      outer([LAPTOPS, ADMINS]),
      [inner([LAPTOPS, ADMINS])],
      [inner([ADMINS])],
      true,
    ],
    [
      'and others never had it',
      outer([LAPTOPS, ADMINS, COPIES]),
      [inner([LAPTOPS, ADMINS])],
      [inner([ADMINS])],
      false,
    ],
    ['from all', outer([ALL]), [inner([ALL])], [inner([LAPTOPS])], true],
    ['and the outer zone is of all', outer([ALL]), [inner([LAPTOPS])], [inner([ADMINS])], false],
    [
      'by disabling it',
      outer([LAPTOPS, ADMINS]),
      [inner([LAPTOPS])],
      [inner([LAPTOPS], { enabled: false })],
      false,
    ],
  ] as const)('%s', (_, around, was, is, isForAll) => {
    const before = offered(around, ...was);
    const after = offered(around, ...is);
    expect(movedAt('gained', before, after)).toEqual(OPENED);
    // Who may still be led there loses nothing: only an answer that surely everybody gets takes access.
    expect(movedAt('lost', after, before, COPY)).toEqual(isForAll ? OPENED : []);
  });

  test('a plan that leaves the wildcard hidden from the same machines opens nothing', () => {
    const around = outer([LAPTOPS, ADMINS]);
    const moved = zoneOf(
      'db.example.com',
      [LAPTOPS],
      [recordOf('db.example.com', 'A', '10.9.9.8', 'd2')],
    );
    expect(movedAt('gained', offered(around, inner([LAPTOPS])), offered(around, moved))).toEqual(
      [],
    );
    expect(movedAt('gained', offered(around), offered(around, inner([LAPTOPS])))).toEqual([]);
  });

  test('an inner zone has authority: without it, names resolve that did not before', () => {
    const other = zoneOf(
      'db.example.com',
      [LAPTOPS],
      [recordOf('a.db.example.com', 'A', ELSEWHERE)],
    );
    const state = (...zones: readonly Json[]) => offering('b.db.example.com', zones);
    const before = state(outer([LAPTOPS]), other);
    const after = state(outer([LAPTOPS]));
    expect(movedAt('gained', before, after)).toEqual(OPENED);
    expect(openedBy('b.db.example.com', [outer([LAPTOPS]), other])).toEqual(OPENED);
  });

  test('the same name in an inner zone has authority too', () => {
    const around = zoneOf('example.com', [LAPTOPS], [recordOf('db.example.com', 'A', GUARDED)]);
    const before = offered(around, inner([LAPTOPS]));
    const after = offered(around);
    expect(movedAt('gained', before, after)).toEqual(OPENED);
  });

  test('distributing a zone to more machines opens nothing by itself', () => {
    expect(movedAt('gained', offered(outer([LAPTOPS])), offered(outer([LAPTOPS, ADMINS])))).toEqual(
      [],
    );
  });
});

describe('a name that becomes an alias of a name with its address', () => {
  const named = (...zones: readonly Json[]) => offering('a.example.com', zones);
  const zone = (...records: readonly Json[]) => zoneOf('example.com', [LAPTOPS], records);
  const elsewhere = (groups: readonly string[] | undefined, ...records: readonly Json[]) =>
    zoneOf('other.test', groups, records);
  const before = named(zone(recordOf('a.example.com', 'A', ELSEWHERE, 'd1')));
  const alias = (content: string) => recordOf('a.example.com', 'CNAME', content, 'd2');
  const beside = recordOf('b.example.com', 'A', ELSEWHERE, 'd3');
  const other = recordOf('b.other.test', 'A', ELSEWHERE, 'd3');

  test.each([
    ['in its zone', named(zone(alias('b.example.com'), beside))],
    [
      'by another alias',
      named(
        zone(
          alias('c.example.com'),
          recordOf('c.example.com', 'CNAME', 'b.example.com', 'd4'),
          beside,
        ),
      ),
    ],
    [
      'in a zone of the same groups',
      named(zone(alias('b.other.test')), elsewhere([LAPTOPS], other)),
    ],
    ['in a zone of all', named(zone(alias('b.other.test')), elsewhere([ALL], other))],
  ])('leads nowhere else: %s', (_, after) => {
    for (const [was, is] of [
      [before, after],
      [after, before],
    ] as const) {
      expect(movedAt('gained', was, is, COPY)).toEqual([]);
      expect(movedAt('lost', was, is, COPY)).toEqual([]);
    }
  });

  test.each([
    ['of other groups', elsewhere([ADMINS], other)],
    ['of groups that nobody knows', elsewhere(undefined, other)],
    ['without a record of it', elsewhere([LAPTOPS], recordOf('c.other.test', 'A', ELSEWHERE))],
    [
      'that leads back',
      elsewhere([LAPTOPS], recordOf('b.other.test', 'CNAME', 'b.other.test', 'd3')),
    ],
  ])('may lead where other DNS servers say: in a zone %s', (_, within) => {
    const after = named(zone(alias('b.other.test')), within);
    expect(movedAt('gained', before, after, COPY)).toEqual(OPENED);
  });
});
