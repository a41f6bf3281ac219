// Who approves a deletion reads what is lost, in every format; who approves an update reads the values.
import { describe, expect, test } from 'vitest';
import { render as comment } from '../../src/report/comment/planComment.ts';
import { planDocument } from '../../src/report/plan/planDocument.ts';
import { render as markdown } from '../../src/report/plan/planMarkdown.ts';
import { render as summary } from '../../src/report/plan/planSummary.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { group, planFor, policy } from '../engine/planning.ts';
import { KINDS } from '../support/files.ts';

const policyYaml = (name: string, sources: string, destinations: string) =>
  `{ name: ${name}, rules: [{ name: all, sources: [${sources}], destinations: [${destinations}], protocol: all }] }`;

const names = Array.from({ length: 30 }, (_, i) => `g${String(i).padStart(2, '0')}`);
const ids = names.map((_, i) => `id-${i}`);
const GROUPS = `groups: [${names.map(name => `{ name: ${name} }`).join(', ')}]`;
const plan = planFor(
  GROUPS,
  [...names.map((name, i) => group(`id-${i}`, name)), policy('p1', 'ssh', ids, ['id-0'])],
  { prune: 'removed', base: `${GROUPS}\npolicies: [${policyYaml('ssh', names.join(), 'g00')}]` },
);

const reportOf = (detail: 'screen' | 'full') => ({
  plan,
  kinds: KINDS,
  style: PLAIN,
  command: 'meshform plan --full',
  detail,
});

describe('a deletion shows every field of the object', () => {
  test('the text has long lists cut on a screen and complete with --full', () => {
    const screen = planText(plan, KINDS, PLAIN, { command: '' });
    expect(screen).toMatch(/- enabled += true/);
    expect(screen).toMatch(/- destinations += \["g00"\]/);
    expect(screen).toMatch(/- sources +=[^-]*… 10 more/);
    const full = planText(plan, KINDS, PLAIN, { detail: 'full', command: '' });
    for (const name of names) expect(full).toContain(`"${name}"`);
  });

  test.each([
    ['markdown', markdown(reportOf('screen'))],
    ['comment', comment(reportOf('screen'))],
    ['summary', summary(reportOf('screen'))],
  ])('the format %s has every field on one line', (_, text) => {
    const [, shown = ''] = text.split('policy.ssh');
    expect(shown.slice(0, 400).replaceAll(/\s+/g, ' ')).toMatch(/→ g00 all, any port/);
  });

  const checked = planFor(
    'groups: [{ name: a }]',
    [
      group('1', 'a'),
      ['posture_check', { id: 'c', name: 'recent', description: '', checks: {} }],
      policy('2', 'ssh', ['1'], ['1'], {
        description: 'for the night shift',
        source_posture_checks: ['c'],
        rules: [
          {
            id: '2-1',
            name: 'all',
            description: 'any port',
            enabled: true,
            action: 'accept',
            bidirectional: true,
            protocol: 'all',
            sources: ['1'],
            destinations: ['1'],
          },
        ],
      }),
    ],
    {
      prune: 'removed',
      base: `groups: [{ name: a }]\npolicies: [${policyYaml('ssh', 'a', 'a')}]`,
    },
  );

  test.each([
    ['markdown', markdown],
    ['comment', comment],
    ['summary', summary],
  ])('the format %s has the fields that its line does not use', (_, render) => {
    const text = render({ plan: checked, kinds: KINDS, style: PLAIN, command: '' });
    const seen = text.replaceAll(/<details>[\s\S]*?\n<\/details>/g, '').replaceAll(/\s+/g, ' ');
    const shown = seen.split('policy.ssh').slice(1).join().slice(0, 400);
    for (const value of ['"for the night shift"', '"any port"', '"recent"', 'bidirectional = true'])
      expect(shown).toContain(value);
  });

  test('the Markdown is complete to the last member with --full', () => {
    const cell = (text: string) => text.split('\n').find(line => line.includes('🗑️')) ?? '';
    expect(cell(markdown(reportOf('screen')))).toContain('10 more');
    for (const name of names) expect(cell(markdown(reportOf('full')))).toContain(name);
  });
});

test('a deleted object refers to objects by their names in the account, even if the plan renames them', () => {
  const renaming = planFor(
    'groups: [{ name: staff, lifecycle: { was: people } }]',
    [group('1', 'people'), policy('2', 'ssh', ['1'], ['1'])],
    {
      prune: 'removed',
      base: `groups: [{ name: people }]\npolicies: [${policyYaml('ssh', 'people', 'people')}]`,
    },
  );
  const document = planDocument(renaming, KINDS) as {
    resource_changes: { type: string; change: { before: unknown } }[];
  };
  const gone = document.resource_changes.find(({ type }) => type === 'policy');
  expect(gone?.change.before).toMatchObject({ rules: [{ sources: ['people'] }] });
  expect(planText(renaming, KINDS, PLAIN, { command: '' })).toMatch(/- sources += \["people"\]/);
});

test('Markdown shows the values of an update', () => {
  const changed = planFor(
    `groups: [{ name: a }]\npolicies: [${policyYaml('p', 'a', 'a').replace('{', '{ description: new, ')}]`,
    [group('1', 'a'), policy('2', 'p', ['1'], ['1'], { description: 'old' })],
  );
  const text = markdown({ plan: changed, kinds: KINDS, style: PLAIN, command: '' });
  expect(text.split('\n').find(line => line.includes('✏️'))).toMatch(/description.*old.*new/);
});
