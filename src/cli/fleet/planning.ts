// `fleet plan`: the plans of all accounts.
import { type Schemas, loadSchemas } from '../../pipeline.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { fleetName, openFleet } from './fleetFiles.ts';
import { type FleetPlanFlags, fleetRun, planAccounts } from './planAccounts.ts';
import { refuseFolder, writePlans } from './savedPlans.ts';

/** The flags of `fleet plan`. */
export interface PlanFleetFlags extends Omit<FleetPlanFlags, 'atOnce'> {
  readonly account?: readonly string[];
  readonly atOnce: number;
  readonly format: 'text' | 'json' | 'comment' | 'html';
  readonly out?: string;
  readonly force?: boolean;
  readonly detailedExitcode?: boolean;
}

/** Plans every account; resolves to the exit code. */
export async function planFleet(path: string, flags: PlanFleetFlags, io: Io): Promise<number> {
  const tools: Schemas = loadSchemas();
  if (flags.out !== undefined) await refuseFolder(flags.out, flags.force === true, io);
  const { account: accounts, ...others } = flags;
  const found = { ...others, ...(accounts && { accounts }) };
  const fleet = await openFleet(path, { kinds: tools.kinds, flags: found }, io);
  const run = fleetRun(tools, fleet, flags, io);
  const plans = await planAccounts(run, fleet.accounts, flags, io);
  const planned = plans.filter(plan => plan.is === 'planned');
  let digest: string | undefined;
  if (flags.out !== undefined) {
    const { waves, stop } = fleet.fleet;
    const saved = {
      fleet: fleet.shown,
      name: fleetName(fleet),
      madeAt: new Date(io.now()).toISOString(),
      plans: planned.map(({ account, saved: { plan, digest: own, contentDigest } }) => ({
        account,
        id: plan.account ?? null,
        digest: own,
        contentDigest,
      })),
      unplanned: plans.flatMap(plan => (plan.is === 'failed' ? [plan.account.name] : [])),
      waves,
      stop,
    };
    const texts = new Map<string, SavedPlan>(planned.map(one => [one.account.name, one.saved]));
    digest = await writePlans(flags.out, saved, texts, io);
  }
  for (const one of plans)
    io.stdout.write(
      `${one.account.name} ${one.is} ${one.is === 'planned' ? one.saved.plan.changes.length : one.text}\n`,
    );
  if (digest !== undefined) io.stdout.write(`${digest}\n`);
  return plans.some(plan => plan.is === 'failed') ? EXIT.failed : EXIT.done;
}
