// Plans of many accounts, each with 60 objects, for tests of what is shown of them.

import type { RemoteId } from '../../../src/model/names.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { loadSchemas } from '../../../src/pipeline/schemas.ts';
import type { PlannedAccount } from '../../../src/report/fleet/planGroups.ts';
import { savedPlan } from '../../../src/report/plan/savedPlan.ts';
import { planFor } from '../../engine/planning.ts';

const OBJECTS = 60;

/** The plan of each account creates groups, one of which is called as `nameOf` says. */
export function savedPlanFrom(
  accounts: number,
  nameOf: (number: number) => string,
): readonly PlannedAccount[] {
  const tools = loadSchemas();
  const plans = new Map<string, Plan>();
  const planned: PlannedAccount[] = [];
  for (let n = 0; n < accounts; n++) {
    const name = nameOf(n);
    const plan = plans.get(name) ?? planFor(textOf(name), []);
    plans.set(name, plan);
    planned.push({
      account: {
        name: `t${n}.customer.example`,
        credentials: 'msp',
        layers: ['baseline'],
        sharedLayers: ['baseline'],
        absentLayers: [],
        hasNoFiles: true,
        labels: {},
        vars: {},
      },
      saved: savedPlan({ ...plan, account: `account ${n}` as RemoteId }, tools.kinds, n),
    });
  }
  return planned;
}

const textOf = (name: string): string =>
  `groups:\n${Array.from({ length: OBJECTS - 1 }, (_, i) => `  - name: g${i}\n`).join('')}  - name: ${name}\n`;
