// Accounts of a fleet, and their plans, for tests of reports.
import type { FleetAccount } from '../../../src/model/fleet.ts';
import type { Plan } from '../../../src/model/plan.ts';
import type { PlannedAccount } from '../../../src/report/fleet/planGroups.ts';

/** An account of a fleet. */
export const accountOf = (name: string, more: Partial<FleetAccount> = {}): FleetAccount => ({
  name,
  credentials: 'msp',
  layers: ['baseline'],
  sharedLayers: [],
  absentLayers: [],
  hasNoFiles: true,
  labels: {},
  vars: {},
  ...more,
});

/** An account with a plan, whose document nobody reads. */
export const plannedOf = (account: FleetAccount, plan: Plan): PlannedAccount => ({
  account,
  saved: { plan, document: {}, digest: `sha256:${account.name}`, contentDigest: 'sha256:content' },
});
