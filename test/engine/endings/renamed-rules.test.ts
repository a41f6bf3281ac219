// A member that has ended in a rule is found in the account whatever somebody has called the rule since; a run never reports that
// nothing is left while the account still has it.
import { describe, expect, test } from 'vitest';
import { planned } from '../../../src/engine/plan/plan.ts';
import { findEndings } from '../../../src/engine/plan/planEndings.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { endedAt } from '../../../src/source/endings/endedAt.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { group, planInput, policy, type Read } from '../planning.ts';

const NOW = Date.parse('2026-12-02T12:00:00Z');
const ENDS = '{ name: temps, until: 2026-12-01 }';

const rule = (name: string, sources: string, port = 1) =>
  `{ name: ${name}, sources: [${sources}], destinations: [servers], protocol: tcp, ports: ["${port}"] }`;

const files = (...rules: readonly string[]) =>
  `groups: [{ name: staff }, { name: temps }, { name: servers }]\npolicies: [{ name: q, rules: [${rules.join(', ')}] }]\n`;

/** A live rule, as the API shows it. */
const there = (name: string, sources: readonly string[], port = 1): JsonObject => ({
  id: `id of ${name}`,
  name,
  description: '',
  enabled: true,
  action: 'accept',
  bidirectional: false,
  protocol: 'tcp',
  ports: [`${port}`],
  sources: [...sources],
  destinations: ['servers'],
});

const live = (id: string, name: string, ...rules: readonly JsonObject[]): Read =>
  policy(id, name, [], [], { rules });

interface Case {
  readonly files: string;
  readonly live: readonly Read[];
  /** The ids in the base; there is no base if it is absent. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly dialect?: 'spec' | 'netbird';
  /** The objects that applies created, by their journals, newest first: kind, name, id, and the whole object of a part. */
  readonly made?: readonly (readonly [kind: string, key: string, id: string, partOf?: string])[];
  /** More groups of the account. */
  readonly groups?: readonly Read[];
}

/** The ends that the account has, and the plan that carries them out. */
function ends({ files: text, live: policies, ids, dialect = 'spec', made = [], ...more }: Case) {
  const base = desiredOf(text);
  const { desired, endings } = endedAt(base, KINDS, NOW);
  const groups = ['staff', 'temps', 'servers'].map(name => group(name, name));
  const created = made.map(([kind, key, id, partOf = key]) => ({
    kind,
    key,
    id,
    partOf,
    run: 'r',
    hasEnd: false,
  }));
  const recordedIds = Object.entries(ids ?? {});
  const input = {
    ...planInput(desired, [...groups, ...(more.groups ?? []), ...policies], {
      dialect,
      recordedIds: ids ?? {},
    }),
    made: created as never,
    ...(ids && {
      base,
      recorded: { objects: base, commits: [], hasBase: true },
      meant: new Map(recordedIds) as never,
    }),
  };
  const settings = { endings, now: NOW, skew: 0, isOnlyReported: false, isEndsOnly: true };
  const found = findEndings(input, settings);
  const { plan } = planned(found.input);
  return {
    overdue: found.endings.overdue.map(({ kind, key, member }) => [kind, key, member]),
    held: found.diagnostics.filter(({ code }) => code === 'END_HELD').map(one => one.message),
    changes: plan.changes.map(({ type, id }) => [type, id]),
  };
}

const OVERDUE = [['policy', 'q', 'temps']];
const TWO = files(rule('keep', 'staff', 80), rule('go', ENDS, 81));

describe.each([{ 'policy.q': 'q' }, undefined])('with the ids %j in the base', ids => {
  const spec = { ...(ids && { ids }) };

  test('an expired source is removed from a renamed rule', () => {
    const text = files(rule('web', `staff, ${ENDS}`));
    const account = [live('q', 'q', there('web2', ['staff', 'temps']))];
    const wanted = { overdue: OVERDUE, held: [], changes: [['update', 'q']] };
    for (const dialect of ['spec', 'netbird'] as const)
      expect(ends({ files: text, live: account, dialect, ...spec })).toEqual(wanted);
  });

  test('the source stays with a warning if somebody removed the lasting source from its rule', () => {
    const text = files(rule('web', `staff, ${ENDS}`));
    const account = [live('q', 'q', there('web', ['temps']))];
    for (const dialect of ['spec', 'netbird'] as const) {
      const { overdue, held, changes } = ends({ files: text, live: account, dialect, ...spec });
      expect({ overdue, changes }).toEqual({ overdue: OVERDUE, changes: [] });
      expect(held).toEqual([expect.stringContaining('the files declare others')]);
    }
  });

  test('one of two rules is removed at its expiry although it was renamed', () => {
    const account = [live('q', 'q', there('keep', ['staff'], 80), there('gogo', ['temps'], 81))];
    expect(ends({ files: TWO, live: account, ...spec })).toEqual({
      overdue: OVERDUE,
      held: [],
      changes: [['update', 'q']],
    });
  });

  test.each([
    ['exchanged names', there('go', ['staff'], 80), there('keep', ['temps'], 81)],
    ['both have other names', there('a', ['staff'], 80), there('b', ['temps'], 81)],
    ['name the source in another rule', there('keep', ['staff', 'temps'], 80), there('go', [], 81)],
  ])('the source stays with a warning if rules %s', (_, ...rules) => {
    const { overdue, held, changes } = ends({
      files: TWO,
      live: [live('q', 'q', ...rules)],
      ...spec,
    });
    expect({ overdue, changes }).toEqual({ overdue: OVERDUE, changes: [] });
    expect(held).toEqual([expect.stringContaining('group.temps has ended in policy.q and stays')]);
  });

  test('nothing remains once the rule no longer exists', () => {
    const account = [live('q', 'q', there('keep', ['staff'], 80))];
    const none = { overdue: [], held: [], changes: [] };
    expect(ends({ files: TWO, live: account, ...spec })).toEqual(none);
  });

  test('a rule that declares the source without an expiry keeps it', () => {
    const text = files(rule('keep', 'temps', 80), rule('go', ENDS, 81));
    const account = [live('q', 'q', there('keep', ['temps'], 80))];
    expect(ends({ files: text, live: account, ...spec })).toEqual({
      overdue: [],
      held: [],
      changes: [],
    });
  });
});

test.each([
  [
    'one of two parts',
    files(rule('keep', 'staff', 80), rule('go', 'temps', 81)),
    ['q / go', 'gogo'],
  ],
  ['the only part', files(rule('go', 'temps', 81)), ['q', 'gogo']],
] as const)(
  '%s of an expired policy whose rule has another name is held without a base and a journal',
  (_, declared, [name, renamed]) => {
    const text = declared.replace('name: q,', 'name: q, lifecycle: { until: 2026-12-01 },');
    const keep = live('keep', 'q / keep', there('keep', ['staff'], 80));
    const go = live('go', name, there(renamed, ['temps'], 81));
    const found = ends({ files: text, live: [keep, go], dialect: 'netbird' });
    expect(found.overdue).toEqual([['policy', 'q', undefined]]);
    expect(found.held).toEqual([expect.stringMatching(/^policy.* has ended,? and/)]);
    expect(found.changes).toEqual(name === 'q' ? [] : [['delete', 'keep']]);
  },
);

test('a policy and its rule, both renamed, are removed at their expiry by the id in the base', () => {
  const text = files(rule('web', `staff, ${ENDS}`));
  const account = [live('q', 'other', there('web2', ['staff', 'temps']))];
  expect(ends({ files: text, live: account, ids: { 'policy.q': 'q' } })).toEqual({
    overdue: OVERDUE,
    held: [],
    changes: [['update', 'q']],
  });
});

const PARTS = [
  live('keep', 'q / keep', there('keep', ['staff'], 80)),
  live('go', 'q / go', there('gogo', ['temps'], 81)),
];

test('the policy that a server keeps for a rule is removed at its expiry although the rule was renamed', () => {
  const ids = { 'policy["q / go"]': 'go', 'policy["q / keep"]': 'keep' };
  expect(ends({ files: TWO, live: PARTS, dialect: 'netbird', ids })).toEqual({
    overdue: OVERDUE,
    held: [],
    changes: [['delete', 'go']],
  });
});

test('the policy stays with a warning without a base', () => {
  const { overdue, held, changes } = ends({ files: TWO, live: PARTS, dialect: 'netbird' });
  expect({ overdue, changes }).toEqual({ overdue: OVERDUE, changes: [] });
  expect(held).toEqual([expect.stringContaining('group.temps has ended in policy.q and stays')]);
});

describe('without a base, the journal of the apply that created it', () => {
  test.each(['spec', 'netbird'] as const)('identifies a renamed policy: %s', dialect => {
    const text = files(rule('web', `staff, ${ENDS}`));
    const account = [live('q', 'other', there('web2', ['staff', 'temps']))];
    const of = { files: text, live: account, dialect, made: [['policy', 'q', 'q']] } as const;
    const { overdue, held, changes } = ends(of);
    expect({ overdue, changes }).toEqual({ overdue: OVERDUE, changes: [] });
    expect(held).toEqual([expect.stringContaining('policy.other has it in `rules/web2/sources`')]);
  });

  test('identifies a renamed group', () => {
    const text = 'groups: [{ name: m, peers: [{ name: ada, until: 2026-12-01 }] }]\n';
    const renamed = group('m', 'mx', { peers: [{ id: 'ada', name: 'ada' }] });
    const ada: Read = ['peer', { id: 'ada', name: 'ada' }];
    const { overdue, held } = ends({
      files: text,
      live: [],
      groups: [ada, renamed],
      made: [['group', 'm', 'm']],
    });
    expect(overdue).toEqual([['group', 'm', 'ada']]);
    expect(held).toEqual([expect.stringContaining('group.mx has it in `peers`')]);
  });

  test('says nothing once the member no longer exists', () => {
    const account = [live('q', 'other', there('web2', ['staff']))];
    const text = files(rule('web', `staff, ${ENDS}`));
    const found = ends({ files: text, live: account, made: [['policy', 'q', 'q']] });
    expect(found).toEqual({ overdue: [], held: [], changes: [] });
  });
});

describe('if a rule with an expiry and a rule without one have the same source and exchanged their names', () => {
  const text = files(rule('go', ENDS, 81), rule('keep', 'temps', 80));
  const parts = [
    live('1', 'q / keep', there('keep', ['temps'], 81)),
    live('2', 'q / go', there('go', ['temps'], 80)),
  ];

  test('the rule with the id in the base is removed', () => {
    const ids = { 'policy["q / go"]': '1', 'policy["q / keep"]': '2' };
    const found = ends({ files: text, live: parts, dialect: 'netbird', ids });
    expect(found).toEqual({
      overdue: OVERDUE,
      held: [],
      changes: [['delete', '1']],
    });
  });

  test.each([
    ['spec', { 'policy.q': 'q' }],
    ['spec', undefined],
    ['netbird', undefined],
  ] as const)('nothing expires by name alone: %s, ids %j', (dialect, ids) => {
    const rules = [there('go', ['temps'], 80), there('keep', ['temps'], 81)];
    const account = dialect === 'spec' ? [live('q', 'q', ...rules)] : parts;
    const found = ends({ files: text, live: account, dialect, ...(ids && { ids }) });
    expect({ overdue: found.overdue, changes: found.changes }).toEqual({
      overdue: OVERDUE,
      changes: [],
    });
    expect(found.held).toEqual([expect.stringContaining('group.temps has ended in policy.q')]);
  });

  test('nothing is removed by its name alone if a journal has the ids', () => {
    const made = [
      ['policy', 'q / go', '1'],
      ['policy', 'q / keep', '2'],
    ] as const;
    const found = ends({ files: text, live: parts, dialect: 'netbird', made });
    expect(found.changes.filter(([, id]) => id === '2')).toEqual([]);
    expect(found.overdue).toEqual(OVERDUE);
  });
});

describe.each(['spec', 'netbird'] as const)('without a base, dialect %s', dialect => {
  const text = files(rule('go', `staff, ${ENDS}`, 81), rule('keep', 'staff', 80));
  const changed = (ports: readonly string[]) => {
    const go: JsonObject = { ...there('go', ['staff', 'temps']), ports: [...ports] };
    const rules = [go, there('keep', ['staff'], 80)];
    const account =
      dialect === 'spec'
        ? [live('go', 'q', ...rules)]
        : rules.map(one => live(String(one.name), `q / ${one.name}`, one));
    return ends({ files: text, live: account, dialect });
  };

  test('an expired source is removed from a rule to which somebody added ports', () => {
    expect(changed(['81', '443'])).toEqual({
      overdue: OVERDUE,
      held: [],
      changes: [['update', 'go']],
    });
  });

  test('the source of a rule that has none of the declared ports stays with a warning', () => {
    expect(changed(['443'])).toEqual({
      overdue: OVERDUE,
      held: [
        expect.stringContaining('in `rules/go/sources`, whose other fields are not as declared'),
      ],
      changes: [],
    });
  });
});

test.each(['spec', 'netbird'] as const)(
  'two rules whose sources expire together expire without a warning: %s',
  dialect => {
    const text = files(rule('w', `staff, ${ENDS}`, 5), rule('x', ENDS, 6));
    const rules = [there('w', ['staff', 'temps'], 5), there('x', ['temps'], 6)];
    const account =
      dialect === 'spec'
        ? [live('q', 'q', ...rules)]
        : rules.map(one => live(String(one.id), `q / ${one.name}`, one));
    const { overdue, held, changes } = ends({ files: text, live: account, dialect });
    expect({ held, changes }).toEqual({
      held: [],
      changes:
        dialect === 'spec'
          ? [['update', 'q']]
          : [
              ['update', 'id of w'],
              ['delete', 'id of x'],
            ],
    });
    expect(overdue).toHaveLength(2);
  },
);

describe('an expired policy that no longer exists', () => {
  const ended = (...rules: readonly string[]) =>
    files(...rules).replace('name: q,', 'name: q, lifecycle: { until: 2026-12-01 },');
  const made = [
    ['policy', 'q', 'new'],
    ['policy', 'q', 'old'],
  ] as const;
  const ids = { 'policy.q': 'new', 'policy.mine': 'old' };
  const account = [live('old', 'mine', there('go', ['temps'], 81))];
  const taken = (lifecycle: string) => {
    const go = rule('go', 'temps', 81);
    const text = `${ended(go)}  - { name: mine, ${lifecycle}rules: [${go}] }\n`;
    return ends({
      files: text.replace('policies: [', 'policies:\n  - ').replace('}] }]\n', '}] }\n'),
      live: account,
      ids,
      made,
    });
  };

  test('is not looked for in an object that the files have taken over by its id', () => {
    expect(taken('lifecycle: { id: old }, ')).toEqual({ overdue: [], held: [], changes: [] });
  });

  test('may be an object that another declaration only names', () => {
    const { overdue, held } = taken('');
    expect(overdue).toEqual([['policy', 'q', undefined]]);
    expect(held).toEqual([expect.stringContaining('policy.mine, which the files declare too')]);
  });

  test('is reported by its part that has another name, while its other part expires', () => {
    const text = ended(rule('keep', 'staff', 80), rule('go', 'temps', 81));
    const found = ends({
      files: text,
      live: [
        live('1', 'q / keep', there('keep', ['staff'], 80)),
        live('2', 'q / gogo', there('gogo', ['temps'], 81)),
      ],
      dialect: 'netbird',
      made: [
        ['policy', 'q / keep', '1', 'q'],
        ['policy', 'q / go', '2', 'q'],
      ],
    });
    expect(found).toEqual({
      overdue: [['policy', 'q', undefined]],
      held: [expect.stringContaining('policy["q / gogo"]')],
      changes: [['delete', '1']],
    });
  });

  test('is reported once for all of its parts', () => {
    const text = ended(rule('keep', 'staff', 80), rule('go', 'temps', 81));
    const found = ends({
      files: text,
      live: [live('2', 'q / gogo', there('gogo', ['temps'], 81))],
      dialect: 'netbird',
      made: [
        ['policy', 'q / keep', '1', 'q'],
        ['policy', 'q / go', '2', 'q'],
      ],
    });
    expect(found).toEqual({
      overdue: [['policy', 'q', undefined]],
      held: [expect.stringContaining('policy["q / gogo"]')],
      changes: [],
    });
  });
});
