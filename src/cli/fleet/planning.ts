// `fleet plan`: the plans of all accounts.
import { assignWaves } from '../../fleet/rollout/waves.ts';
import { quoted } from '../../model/text/visible.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { withRememberedAnswers } from '../../read/git/rememberedAnswers.ts';
import { codeOfAll } from '../../report/fleet/accountOutcomes.ts';
import { accessCounts, type FleetPlanReport } from '../../report/fleet/fleetPlan.ts';
import { fleetPlanComment } from '../../report/fleet/fleetPlanComment.ts';
import { fleetPlanJson } from '../../report/fleet/fleetPlanDocument.ts';
import { fleetPlanPage } from '../../report/fleet/fleetPlanPage.ts';
import { fleetPlanText } from '../../report/fleet/fleetPlanText.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { PLAIN } from '../../report/text/style.ts';
import { pageAssets } from '../access/pageOutput.ts';
import { styleFor } from '../colour.ts';
import { errorText } from '../errorText.ts';
import { EXIT } from '../exitCodes.ts';
import type { PlanFlags, SourceFlags } from '../flags/flags.ts';
import type { FleetServerFlags } from '../flags/fleetFlags.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';
import { eachAccount, type FleetRun, fleetRun, type Ran } from './eachAccount.ts';
import { fleetName, type OpenFleet, openFleet, serverOf } from './fleetFiles.ts';
import { planAccount } from './planAccounts.ts';
import { planFlagsOf } from './planFlags.ts';
import { refuseFolder, writePlans } from './savedPlans.ts';

/** The flags of `fleet plan`. */
export interface PlanFleetFlags extends SourceFlags, PlanFlags, FleetServerFlags {
  readonly account?: readonly string[];
  readonly atOnce: number;
  readonly format: 'text' | 'json' | 'comment' | 'html';
  readonly out?: string;
  readonly force?: boolean;
  readonly detailedExitcode?: boolean;
}

/** Plans every account; resolves to the exit code. */
export async function planFleet(path: string, flags: PlanFleetFlags, io: Io): Promise<number> {
  const tools = loadSchemas();
  const { out } = flags;
  if (out !== undefined) await refuseFolder(out, flags.force === true, io);
  const fleet = await openFleet(path, { kinds: tools.kinds, flags }, io);
  if (flags.account === undefined) refuseMatchless(fleet);
  const run = fleetRun({ tools, fleet }, flags, io);
  // All accounts are planned from one state of the repository.
  const plans = withoutDoubles(
    await withRememberedAnswers(() =>
      eachAccount(run, fleet.accounts, { flags, io }, planAccount(run)),
    ),
    fleet,
    io,
  );
  const digest = out === undefined ? undefined : await save(out, { fleet, plans, flags }, io);
  const report = {
    planned: plans.flatMap(({ account, value }) => (value ? { account, saved: value } : [])),
    unplanned: plans.flatMap(({ account, value, code, stderr }) =>
      value ? [] : { account, code, text: stderr },
    ),
    digest,
    rates: ratesOf(run, fleet),
    kinds: tools.kinds,
  };
  io.stdout.write(rendered(report, flags, io));
  const failed = plans.filter(({ value }) => value === undefined);
  if (failed.length > 0) return codeOfAll(failed);
  const hasChanges = plans.some(({ value }) => (value?.plan.changes.length ?? 0) > 0);
  return flags.detailedExitcode && hasChanges ? EXIT.changes : EXIT.done;
}

// Refuses two entries that lead to the same account by different tokens. Only the id of the account
// shows this. Each entry would undo what the other declares. The address is compared too, because a
// customer's server may return any id, even the id of an account at another server.
function withoutDoubles(
  plans: readonly Ran<SavedPlan>[],
  fleet: OpenFleet,
  io: Io,
): readonly Ran<SavedPlan>[] {
  const keyOf = ({ account, value }: Ran<SavedPlan>): string | undefined => {
    const id = value?.plan.account;
    return id === undefined ? undefined : `${serverOf(account, fleet)} ${id}`;
  };
  const byId = Map.groupBy(plans, keyOf);
  return plans.map(ran => {
    const { value, ...rest } = ran;
    const id = value?.plan.account;
    const others = id === undefined ? [] : (byId.get(keyOf(ran)) ?? []).filter(one => one !== ran);
    if (others.length === 0) return ran;
    const names = [ran, ...others].map(({ account }) => quoted(account.name)).join(' and ');
    const error = new Stop(
      EXIT.invalid,
      `${names} are the same account, ${quoted(`${id}`)}`,
      'keep one of these entries: an entry with the `tenant` and the credentials of a discovered account is merged with that account',
    );
    const { code, message } = error;
    return { ...rest, code, why: message, stderr: errorText(error, io, PLAIN) };
  });
}

// The request rates of the tokens. Rates in the files of accounts are known only after the accounts
// are planned.
function ratesOf({ rateOf }: FleetRun, { credentials }: OpenFleet): ReadonlyMap<string, number> {
  return new Map(
    [...credentials].flatMap(([name, credential]) => {
      const rate = rateOf(credential);
      return rate === undefined ? [] : [[name, rate] as const];
    }),
  );
}

// Refuses a wave that matches no account. Otherwise, a canary wave with a typing error would be
// skipped, and the rollout would begin with all accounts.
function refuseMatchless({ accounts, fleet, shown }: OpenFleet): void {
  const [wave] = assignWaves(accounts, fleet.waves).matchless;
  if (wave === undefined) return;
  throw new Stop(
    EXIT.invalid,
    `no account matches wave ${wave} of ${quoted(shown)}`,
    'correct its `match`, or remove the wave: `meshform fleet list` shows the labels of all accounts',
  );
}

function rendered(report: FleetPlanReport, { format }: PlanFleetFlags, io: Io): string {
  switch (format) {
    case 'json':
      return fleetPlanJson(report);
    case 'comment':
      return fleetPlanComment(report);
    case 'html':
      return fleetPlanPage(report, pageAssets());
    default:
      return fleetPlanText(report, styleFor(io.stdout, io));
  }
}

function save(
  folder: string,
  {
    fleet,
    plans,
    flags,
  }: {
    readonly fleet: OpenFleet;
    readonly plans: readonly Ran<SavedPlan>[];
    readonly flags: PlanFleetFlags;
  },
  io: Io,
): Promise<string> {
  const planned = plans.flatMap(({ account, value }) => (value ? [{ account, value }] : []));
  const { waves, stop } = fleet.fleet;
  const saved = {
    fleet: fleet.shown,
    name: fleetName(fleet),
    madeAt: new Date(io.now()).toISOString(),
    plans: planned.map(({ account, value: { plan, digest, contentDigest } }) => {
      const access = accessCounts(plan);
      const server = serverOf(account, fleet);
      return {
        account,
        id: plan.account ?? null,
        ...(server !== undefined && { server }),
        digest,
        contentDigest,
        ...(access && { access }),
      };
    }),
    unplanned: plans.flatMap(({ account, value }) => (value ? [] : [account.name])),
    flags: planFlagsOf(flags),
    waves,
    stop,
  };
  const texts = new Map(planned.map(({ account, value }) => [account.name, value]));
  return writePlans(folder, saved, texts, io);
}
