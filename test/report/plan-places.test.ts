// Where files declare what a plan changes: in JSON always, on pages, and in the whole text.
import { expect, test } from 'vitest';
import { isObject } from '../../src/model/value.ts';
import { planSections } from '../../src/report/page/planSections.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { savedPlan } from '../../src/report/plan/savedPlan.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { startAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { plan } from '../support/reconcile.ts';

const FILE = `sets:
  offices: { hamburg: {}, bremen: {} }
groups:
  - { name: staff }
  - { name: "\${each.key}", for_each: offices }
`;

const saved = async () => {
  const account = await startAccount();
  try {
    return savedPlan(await plan(account, desiredOf(FILE)), KINDS, 0);
  } finally {
    await account.close();
  }
};

test('the whole text names the place of each object, and the entry of for_each; the short one does not', async () => {
  const { plan: made } = await saved();
  const whole = planText(made, KINDS, PLAIN, { detail: 'full' });
  expect(whole).toContain(`  # group.staff will be created
  # declared at network.yaml:4:5
  + group "staff"`);
  expect(whole).toContain(`  # group.hamburg will be created
  # declared at network.yaml:5:5 (for_each "hamburg")
`);
  expect(planText(made, KINDS, PLAIN)).not.toContain('declared at');
});

test('JSON has the places by address, and a page has them beside the fields', async () => {
  const { plan: made, document } = await saved();
  const { meshform } = document;
  expect(isObject(meshform) && meshform.origins).toMatchObject({
    'group.staff': { file: 'network.yaml', line: 4, column: 5 },
    'group.bremen': { line: 5, use: { places: [], instances: ['bremen'] } },
  });
  const sections = planSections({ plan: made, kinds: KINDS });
  expect(JSON.stringify(sections)).toContain('declared at network.yaml:5:5 (for_each ');
});
