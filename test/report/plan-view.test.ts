// What a plan shows whole, on a line, or folded, and in which order: nothing that matters is folded or cut.
import { describe, expect, test } from 'vitest';
import type { ShownChange } from '../../src/model/change.ts';
import { addressOf, keyOf } from '../../src/model/key.ts';
import { kindName } from '../../src/model/names.ts';
import type { Plan } from '../../src/model/plan.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { group, planFor, policy } from '../engine/planning.ts';
import { KINDS } from '../support/files.ts';

const WIDE = { ...PLAIN, width: Number.POSITIVE_INFINITY };
const COMMAND = 'meshform plan --full';
const text = (plan: Plan, detail?: 'full' | 'summary') =>
  planText(plan, KINDS, WIDE, { detail, command: COMMAND });
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const name = (i: number) => `g${String(i).padStart(3, '0')}`;
const groups = (count: number) => numbers(count).map(i => `{ name: ${name(i)} }`);

/** A plan that creates these groups. */
const groupsPlan = (entries: readonly string[]) => planFor(`groups: [${entries.join(', ')}]`, []);
const policyYaml = (title: string, rule: string) =>
  `{ name: "${title}", rules: [{ name: r, ${rule} }] }`;

/** A plan with these creates, which no engine has seen. */
function createsPlan(changes: readonly Partial<ShownChange>[]): Plan {
  const empty = planFor([], []);
  const made = changes.map((change, i): ShownChange => {
    const kind = change.kind ?? kindName('group');
    const key = keyOf([name(i)]);
    const base = { kind, key, address: addressOf(kind, key), type: 'create' as const };
    return { ...base, fields: [], notes: [], ...change };
  });
  return { ...empty, changes: made };
}

test('changes, replacements and deletions come first and in full, creates after them', () => {
  const before = [group('1', 'a'), group('2', 'b'), policy('4', 'p', ['1'], ['1'])];
  const files = `
groups: [{ name: a }, { name: new }]
policies: [${policyYaml('p', 'sources: [a], destinations: [new], protocol: all')}]`;
  const shown = text(planFor(files, before, { prune: 'unmanaged' }));
  const titles = shown.match(/^(?:To \w+|Left alone|Hazards)$/gm);
  expect(titles).toEqual(['To change', 'To delete', 'To create', 'Hazards']);
  expect(shown.match(/^ {2}# .*$/gm)).toEqual([
    '  # policy.p will be updated in-place',
    '  # group.b will be destroyed',
    '  # group.new will be created',
  ]);
});

describe('creates of a kind that grants nothing', () => {
  test('are one line with their number and names', () => {
    const shown = text(groupsPlan(groups(41)));
    const names = numbers(20).map(name).join(', ');
    expect(shown).toContain(`\n  + 41 groups: ${names}, … 21 more\n`);
    expect(shown).not.toContain('will be created');
    expect(shown).toContain(`\nNot everything is shown. To see all of it: ${COMMAND}\n`);
  });

  test('are shown in full if there are few', () => {
    const shown = text(groupsPlan(groups(3)));
    expect(shown.match(/will be created/g)).toHaveLength(3);
    expect(shown).not.toContain(COMMAND);
  });

  test('show the number of members', () => {
    const entries = ['{ name: admins, peers: [x, y] }', ...groups(5)];
    const reads = ['x', 'y'].map(id => ['peer', { id, name: id }] as const);
    const shown = text(planFor(`groups: [${entries.join(', ')}]`, reads));
    expect(shown).toContain('+ 6 groups: admins (2 peers), g000, ');
  });

  test('are all shown with --full, and a line each with --summary', () => {
    const plan = groupsPlan(groups(41));
    expect(text(plan, 'full').match(/will be created/g)).toHaveLength(41);
    expect(text(plan, 'full')).not.toMatch(/more|--full/);
    expect(text(plan, 'summary').match(/^ {2}\+ group\.g\d+$/gm)).toHaveLength(41);
  });

  const plain = numbers(10).map(() => ({}));
  const at = { file: 'a.yaml', line: 7, column: 3 };
  test.each<[string, Partial<ShownChange>]>([
    ['a note', { notes: ['the server may change it'] }],
    ['a repair of what somebody deleted', { since: 'drift' }],
    ['a secret', { after: { name: 'x', token: { $secret: '${env:X}' } } as never }],
    [
      'a web address of which the host is shown',
      { after: { url: { $secret: 'u', $host: 'h' } } as never },
    ],
  ])('are shown in full with %s', (_, change) => {
    const shown = text(
      createsPlan([
        ...plain,
        { ...change, key: keyOf(['odd']), address: addressOf(kindName('group'), keyOf(['odd'])) },
      ]),
    );
    expect(shown).toContain('# group.odd will be created');
    expect(shown).toContain('+ 10 groups: ');
  });

  test('are shown in full with a hazard or a finding', () => {
    const made = createsPlan([...plain, {}, { at }, {}]);
    const [risky, found, spoken] = made.changes.slice(10).map(({ address }) => address);
    const hazard = { code: 'REVEALS_SECRET' as const, message: 'm', allowed: false };
    const plan = {
      ...made,
      actions: [{ address: risky, hazards: [hazard] }] as never,
      diagnostics: [
        {
          code: 'X' as never,
          severity: 'warning' as const,
          message: 'odd',
          at: { ...at, line: 9 },
        },
        { code: 'X' as never, severity: 'warning' as const, message: '`group/g012` is odd' },
      ],
    };
    const shown = planText({ ...plan, actions: plan.actions }, KINDS, WIDE, {});
    for (const address of [risky, found, spoken])
      expect(shown).toContain(`# ${address} will be created`);
    expect(shown).toContain('+ 10 groups: ');
  });
});

describe('creates of a kind that grants access', () => {
  const opened = (count: number) =>
    planFor(
      `groups: [{ name: a }, { name: b }]\npolicies: [${numbers(count)
        .map(i =>
          policyYaml(
            name(i),
            'sources: [a], destinations: [b], protocol: tcp, ports: ["22", "8000", "8001"]',
          ),
        )
        .join(', ')}]`,
      [group('1', 'a'), group('2', 'b')],
    );

  test('are shown in full up to twenty', () => {
    expect(text(opened(20)).match(/# policy\.\w+ will be created/g)).toHaveLength(20);
  });

  test('have a line each above twenty: who, what, protocol and ports', () => {
    const shown = text(opened(21));
    expect(shown).not.toContain('will be created');
    expect(shown).toContain('\n  21 policies:\n');
    expect(shown.match(/^ {2}\+ g0\d\d: a → b {2}tcp 22, 8000-8001$/gm)).toHaveLength(21);
    expect(shown).toContain(COMMAND);
  });

  test('are never folded, whatever the kind', () => {
    const creatable = [...KINDS.values()].filter(kind => kind.verbs.has('create'));
    const folded = creatable.filter(kind => {
      const plan = createsPlan(numbers(500).map(() => ({ kind: kind.name, after: {} })));
      return text(plan).split('\n').length < 500;
    });
    expect(folded.map(({ name: kind }) => kind)).toEqual(['group', 'network', 'posture_check']);
  });
});

describe('the sentence that not everything is shown', () => {
  const SENTENCE = 'Not everything is shown';

  test('is printed if a list is cut, and not because of a name that reads like a cut', () => {
    const ports = numbers(30).map(i => `"${2 * i + 1}"`);
    const open = (list: readonly string[], title: string) =>
      planFor(
        `groups: [{ name: a }]\npolicies: [${policyYaml(title, `sources: [a], destinations: [a], protocol: tcp, ports: [${list.join(', ')}]`)}]`,
        [],
      );
    expect(text(open(ports, 'p'))).toContain(SENTENCE);
    expect(text(open(ports, 'p'), 'full')).not.toContain(SENTENCE);
    expect(text(open(ports.slice(0, 5), 'p … 3 more'))).not.toContain(SENTENCE);
  });

  test('is not printed because adjacent ports are shown as a range', () => {
    const ports = numbers(30).map(i => `"${8000 + i}"`);
    const rule = `sources: [a], destinations: [a], protocol: tcp, ports: [${ports.join(', ')}]`;
    const plan = planFor(`groups: [{ name: a }]\npolicies: [${policyYaml('p', rule)}]`, []);
    expect(text(plan)).toContain('8000-8029');
    expect(text(plan)).not.toContain(SENTENCE);
  });

  test('is printed if undeclared objects are cut', () => {
    const reads = numbers(7).map(i => group(String(i), name(i)));
    expect(text(planFor('groups: [{ name: own }]', reads))).toContain(SENTENCE);
    expect(text(planFor('groups: [{ name: own }]', reads.slice(0, 5)))).not.toContain(SENTENCE);
  });
});

test('the fields of a line are fields of its kind', () => {
  const lines = [...KINDS.values()].flatMap(kind => {
    const { above: _, ...roles } = kind.line ?? {};
    return Object.values(roles)
      .flat()
      .map(one => ({ kind, path: typeof one === 'string' ? one : one.field }));
  });
  const lost = lines.filter(({ kind, path }) => {
    const [first = '', inner] = path.split('.');
    const shape = kind.shape.fields.get(first)?.shape;
    if (inner === undefined) return shape === undefined;
    const items = shape?.type === 'list' ? shape.items : undefined;
    return items?.type !== 'object' || !items.fields.has(inner);
  });
  expect(lines.length).toBeGreaterThan(20);
  expect(lost.map(({ kind, path }) => `${kind.name}: ${path}`)).toEqual([]);
});

describe('objects that are left alone', () => {
  const account = numbers(138).map(i => group(`id${i}`, name(i)));

  test('are shown as a count and five names', () => {
    const shown = text(planFor('groups: [{ name: a }]', account));
    expect(shown).toContain(
      '  138 groups not declared: g000, g001, g002, g003, g004, … 133 more\n',
    );
  });

  test('are all named with --full, and counted with --summary', () => {
    const plan = planFor('groups: [{ name: a }]', account);
    expect(text(plan, 'full')).toContain('g136, g137\n');
    expect(text(plan, 'summary')).toContain('  138 groups not declared\n');
  });
});
