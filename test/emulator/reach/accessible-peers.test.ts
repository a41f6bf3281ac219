// Whom the list of accessible peers holds: those that a peer reaches under `spec`, those that its network map holds under
// `netbird`.
import { describe, expect, it } from 'vitest';
import { bothDialects, written } from './both.ts';
import { account, policy, rule } from './drafts.ts';

const { accessible: listed } = bothDialects();

type Row = readonly [string, ReturnType<typeof account>, string, string];

const holds = async (_: string, draft: Row[1], spec: string, netbird: string) => {
  const lists = await listed(draft);
  expect({ spec: written(lists.spec), netbird: written(lists.netbird) }).toEqual({ spec, netbird });
};

/** Two peers, a in the group as and b in bs, with these policies. */
const pair = (policies: Parameters<typeof account>[0]['policies'], more: object = {}) =>
  account({ groups: { as: 'a', bs: 'b' }, policies, ...more });
/** The same with one policy of these rules. */
const ruled = (...rules: object[]) => pair([policy(rules)]);

const BOTH = { bidirectional: true };
const DROP = { action: 'drop' };
const RANGE = (start: number, end: number) => ({ ports: [], port_ranges: [{ start, end }] });
const OLD = (...names: string[]) => ({
  machines: Object.fromEntries(names.map(name => [name, { version: '0.47.9' }])),
});
/** A check that a passes no more: only what names no source by group is left. */
const STRICT = {
  checks: { strict: { nb_version_check: { min_version: '0.50.0' } } },
  ...OLD('a'),
};
const CHECKED = { source_posture_checks: ['strict'] };

describe('a rule', () => {
  it.each<Row>([
    ['connects nobody that it does not name', pair([]), '', ''],
    ['gives the destination incoming traffic', ruled(rule('as', 'bs')), 'a: b', 'a: b, b: a'],
    ['works both ways', ruled(rule('as', 'bs', BOTH)), 'a: b, b: a', 'a: b, b: a'],
    ['counts if it is enabled', ruled(rule('as', 'bs', { enabled: false })), '', ''],
    [
      'counts if its policy is enabled',
      pair([policy([rule('as', 'bs', BOTH)], { enabled: false })]),
      '',
      '',
    ],
    ['that drops connects, and lets nothing pass', ruled(rule('as', 'bs', DROP)), '', 'a: b, b: a'],
    [
      'that drops wins over an earlier one',
      ruled(rule('as', 'bs'), rule('as', 'bs', { ...DROP, protocol: 'all', ports: [] })),
      '',
      'a: b, b: a',
    ],
    [
      'that drops wins over a later policy',
      pair([policy([rule('as', 'bs', DROP)]), policy([rule('as', 'bs')])]),
      '',
      'a: b, b: a',
    ],
    [
      'that drops leaves the other ports',
      ruled(rule('as', 'bs', { ports: ['22', '80'] }), rule('as', 'bs', DROP)),
      'a: b',
      'a: b, b: a',
    ],
    [
      'that drops leaves the ports between its ranges',
      ruled(
        rule('as', 'bs', RANGE(10, 30)),
        rule('as', 'bs', { ...DROP, ...RANGE(1, 19) }),
        rule('as', 'bs', { ...DROP, ...RANGE(21, 99) }),
      ),
      'a: b',
      'a: b, b: a',
    ],
    [
      'that drops takes what several of its ranges cover',
      ruled(
        rule('as', 'bs', RANGE(10, 30)),
        rule('as', 'bs', { ...DROP, ...RANGE(20, 99) }),
        rule('as', 'bs', { ...DROP, ...RANGE(1, 19) }),
      ),
      '',
      'a: b, b: a',
    ],
    [
      'that drops one protocol leaves the others',
      ruled(
        rule('as', 'bs', { protocol: 'all', ports: [] }),
        rule('as', 'bs', { ...DROP, ports: [] }),
        rule('as', 'bs', { ...DROP, protocol: 'udp', ports: [] }),
      ),
      'a: b',
      'a: b, b: a',
    ],
    [
      'that drops in both directions leaves nothing on the way back',
      ruled(rule('bs', 'as'), rule('as', 'bs', { ...DROP, ...BOTH })),
      '',
      'a: b, b: a',
    ],
    [
      'about SSH without ports is about all of TCP',
      ruled(
        rule('as', 'bs', { protocol: 'netbird-ssh', ports: [] }),
        rule('as', 'bs', { ...DROP, ...RANGE(1, 65_534) }),
      ),
      'a: b',
      'a: b, b: a',
    ],
    ['may name its source', ruled(rule('peer:a', 'bs')), 'a: b', 'a: b, b: a'],
    ['may name its destination', ruled(rule('as', 'peer:b')), 'a: b', 'a: b, b: a'],
    ['whose source is no peer matches nobody', ruled(rule('host:a', 'bs', BOTH)), '', ''],
    ['whose destination is no peer matches nobody', ruled(rule('as', 'subnet:b', BOTH)), '', ''],
    ['never connects a peer with itself', ruled(rule('as bs', 'as')), 'b: a', 'a: b, b: a'],
    [
      'from All to All connects everybody',
      ruled(rule('All', 'All', BOTH)),
      'a: b, b: a',
      'a: b, b: a',
    ],
  ])('%s', holds);
});

describe('a range of ports', () => {
  it.each<Row>([
    [
      'is left out where the admitting machine has an old agent',
      pair([policy([rule('as', 'bs', { ...RANGE(80, 90), ...BOTH })])], OLD('b')),
      'b: a',
      'a: b, b: a',
    ],
    [
      'of one port is sent to an old agent',
      pair([policy([rule('as', 'bs', RANGE(80, 80))])], OLD('b')),
      'a: b',
      'a: b, b: a',
    ],
    [
      'is sent to every member of a group that understands it',
      account({
        groups: { as: 'a', bs: 'b c' },
        policies: [policy([rule('as', 'bs', RANGE(80, 90))])],
        ...OLD('b'),
      }),
      'a: c',
      'a: b c, b: a, c: a',
    ],
    [
      'is not dropped by an old agent',
      pair([policy([rule('as', 'bs'), rule('as', 'bs', { ...DROP, ...RANGE(1, 90) })])], OLD('b')),
      'a: b',
      'a: b, b: a',
    ],
  ])('%s', holds);
});

describe('posture checks', () => {
  it.each<Row>([
    [
      'leave out members of source groups that fail, in both directions',
      pair([policy([rule('as', 'bs', BOTH)], CHECKED)], STRICT),
      '',
      '',
    ],
    [
      'leave out members of source groups toward a single peer',
      pair([policy([rule('as', 'peer:b', BOTH)], CHECKED)], STRICT),
      '',
      '',
    ],
    [
      'do not apply to destinations',
      pair([policy([rule('bs', 'as', BOTH)], CHECKED)], STRICT),
      'a: b, b: a',
      'a: b, b: a',
    ],
    [
      'do not apply to a single source',
      pair([policy([rule('peer:a', 'bs')], CHECKED)], STRICT),
      'a: b',
      'a: b, b: a',
    ],
    [
      'have to be passed all',
      pair([policy([rule('as', 'bs')], { source_posture_checks: ['lax', 'strict'] })], {
        ...STRICT,
        checks: { ...STRICT.checks, lax: { nb_version_check: { min_version: '0.1.0' } } },
      }),
      '',
      '',
    ],
  ])('%s', holds);

  it('pass if the check no longer exists', async () => {
    const draft = pair([policy([rule('as', 'bs')], CHECKED)], STRICT);
    const gone = (text: string) =>
      text.replaceAll('"source_posture_checks":["strict"]', '"source_posture_checks":["gone"]');
    const lists = await listed(draft, gone);
    expect([written(lists.spec), written(lists.netbird)]).toEqual(['a: b', 'a: b, b: a']);
  });
});

const WAITING = { waiting: 'a' };

describe('a peer that awaits approval', () => {
  it.each<Row>([
    ['has no place in groups', pair([policy([rule('as', 'bs', BOTH)])], WAITING), '', ''],
    [
      'is known and admitted where a rule names it as the source',
      pair([policy([rule('peer:a', 'bs', BOTH)])], WAITING),
      'a: b',
      'b: a',
    ],
    [
      'is known where a rule names it as the destination, and admits nothing',
      pair([policy([rule('bs', 'peer:a')])], WAITING),
      '',
      'b: a',
    ],
    [
      'is known by a rule that drops',
      pair([policy([rule('peer:a', 'bs', DROP)])], WAITING),
      '',
      'b: a',
    ],
    [
      'is not known by a rule that is disabled',
      pair([policy([rule('peer:a', 'bs', { enabled: false })])], WAITING),
      '',
      '',
    ],
    [
      'is admitted as a member of its groups by those that know it, whatever checks say',
      pair([policy([rule('bs', 'peer:a')]), policy([rule('as', 'bs')], CHECKED)], {
        ...STRICT,
        ...WAITING,
      }),
      'a: b',
      'b: a',
    ],
    [
      'is admitted as a member of its groups by nobody else',
      account({
        groups: { as: 'a', bs: 'b', cs: 'c' },
        waiting: 'a',
        policies: [policy([rule('peer:b', 'peer:a')]), policy([rule('as', 'bs cs')])],
      }),
      'a: b',
      'b: a',
    ],
    [
      'is dropped as a member of its groups',
      pair([policy([rule('peer:a', 'bs')]), policy([rule('as', 'bs', DROP)])], WAITING),
      '',
      'b: a',
    ],
    [
      'is not known by a source that fails the checks',
      pair([policy([rule('as', 'peer:b')], CHECKED)], { ...STRICT, waiting: 'b' }),
      '',
      '',
    ],
    [
      'knows no other one',
      pair([policy([rule('peer:a', 'peer:b', BOTH)])], { waiting: 'a b' }),
      '',
      '',
    ],
  ])('%s', holds);
});
