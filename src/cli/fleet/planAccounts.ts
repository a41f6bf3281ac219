// Plans the accounts of a fleet, several at a time. An account that cannot be planned costs only itself.
import { relative, resolve } from 'node:path';
import { newThrottle, type Throttle } from '../../api/transport/throttle.ts';
import { accessRefusal } from '../../apply/preconditions/gates.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FleetAccount } from '../../model/fleet.ts';
import type { Schemas } from '../../pipeline.ts';
import { type FileInFolder, folderOf, readOnce } from '../../read/files/upwards.ts';
import type { Credential } from '../../read/fleet/credentials.ts';
import { gatesForPeople } from '../../report/plan/forPeople.ts';
import { type SavedPlan, savedPlan } from '../../report/plan/savedPlan.ts';
import { PLAIN } from '../../report/text/style.ts';
import { computePlan } from '../apply/computing.ts';
import { errorText } from '../errorText.ts';
import { EXIT } from '../exitCodes.ts';
import { desiredOrStop } from '../files/desired.ts';
import type { AccountFlags, PlanFlags, SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { withSharedBases } from '../lock/sharedBases.ts';
import { projectBefore } from '../project.ts';
import { stopOf } from '../refusals/refusals.ts';
import { accountOf, asksAccount } from '../server/accountOf.ts';
import { Stop } from '../stop.ts';
import { accountIo, layersOf } from './accountIo.ts';
import { connectTo, type OpenFleet } from './fleetFiles.ts';

/** The flags of a plan of a fleet. */
export interface FleetPlanFlags extends SourceFlags, AccountFlags, PlanFlags {
  /** How many accounts are read at a time. */
  readonly atOnce: number;
}

/** The plan of one account, or what a run for it alone would have said. */
export type AccountPlan =
  | { readonly is: 'planned'; readonly account: FleetAccount; readonly saved: SavedPlan }
  | {
      readonly is: 'failed';
      readonly account: FleetAccount;
      readonly code: number;
      readonly text: string;
      readonly diagnostics: readonly Diagnostic[];
    };

/** What the runs of a fleet share. */
export interface FleetRun {
  readonly tools: Schemas;
  readonly fleet: OpenFleet;
  readonly projectFiles: FileInFolder;
  /** The throttle of each token. */
  readonly throttleOf: (credential: Credential) => Throttle;
}

/** The shared parts of the runs for the accounts of a fleet. */
export function fleetRun(
  tools: Schemas,
  fleet: OpenFleet,
  { rate, deadline }: Pick<AccountFlags, 'rate' | 'deadline'>,
  io: Io,
): FleetRun {
  const throttles = new Map<string, Throttle>();
  const requests = rate ?? fleet.fleet.rate?.requests;
  const until = deadline === undefined ? undefined : io.now() + deadline * 1000;
  return {
    tools,
    fleet,
    projectFiles: readOnce(io.readProjectFile),
    throttleOf: ({ url, token }) => {
      const key = `${url} ${token}`;
      const { now, random, sleep } = io;
      const interval = requests === undefined ? undefined : 60_000 / requests;
      const throttle = throttles.get(key) ?? newThrottle({ now, random, sleep, interval, until });
      throttles.set(key, throttle);
      return throttle;
    },
  };
}

/** The plans of these accounts, in their order. `onPlanned` is called after each. */
export async function planAccounts(
  run: FleetRun,
  accounts: readonly FleetAccount[],
  flags: FleetPlanFlags,
  io: Io,
  onPlanned?: (plan: AccountPlan) => void,
): Promise<readonly AccountPlan[]> {
  const plans = new Map<FleetAccount, AccountPlan>();
  const waiting = [...accounts];
  const work = async (): Promise<void> => {
    for (let account = waiting.shift(); account; account = waiting.shift()) {
      const plan = await planAccount(run, account, flags, io);
      plans.set(account, plan);
      onPlanned?.(plan);
    }
  };
  await Promise.all(Array.from({ length: flags.atOnce }, work));
  return accounts.flatMap(account => plans.get(account) ?? []);
}

/** A run for one account of a fleet. */
export interface OneAccount<F> {
  readonly own: Io;
  /** The last layer, as it is named from the working folder. */
  readonly path: string;
  readonly flags: F;
  readonly printed: { readonly stdout: () => string; readonly stderr: () => string };
}

/** Uses the effects and the flags of a run for one account; resolves to its failure if it ends with an error. */
export async function forAccount<F extends SourceFlags & AccountFlags, T>(
  run: FleetRun,
  account: FleetAccount,
  flags: F,
  io: Io,
  use: (one: OneAccount<F & ReturnType<typeof connectTo>>) => Promise<T>,
): Promise<T | Extract<AccountPlan, { is: 'failed' }>> {
  const diagnostics: Diagnostic[] = [];
  const { fleet, tools, projectFiles } = run;
  const credential = fleet.credentials.get(account.credentials);
  if (credential === undefined) throw new Stop(EXIT.invalid, 'an account has no credentials', null);
  const { file } = fleet;
  const paths = layersOf(file, account).map(path => relative(io.cwd, path) || '.');
  const path = paths.at(-1) ?? '.';
  const given = {
    ...flags,
    ...connectTo(credential, flags),
    ...(account.tenant !== undefined && { tenant: account.tenant }),
    throttle: run.throttleOf(credential),
    var: [...(flags.var ?? []), ...Object.entries(account.vars)],
    ...(paths.length > 1 && { layers: paths.slice(0, -1) }),
  };
  const base = { account, credential, file, projectFiles };
  const asking = accountIo({ ...base, id: undefined }, io);
  const made = { ...asking };
  try {
    const named = projectBefore(asking.own, folderOf(resolve(io.cwd, path))).account;
    const id = named ?? (await accountOf(tools.kinds, { flags: given, project: {} }, asking.own));
    Object.assign(made, accountIo({ ...base, id }, io));
    const onFindings = (found: readonly Diagnostic[]) => diagnostics.push(...found);
    const own = Object.assign(made.own, { onFindings });
    return await use({ own, path, flags: given, printed: made.printed });
  } catch (error) {
    const code = error instanceof Stop ? error.code : EXIT.failed;
    const text = `${made.printed.stderr()}${errorText(error, made.own, PLAIN)}`;
    return { is: 'failed', account, code, text, diagnostics };
  }
}

/** The plan of one account. */
export async function planAccount(
  run: FleetRun,
  account: FleetAccount,
  flags: FleetPlanFlags,
  io: Io,
): Promise<AccountPlan> {
  return forAccount(run, account, flags, io, ({ own, path, flags: given }) =>
    withSharedBases(path, given, own, async (shared, runs): Promise<AccountPlan> => {
      const { tools } = run;
      const accountBehind = asksAccount(tools.kinds, given, shared);
      const loading = { ...given, isSaved: true, isPlanned: true, accountBehind };
      const state = await desiredOrStop(tools, path, loading, shared);
      const plan = await computePlan(tools, { path, state, runs, isSaved: true }, given, shared);
      const refusal = accessRefusal(gatesForPeople(plan.gates, plan));
      if (refusal) throw stopOf(refusal, shared);
      return { is: 'planned', account, saved: savedPlan(plan, tools.kinds, io.now()) };
    }),
  );
}
