// The plans of a fleet as a page: each plan once, with the accounts that have it.
import { element } from '../graph/markup.ts';
import type { PageAssets } from '../page/document.ts';
import { shellText } from '../page/shell.ts';
import { names, table } from '../page/table.ts';
import { planText } from '../plan/planText.ts';
import { PLAIN } from '../text/style.ts';
import { counted, planLine } from '../text/summary.ts';
import type { FleetPlanReport } from './fleetPlan.ts';
import { groupsOfPlans } from './groups.ts';

/** The page as a file. It runs no script. */
export function fleetPlanPage(
  { planned, unplanned, digest, kinds }: FleetPlanReport,
  { style }: Pick<PageAssets, 'style'>,
): string {
  const groups = groupsOfPlans(planned);
  const rows = groups.map(({ first, accounts }, i) => ({
    cells: [
      element('a', { href: `#plan-${i + 1}` }, `Plan ${i + 1}`),
      String(accounts.length),
      planLine(first.saved.plan),
      names(accounts.slice(0, NAMED).map(({ name }) => name)),
    ],
  }));
  const sections = [
    {
      id: 'plans',
      title: 'Plans',
      content: table('Accounts by plan', ['Plan', 'Accounts', 'Changes', 'Such as'], rows),
    },
    ...groups.map(({ first, accounts }, i) => ({
      id: `plan-${i + 1}`,
      title: `Plan ${i + 1}: ${counted(accounts.length, 'account')}`,
      content: [
        element(
          'details',
          {},
          element('summary', {}, counted(accounts.length, 'account')),
          element('p', {}, names(accounts.map(({ name }) => name))),
        ),
        element('pre', {}, planText(first.saved.plan, kinds, PLAIN)),
      ],
    })),
    ...(unplanned.length === 0
      ? []
      : [
          {
            id: 'unplanned',
            title: 'Not planned',
            content: unplanned.map(({ account, code, text }) => [
              element('h3', {}, `${account.name} (${code})`),
              element('pre', {}, text),
            ]),
          },
        ]),
  ];
  const all = counted(planned.length + unplanned.length, 'account');
  const about = `${all}, ${counted(groups.length, 'different plan')}.`;
  const approved =
    digest !== undefined && element('p', {}, 'Digest of all plans: ', element('code', {}, digest));
  return shellText({
    title: 'Fleet plan',
    header: [element('p', {}, about), approved],
    sections,
    style,
  });
}

/** How many accounts of a plan are named before its list is opened. */
const NAMED = 6;
