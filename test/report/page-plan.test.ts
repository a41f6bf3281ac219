// The page of a plan says at its head what becomes of the plan, and shows the results of its gates line by line.
import { expect, test } from 'vitest';
import type { AccessGates } from '../../src/model/access/accessGates.ts';
import type { Span } from '../../src/model/diagnostic.ts';
import { element } from '../../src/report/graph/markup.ts';
import { planHead, planSections } from '../../src/report/page/planSections.ts';
import { planFor } from '../engine/planning.ts';
import { KINDS } from '../support/files.ts';

const AT: Span = { file: 'access-tests.yaml', line: 1, column: 3 };

const GATES: AccessGates = {
  tests: {
    tests: [],
    verdicts: [
      {
        name: 'staff stay out',
        at: AT,
        failures: [{ line: 'deny', selector: 'group/ops', at: AT, flows: [], misses: [] }],
        notes: [],
      },
    ],
  },
  findings: [
    {
      gate: 'guarded',
      what: 'gained',
      who: 'group/staff',
      where: 'group/ops',
      causes: [],
      code: 'WIDENS_GUARDED_ACCESS',
      target: 'group/ops',
    },
  ],
};

const plan = { ...planFor('groups: [{ name: staff }]', []), gates: GATES };

test('the head of the page says that a plan is refused, by what, and what an apply needs, with links to the parts', () => {
  const { markup } = element('div', {}, planHead(plan));
  expect(markup).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
  expect(markup).toContain(
    '<strong>Refused: 1 access test failed</strong> (<a href="#gates">Tests</a>)',
  );
  expect(markup).toContain(
    '1 hazard needs <code><span class="whole">--allow</span> WIDENS_GUARDED_ACCESS=<wbr>group/<wbr>ops</code> (<a href="#plan">Plan</a>)',
  );
});

test('the head names each flag that an apply needs, up to four', () => {
  const findings = ['ops', 'db', 'web', 'law', 'hr', 'it'].map(name => ({
    ...GATES.findings[0],
    target: `group/${name}`,
  }));
  const headOf = (count: number) => {
    const gates = { ...GATES, findings: findings.slice(0, count) } as AccessGates;
    return element('div', {}, planHead({ ...plan, gates })).markup;
  };
  const three = headOf(3);
  expect(three.match(/WIDENS_GUARDED_ACCESS/g)).toHaveLength(3);
  expect(three).toContain('3 hazards need ');
  expect(headOf(6).match(/WIDENS_GUARDED_ACCESS/g)).toHaveLength(4);
  expect(headOf(6)).toContain('</code> and 2 more flags (');
});

test('the head of a plan that is not refused has only its counts', () => {
  const { gates: _, ...free } = plan;
  expect(element('div', {}, planHead(free)).markup).not.toMatch(/Refused|needs|warning/);
});

test('the failed line of a test is on a separate line', () => {
  const gates = planSections({ plan, kinds: KINDS }).find(({ id }) => id === 'gates');
  const { markup } = element('div', {}, gates?.content);
  expect(markup).not.toContain(String.raw`\n`);
  expect(markup).toContain('<span class="line">FAIL  staff stay out</span>');
});
