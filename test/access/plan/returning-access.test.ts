// Access that a step of an apply takes and a later step gives back is a gap, for the page as for the text of the plan.
import { expect, test } from 'vitest';
import { comparison } from '../../../src/access/plan/comparison.ts';
import { planAccess } from '../../../src/access/plan/planAccess.ts';
import { accessSteps } from '../../../src/access/replay/accessSteps.ts';
import { orderedPlan } from '../../../src/access/replay/planOrder.ts';
import { accessPart } from '../../../src/report/access/planAccessText.ts';
import { element } from '../../../src/report/graph/markup.ts';
import { changeSection } from '../../../src/report/page/change.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { KINDS } from '../../support/files.ts';
import type { Account, Policy } from '../slow/account.ts';
import { accountOf, planBetween } from './wayOf.ts';

const peer = (id: string, at: number) => ({
  id,
  name: id,
  ip: `100.64.0.${at}`,
  approval_required: false,
  login_expired: false,
});

const policy = (name: string, source: string, ...ports: readonly string[]): Policy => ({
  id: name,
  name,
  enabled: true,
  source_posture_checks: [],
  rules: [
    {
      id: `${name} rule`,
      name,
      enabled: true,
      action: 'accept',
      protocol: 'tcp',
      bidirectional: false,
      ports,
      sources: [{ id: source }],
      destinations: [{ id: 'servers' }],
    },
  ],
});

const account = (...policies: readonly Policy[]): Account => ({
  peers: [peer('mia', 1), peer('tom', 2), peer('db', 3)],
  groups: [
    { id: 'gAll', name: 'All', peers: ['mia', 'tom', 'db'].map(id => ({ id })) },
    { id: 'dev', name: 'dev', peers: [{ id: 'mia' }, { id: 'tom' }] },
    { id: 'lead', name: 'lead', peers: [{ id: 'mia' }] },
    { id: 'servers', name: 'servers', peers: [{ id: 'db' }] },
  ],
  policies,
  posture_checks: [],
  routes: [],
  networks: [],
});

function applied(before: Account, after: Account) {
  const made = planBetween(before, after);
  if (made === undefined) throw new Error('a plan was expected');
  const input = accountOf(made);
  const { actions, access } = orderedPlan(input, made.rearrange);
  const changed = planAccess(made.plan, comparison(input));
  const plan = { ...made.plan, actions, access: { ...changed, ...access } };
  const steps = accessSteps(input, actions) ?? [];
  return { plan, steps };
}

function outputs(before: Account, after: Account) {
  const { plan, steps } = applied(before, after);
  const { content } = changeSection(plan, { kinds: KINDS, steps });
  const markup = element('div', {}, content).markup.replaceAll('<wbr>', '');
  const limit = { most: Number.POSITIVE_INFINITY };
  return {
    plan,
    steps,
    page: markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
    text: accessPart(plan, { kinds: KINDS, style: PLAIN, limit }),
  };
}

const SWAP = [
  account(policy('a', 'dev', '22'), policy('b', 'dev', '443')),
  account(policy('a', 'dev', '443'), policy('b', 'dev', '22')),
] as const;

test('access that a later step gives back is a gap until that step, and nobody loses it', () => {
  const { steps, page, text } = outputs(...SWAP);
  expect(steps.flatMap(({ changes }) => changes)).toMatchObject([
    { change: 'lost', ports_before: ['22', '443'], ports_after: ['443'], until_step: 2 },
  ]);
  expect(page).not.toContain('− lost');
  expect(page).toContain('! gap group/dev (2 and future members) → group/servers');
  expect(page).toContain('until step 2');
  expect(page).toContain('takes access from group/dev until step 2');
  // The sentence of the plan, word for word.
  const [, sentence = ''] = /! (between steps [\s\S]*?not\s+reachable)/.exec(text) ?? [];
  expect(sentence).not.toBe('');
  expect(page).toContain(sentence.replaceAll(/\s+/g, ' '));
});

test('a machine whose access is not restored loses it, beside the machines for which it is a gap', () => {
  const { steps } = outputs(
    account(policy('a', 'dev', '22'), policy('b', 'dev', '443')),
    account(policy('a', 'dev', '443'), policy('b', 'lead', '22')),
  );
  const first = steps[0]?.changes.map(({ change, from, until_step }) => [change, from, until_step]);
  expect(first).toEqual(
    expect.arrayContaining([
      ['lost', 'peer/tom', undefined],
      ['lost', expect.stringContaining('mia'), 2],
    ]),
  );
});

test('a step that removes more access than a later step restores is a loss of the rest, and a gap of the restored access', () => {
  const { steps, page } = outputs(
    account(policy('a', 'dev', '22', '23'), policy('b', 'dev', '443')),
    account(policy('a', 'dev', '443'), policy('b', 'dev', '22')),
  );
  const first = steps[0]?.changes.map(one => [one.change, one.ports_before, one.until_step]);
  expect(first).toEqual([
    ['lost', ['22', '443'], 2],
    ['lost', ['23', '443'], undefined],
  ]);
  expect(page).toContain('takes access from group/dev until step 2');
});

test('access that nobody has, because no machine routes, is not a gap for the page either', () => {
  const wiki = { id: 'r1', name: 'wiki', address: '10.0.0.5', enabled: true, groups: [] };
  const none = { id: 't1', peer_groups: ['relays'], metric: 1, masquerade: true, enabled: true };
  const routed = (...policies: readonly Policy[]): Account => {
    const { groups, ...rest } = account();
    const toWiki = policies.map(one => ({
      ...one,
      rules: one.rules.map(rule => ({
        ...rule,
        destinations: null,
        destinationResource: { id: 'r1', type: 'host' },
      })),
    })) as unknown as readonly Policy[];
    return {
      ...rest,
      policies: toWiki,
      groups: [...groups, { id: 'relays', name: 'relays', peers: [] }],
      networks: [{ id: 'n1', name: 'office', resources: [wiki], routers: [none] }],
    };
  };
  const { plan, steps, page } = outputs(
    routed(policy('a', 'dev', '22', '80'), policy('b', 'dev', '443')),
    routed(policy('a', 'dev', '443'), policy('b', 'dev', '22')),
  );
  expect(plan.access.steps).toEqual([]);
  expect(steps[0]?.changes).toMatchObject([{ ports_before: ['80', '443'], no_router: true }]);
  expect(page).not.toContain('until step');
});

test('access that is open only until a later step is an opening, not a gain', () => {
  const opened = account(policy('a', 'lead', '22'));
  const moved: Account = {
    ...account(policy('a', 'lead', '443')),
    groups: opened.groups.map(one =>
      one.id === 'lead' ? { ...one, peers: [{ id: 'tom' }] } : one,
    ),
  };
  const { steps, page } = outputs(opened, moved);
  const temporary = steps.flatMap(({ changes }) => changes.filter(one => one.until_step));
  expect(temporary.map(({ change }) => change)).toContain('gained');
  expect(page).toContain('! opening');
  expect(page).toContain('but not before or after the apply');
});
