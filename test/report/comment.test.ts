// Comments for forges: within their size whatever a plan holds, deletions and gained access in sight, names harmless.
import { describe, expect, test } from 'vitest';
import type { AccessChangeEntry, PlanAccess } from '../../src/model/access/planAccess.ts';
import type { ShownChange } from '../../src/model/change.ts';
import { addressOf, keyOf } from '../../src/model/key.ts';
import { kindName } from '../../src/model/names.ts';
import type { Plan } from '../../src/model/plan.ts';
import { bytesOf, clipped, listWithin, textWithin } from '../../src/report/comment/budget.ts';
import { render } from '../../src/report/comment/planComment.ts';
import { runComment } from '../../src/report/comment/runComment.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { faultsOf, markdownSkeleton } from '../hostile/verdict.ts';
import { KINDS } from '../support/files.ts';
import { hostileText } from '../support/hostile.ts';
import { fc } from '../support/seeded.ts';

const EMPTY: Plan = {
  dialect: 'spec',
  folder: '.',
  changes: [],
  actions: [],
  leftAlone: [],
  pins: [],
  diagnostics: [],
  requests: { made: 0, planned: 0 },
  declared: 0,
};
const planComment = (plan: Plan): string => render({ plan, kinds: KINDS, style: PLAIN });
const GROUP = kindName('group');

const changeOf = (type: ShownChange['type'], name: string): ShownChange => ({
  type,
  kind: GROUP,
  key: keyOf([name]),
  address: addressOf(GROUP, keyOf([name])),
  fields: [],
  notes: [],
});

const gained = (from: string): AccessChangeEntry => ({
  change: 'gained',
  from,
  to: 'peer/db',
  protocol: 'tcp',
  ports_before: [],
  causes: [],
  ports_after: ['22'],
  machines: ['mia'],
  members_to_come: [],
  via: [],
});

test('a comment shows, unfolded, why a change has no effect on access', () => {
  const reason = 'drop policy "dr", rule "dr" blocks it';
  const access = {
    ...accessOf([]),
    status: 'unchanged' as const,
    no_effect: [{ changes: ['policy.ssh'], reason }],
  };
  const [shown = ''] = planComment({ ...EMPTY, changes: [changeOf('create', 'x')], access }).split(
    '<details>',
  );
  expect(shown).toContain('policy.ssh has no effect: drop policy "dr", rule "dr" blocks it');
});

const accessOf = (changes: readonly AccessChangeEntry[]): PlanAccess => ({
  status: 'changed',
  machines: 1,
  pairs: { gained: 1, lost: 0 },
  without_effect: 0,
  unread: [],
  changes,
  gains: [],
  steps: [],
});

/** An entry of each direction, all of them from `group/dev`. */
const entry = (more: Partial<AccessChangeEntry>): AccessChangeEntry => ({
  ...gained('group/dev'),
  ...more,
});

const many = (count: number, name: (i: number) => string, type: ShownChange['type'] = 'delete') =>
  Array.from({ length: count }, (_, i) => changeOf(type, name(i)));

const factsOf = (comment: string) =>
  JSON.parse(/^<!-- meshform (\{.*\}) -->\n/.exec(comment)?.[1] ?? 'null');

/** What is in sight: without what is folded away. */
const inSight = (comment: string) => comment.replaceAll(/<details>[\s\S]*?\n<\/details>/g, '');

describe('a plan of 1,000 changes', () => {
  const changes = [
    ...many(400, i => `gone-with-a-name-that-is-rather-long-and-ends-in-${i}`),
    ...many(600, i => `new-${i}`, 'create'),
  ];

  test('is under 60 kB, with every deletion visible', () => {
    const comment = planComment({ ...EMPTY, changes });
    expect(bytesOf(comment)).toBeLessThan(60_000);
    expect(comment.length).toBeLessThan(65_000);
    const seen = inSight(comment);
    for (let i = 0; i < 400; i += 1)
      expect(seen).toContain(`- group.gone-with-a-name-that-is-rather-long-and-ends-in-${i}\n`);
    expect(seen).toContain('**Plan: 600 to add, 0 to change, 400 to destroy.**');
    expect(seen).toContain('**Deleted: 400**');
    expect(seen).not.toContain('group.new-1');
    expect(comment).toContain('<details><summary>All changes: 1000</summary>');
  });

  test('a plan of only deletions with long names shows every one, cut', () => {
    const long = many(1_000, i => `${i} ${'日本'.repeat(80)}`);
    const access = accessOf(Array.from({ length: 300 }, (_, i) => gained(`group/${i}`)));
    const comment = planComment({ ...EMPTY, changes: long, access });
    expect(bytesOf(comment)).toBeLessThan(60_000);
    const seen = inSight(comment);
    for (let i = 0; i < 1_000; i += 1) expect(seen).toContain(`\n- group["${i} 日`);
    for (let i = 0; i < 300; i += 1) expect(seen).toContain(`\n+ group/${i} (1) → peer/db`);
  });
});

test('the number of entries that do not fit is shown', () => {
  const comment = planComment({ ...EMPTY, changes: many(9_000, i => `name ${i} of many`) });
  expect(bytesOf(comment)).toBeLessThan(60_000);
  expect(inSight(comment)).toContain('**Deleted: 9000**');
  expect(inSight(comment)).toMatch(/# … and \d+ more/);
});

describe('the visible part of a comment', () => {
  const planOf = (change: AccessChangeEntry, changes: readonly ShownChange[] = []): Plan => ({
    ...EMPTY,
    changes,
    access: accessOf([change]),
  });

  test('shows who loses what', () => {
    const comment = planComment(
      planOf(entry({ change: 'lost', ports_before: ['22'], ports_after: [] })),
    );
    expect(inSight(comment)).toContain('**Access lost: 1**');
    expect(inSight(comment)).toContain('\n- group/dev (1) → peer/db tcp/22\n');
    expect(factsOf(comment)).toMatchObject({ access_gained: 0, access_lost: 1 });
  });

  test('shows changed access that gains nothing among the losses', () => {
    const taken = entry({
      change: 'changed',
      loses: true,
      only_if_passed: true,
      ports_before: ['22'],
      ports_after: [],
    });
    const comment = planComment(planOf(taken));
    expect(factsOf(comment)).toMatchObject({ access_gained: 0, access_lost: 1 });
    expect(inSight(comment).split('**Access lost: 1**')[1]).toContain('! group/dev (1) → peer/db');
  });

  test('does not call a new object a grant if its access grants nothing', () => {
    const drop = { ...changeOf('create', 'drop'), kind: kindName('policy'), after: {} };
    const taken = entry({ change: 'changed', loses: true, causes: [drop.address] });
    expect(inSight(planComment(planOf(taken, [drop])))).not.toContain('New access and rights');
    const given = entry({ change: 'changed', gains: true, causes: [drop.address] });
    expect(inSight(planComment(planOf(given, [drop])))).toContain('**New access and rights: 1**');
  });

  test('shows every right', () => {
    const right = { object: 'user.mia', right: 'role', message: 'role admin (was user)' } as const;
    const access = { ...accessOf([]), status: 'unchanged', rights: [right] } as const;
    expect(inSight(planComment({ ...EMPTY, access }))).toContain(
      '\n+ user.mia: role admin (was user)\n',
    );
  });
});

test('the first line has the numbers, for programs', () => {
  const changes = [changeOf('create', 'a'), changeOf('delete', 'b')];
  const access = accessOf([gained('group/a')]);
  expect(factsOf(planComment({ ...EMPTY, changes, access }))).toEqual({
    report: 'plan',
    changes: 2,
    add: 1,
    change: 0,
    destroy: 1,
    hazards: [],
    access_gained: 1,
    access_lost: 0,
  });
});

test('an outcome shows failures first', () => {
  const changes = many(1_000, i => `group ${i}`);
  const fault = { code: 'API_INVALID', message: 'the server said `no` <b>' } as const;
  const outcomes = [{ action: 'create group.a', address: 'group.a', status: 'failed', fault }];
  const result = { outcomes, requests: 1, written: 0 } as unknown as Parameters<
    typeof runComment
  >[0]['result'];
  const plan = { ...EMPTY, changes, actions: [{ verb: 'create', hazards: [] }] } as unknown as Plan;
  const comment = runComment({
    plan,
    digest: 'sha256:12',
    result,
    kinds: KINDS,
    isAlreadyApplied: false,
  });
  expect(bytesOf(comment)).toBeLessThan(60_000);
  expect(inSight(comment)).toContain(
    '**Apply incomplete: 0 done, 1 failed, 0 skipped, 0 unknown.**',
  );
  expect(inSight(comment)).toContain('Error: create group.a: the server said `no` <b>');
  expect(factsOf(comment)).toMatchObject({ report: 'apply', complete: false });
});

describe('names with Markdown, HTML and commands', () => {
  test('do not change the structure of a comment', () => {
    const plain = (count: number) =>
      planComment({
        ...EMPTY,
        changes: [...many(count, i => `n${i}`), changeOf('create', 'c')],
        access: accessOf([gained('group/a')]),
      });
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 5 }), names => {
        const changes = [...names.map(name => changeOf('delete', name)), changeOf('create', 'c')];
        const access = accessOf([gained(names[0] ?? '')]);
        const comment = planComment({ ...EMPTY, changes, access });
        expect(faultsOf(comment)).toEqual([]);
        expect(markdownSkeleton(comment)).toEqual(markdownSkeleton(plain(names.length)));
        expect(factsOf(comment)).toEqual(factsOf(plain(names.length)));
      }),
      { numRuns: 100 },
    );
  });

  test('do not exceed the size, whatever they consist of', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 400 }), (name, count) => {
        const list = listWithin(
          Array.from({ length: count }, (_, i) => `- ${i} ${name}${'`'.repeat(count)}`),
          20_000,
        );
        expect(bytesOf(list)).toBeLessThanOrEqual(20_000);
        expect(list).toContain('- 0 ');
        const text = textWithin(`${name}\n${'a`b\n'.repeat(count * 3)}`, 5_000, 'elsewhere');
        expect(bytesOf(text)).toBeLessThanOrEqual(5_000);
        expect(bytesOf(clipped(name.toWellFormed(), 20))).toBeLessThanOrEqual(20);
      }),
      { numRuns: 10 },
    );
  });
});
