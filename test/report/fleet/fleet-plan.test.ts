// Plans of a fleet as people read them: the first screen says how many groups there are, names stay text, and a comment fits its size.
import { describe, expect, test } from 'vitest';
import { pageAssets } from '../../../src/cli/access/pageOutput.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { bytesOf } from '../../../src/report/comment/budget.ts';
import type { FleetPlanReport } from '../../../src/report/fleet/fleetPlan.ts';
import { fleetPlanComment } from '../../../src/report/fleet/fleetPlanComment.ts';
import { fleetPlanJson } from '../../../src/report/fleet/fleetPlanDocument.ts';
import { fleetPlanPage } from '../../../src/report/fleet/fleetPlanPage.ts';
import { fleetPlanText } from '../../../src/report/fleet/fleetPlanText.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { planFor } from '../../engine/planning.ts';
import { faultsOf, markdownSkeleton } from '../../hostile/verdict.ts';
import { expectDescribed } from '../../support/described.ts';
import { KINDS } from '../../support/files.ts';
import { hostileText } from '../../support/hostile.ts';
import { elementsIn } from '../../support/page/html.ts';
import { fc } from '../../support/seeded.ts';
import { accountOf, plannedOf } from './planned.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** A plan with that many objects, and one that only this plan has. */
const planOf = (objects: number, own = ''): Plan => {
  const groups = numbers(objects - (own === '' ? 0 : 1)).map(i => `{ name: group-${i} }`);
  return planFor(
    `groups: [${[...groups, ...(own === '' ? [] : [`{ name: "${own}" }`])].join(', ')}]`,
    [],
  );
};

type Failed = FleetPlanReport['unplanned'][number];

function reportOf(
  plans: ReadonlyMap<string, Plan>,
  unplanned: readonly Failed[] = [],
  more: Partial<FleetPlanReport> = {},
): FleetPlanReport {
  const planned = [...plans].map(([name, plan]) => plannedOf(accountOf(name), plan));
  return { planned, unplanned, rates: new Map(), kinds: KINDS, ...more };
}

const textOf = (report: FleetPlanReport): string => fleetPlanText(report, PLAIN);

const ALIKE = planOf(3);
const name = (i: number) => `customer-${String(i).padStart(3, '0')}`;
const fleet = new Map(
  numbers(500).map(i => [name(i), i % 41 === 7 ? planOf(3, `odd-${i}`) : ALIKE]),
);

describe('with 500 accounts, of which 13 differ', () => {
  const text = textOf(
    reportOf(fleet, [], { digest: 'sha256:abc', rates: new Map([['msp', 120]]) }),
  );
  const lines = text.split('\n');

  test('the first screen says so, with the accounts of the common plan on two lines', () => {
    expect(lines[0]).toBe('500 accounts: 487 with one plan, 13 with other plans in 13 groups');
    expect(lines[1]).toBe(
      '  Plan: 3 to add, 0 to change, 0 to destroy.  customer-000, customer-001, customer-002 and 484 more',
    );
    expect(lines[2]).toBe('  Plan: 3 to add, 0 to change, 0 to destroy.  customer-007');
    const at = lines.indexOf('487 accounts with this plan:');
    expect(lines[at + 1]).toMatch(/^ {2}customer-000, customer-001, /);
    expect(lines[at + 2]).toMatch(/, … \+\d{3}$/);
    expect(lines.slice(at, at + 3).every(line => line.length <= PLAIN.width)).toBe(true);
    expect(lines.slice(0, 30).join('\n')).toContain('# group.group-0 will be created');
  });

  test('each plan is shown once, unusual plans after the common plan', () => {
    expect(text.match(/# group\.group-0 will be created/g)).toHaveLength(14);
    expect(text.match(/^1 account with another plan:$/gm)).toHaveLength(13);
    expect(text).toContain(
      'The applies of all accounts take 2000 requests, at least 17 min with 120 requests a minute.',
    );
    expect(
      text.endsWith(
        'Digest of all plans: sha256:abc\n500 accounts: 487 with one plan, 13 with other plans in 13 groups\n',
      ),
    ).toBe(true);
  });

  test('its comment has each group, and fits', () => {
    const comment = fleetPlanComment(reportOf(fleet));
    expect(bytesOf(comment)).toBeLessThan(60_000);
    expect(comment).toContain(
      '**500 accounts: 487 with one plan, 13 with other plans in 13 groups**',
    );
    for (const i of numbers(13)) expect(comment).toContain(name(7 + 41 * i));
    expect(JSON.parse(/meshform (\{.*\}) -->/.exec(comment)?.[1] ?? '')).toEqual({
      report: 'fleet-plan',
      accounts: 500,
      changes: 500,
      groups: 14,
      unplanned: 0,
      hazards: [],
    });
  });

  test('its document has each plan once, and each account', () => {
    const text = fleetPlanJson(reportOf(fleet, [failedOf('zeta', 'no token')]));
    const document = JSON.parse(text);
    expectDescribed(text, 'fleet-plan.schema.json');
    expect(document.groups.map(({ accounts }: { accounts: string[] }) => accounts.length)).toEqual([
      487,
      ...numbers(13).map(() => 1),
    ]);
    expect(document.accounts).toHaveLength(500);
    expect(document.unplanned).toEqual([{ account: 'zeta', code: 5, messages: 'no token' }]);
  });
});

const failedOf = (account: string, text: string): Failed => ({
  account: accountOf(account),
  code: 5,
  text,
});

test('a comment of 500 groups with 60 objects each fits, and says where the rest is', () => {
  const base = planOf(60);
  const noted = (i: number): Plan => ({
    ...base,
    changes: base.changes.map((change, at) =>
      at === 0 ? { ...change, notes: [`odd ${i}`] } : change,
    ),
  });
  const plans = new Map(numbers(500).map(i => [name(i), noted(i)]));
  const comment = fleetPlanComment(
    reportOf(
      plans,
      numbers(300).map(i => failedOf(`failed-${i}`, `why ${i} ${'x'.repeat(90)}`)),
    ),
  );
  expect(bytesOf(comment)).toBeLessThan(60_000);
  expect(comment).toMatch(/> \d+ more plans are too long for this comment: download the plans/);
  expect(comment.match(/The whole plan/g)?.length).toBeGreaterThan(2);
});

test('plans beyond the first are a line each, unless everything is requested', () => {
  const plans = new Map(numbers(25).map(i => [name(i), planOf(2, `odd-${i}`)]));
  const command = 'meshform fleet plan --full';
  const text = textOf(reportOf(plans, [], { command }));
  expect(text).toContain(
    '5 more plans:\n  Plan: 2 to add, 0 to change, 0 to destroy.  customer-020\n',
  );
  expect(text).toContain(`Not everything is shown. To see all of it: ${command}`);
  expect(textOf(reportOf(plans, [], { command, detail: 'full' }))).not.toContain('more plan');
  expect(textOf(reportOf(plans, [], { detail: 'summary' }))).not.toContain('will be created');
});

test('accounts without a plan for the same reason are grouped, with the output of a run for one', () => {
  const failed = ['b', 'a'].map(account => failedOf(account, 'error: the token is refused\n'));
  const text = textOf(reportOf(new Map(), [...failed, failedOf('c', 'error: no route')]));
  expect(text).toContain(
    '3 accounts could not be planned:\n  a, b\n      Exit code 5.\n      error: the token is refused\n  c\n',
  );
});

test('objects that the accounts of a group leave alone are not listed if they differ', () => {
  const leave = (key: string): Plan => ({
    ...ALIKE,
    leftAlone: [
      { address: `group.${key}`, kind: 'group', key, id: key, reason: 'unmanaged' },
    ] as unknown as Plan['leftAlone'],
  });
  const text = (other: string) =>
    textOf(
      reportOf(
        new Map([
          ['acme', leave('x')],
          ['beta', leave(other)],
        ]),
      ),
    );
  expect(text('y')).not.toContain('Left alone');
  expect(text('y')).toContain('The undeclared objects of these accounts differ');
  expect(text('x')).toContain('Left alone');
});

const assets = pageAssets();

test('the page has the lines of each plan, and no script', () => {
  const page = fleetPlanPage(reportOf(fleet, [failedOf('zeta', 'error: no\nhint: yes')]), assets);
  const elements = elementsIn(page);
  const lines = elements.filter(({ attributes }) => attributes.class === 'line');
  const texts = lines.map(({ text }) => text);
  expect(texts.filter(text => text === '  # group.group-0 will be created')).toHaveLength(14);
  expect(texts).toContain('hint: yes');
  expect(elements.filter(({ tag }) => tag === 'script')).toEqual([]);
});

test('account names do not change the structure of a report', () => {
  const forms = (names: readonly string[]) => {
    const plans = new Map(
      names.slice(0, 3).map((one, i) => [one, i === 0 ? planOf(2, 'odd') : ALIKE]),
    );
    const failed = names.slice(3).map(one => failedOf(one, 'error: no'));
    const report = reportOf(plans, failed);
    return {
      text: textOf(report),
      comment: fleetPlanComment(report),
      json: fleetPlanJson(report),
      page: fleetPlanPage(report, assets),
    };
  };
  const known = forms(['anna', 'bert', 'carl', 'dora']);
  const plain = markdownSkeleton(known.comment);
  // A long name may break after its marks.
  const tagsOf = (page: string) =>
    elementsIn(page).flatMap(({ tag }) => (tag === 'wbr' ? [] : tag));
  const tags = tagsOf(known.page);
  fc.assert(
    fc.property(fc.uniqueArray(hostileText, { minLength: 4, maxLength: 4 }), names => {
      const { text, comment, json, page } = forms(names);
      for (const output of [text, comment, json, page]) expect(faultsOf(output)).toEqual([]);
      expect(tagsOf(page)).toEqual(tags);
      expect(markdownSkeleton(comment).filter(line => line !== '')).toHaveLength(
        plain.filter(line => line !== '').length,
      );
    }),
    { numRuns: 60 },
  );
});
