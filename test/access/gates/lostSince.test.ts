// The losses that a plan did not show: each port that a source loses must have been shown as lost by it.
import { expect, test } from 'vitest';
import { lostSince } from '../../../src/access/gates/lostSince.ts';
import type { AccessChangeEntry } from '../../../src/model/access/planAccess.ts';

const loss = (
  before: readonly string[],
  after: readonly string[] = [],
  more: Partial<AccessChangeEntry> = {},
): AccessChangeEntry => ({
  change: 'lost',
  from: 'group/a',
  to: 'group/b',
  protocol: 'tcp',
  ports_before: before,
  ports_after: after,
  machines: ['peer/x'],
  members_to_come: ['group/a'],
  via: [],
  causes: [],
  ...more,
});
/** Many losses in one line: each pair loses some of these ports. */
const sum = (...ports: readonly number[]) =>
  loss([], [], {
    summed: { gained: [], lost: ports.map(port => ({ start: port, end: port })) },
  });
const OF_TWO = { from: 'peer/x, peer/y', machines: ['peer/x', 'peer/y'], members_to_come: [] };

test.each<[string, readonly AccessChangeEntry[], AccessChangeEntry, readonly string[]]>([
  ['the same', [loss(['22'])], loss(['22']), []],
  ['fewer ports', [loss(['20-30', '443'])], loss(['22', '25-30']), []],
  ['a part of all ports', [loss(['*'])], loss(['22']), []],
  ['what several lines show together', [loss(['22']), loss(['23'])], loss(['22-23']), []],
  ['nothing shown', [], loss(['22', '80-90']), ['group/a → group/b  tcp/22,80-90']],
  ['another port', [loss(['22'])], loss(['80']), ['group/a → group/b  tcp/80']],
  [
    'all ports but one',
    [loss(['22'])],
    loss(['*'], ['22']),
    ['group/a → group/b  tcp/0-21,23-65535'],
  ],
  [
    'another protocol',
    [loss(['22'])],
    loss(['22'], [], { protocol: 'udp' }),
    ['group/a → group/b  udp/22'],
  ],
  [
    'another destination',
    [loss(['22'], [], { to: 'group/c' })],
    loss(['22']),
    ['group/a → group/b  tcp/22'],
  ],
  [
    'a gain of the same',
    [loss([], ['22'], { change: 'gained' })],
    loss(['22']),
    ['group/a → group/b  tcp/22'],
  ],
  [
    'more machines of the same group',
    [loss(['22'])],
    loss(['22'], [], { machines: ['peer/x', 'peer/y'] }),
    [],
  ],
  [
    'a part of the machines',
    [loss(['22'], [], OF_TWO)],
    loss(['22'], [], { from: 'peer/x', machines: ['peer/x'], members_to_come: [] }),
    [],
  ],
  [
    'another machine',
    [loss(['22'], [], { machines: ['peer/z'], from: 'peer/z', members_to_come: [] })],
    loss(['22'], [], OF_TWO),
    ['peer/x, peer/y → group/b  tcp/22'],
  ],
  [
    'other conditions, after ports',
    [loss(['22'])],
    loss(['80'], ['80'], { change: 'changed', loses: true }),
    [],
  ],
  [
    'ports, after other conditions',
    [loss(['22'], ['22'], { change: 'changed', loses: true })],
    loss(['22']),
    ['group/a → group/b  tcp/22'],
  ],
  ['everything, summed up', [loss([], [], { protocol: 'all' })], loss(['22']), []],
  ['a port of a sum', [sum(22, 80)], loss(['80']), []],
  ['a port that a sum does not have', [sum(22)], loss(['80']), ['group/a → group/b  tcp/80']],
  ['a sum of the same ports', [sum(22, 80)], sum(22), []],
  ['a sum of more ports', [loss(['22'])], sum(22, 80), ['group/a → group/b  tcp/22,80']],
  ['a sum of other conditions only', [loss(['22'])], sum(), []],
  ['a sum of an earlier version', [loss([], [])], loss(['22']), ['group/a → group/b  tcp/22']],
])('%s', (_, shown, now, expected) => {
  expect(lostSince(shown, [now])).toEqual(expected);
});

test.each([
  ['had joined the group since', ['group/b'], []],
  ['was in the group, which loses nothing', [], ['group/a → peer/n  tcp/22']],
  ['had joined another group', ['group/c'], ['group/a → peer/n  tcp/22']],
])('a destination that %s', (_, groups, expected) => {
  const shown = loss(['22'], [], {
    to: 'machines that enrol with group/b',
    to_members_to_come: ['group/b'],
  });
  const now = loss(['22'], [], { to: 'peer/n', to_machines: ['n'] });
  expect(lostSince([shown], [now], name => (name === 'n' ? groups : []))).toEqual(expected);
});
