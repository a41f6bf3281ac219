// `fleet compare`: shows how the desired states of two accounts differ, and what accounts declare
// in addition to their shared layers.
import { existingLayers, type FleetAccount } from '../../model/fleet.ts';
import type { Desired } from '../../model/object.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { accountFolders } from '../../read/fleet/accountFolders.ts';
import { codeOfAll } from '../../report/fleet/accountOutcomes.ts';
import { comparisonOf, isSame } from '../../report/fleet/comparison.ts';
import {
  baselineJson,
  baselineText,
  comparisonJson,
  comparisonText,
} from '../../report/fleet/comparisonText.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { desiredOrStop } from '../files/desired.ts';
import type { SourceFlags } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { eachAccount, type FleetRun, fleetRun } from './eachAccount.ts';
import { accountsOf, chosen, fleetOrStop } from './fleetFiles.ts';

/** The flags of `fleet compare`. */
export interface CompareFlags extends SourceFlags {
  readonly baseline?: boolean;
  readonly fleet: string;
  readonly atOnce: number;
  readonly format: 'text' | 'json';
}

/** Compares the desired states; resolves to the exit code, 2 if there are differences. */
export async function compareFleet(
  names: readonly string[],
  flags: CompareFlags,
  io: Io,
): Promise<number> {
  const tools = loadSchemas();
  const file = fleetOrStop(flags.fleet, io);
  const all = accountsOf(file, accountFolders(file, tools.kinds), io);
  const run = fleetRun({ tools, fleet: file }, flags, io);
  if (flags.baseline)
    return compareBaselines(
      run,
      names.length > 0 ? chosen(all, { account: names }) : all,
      flags,
      io,
    );
  const [here, there, ...more] = names;
  if (here === undefined || there === undefined || more.length > 0)
    throw new Stop(
      EXIT.usage,
      'two accounts are compared',
      'name two of them, such as `meshform fleet compare acme blue`, or add --baseline',
    );
  const two = [here, there].map(name => accountCalled(name, all));
  const { states, code } = await desiredOf(run, two, flags, io);
  if (code !== EXIT.done) throw faultyFiles(code);
  const [one, other] = states;
  const comparison = comparisonOf(one ?? [], other ?? [], tools.kinds);
  const compared = { here, there, comparison };
  io.stdout.write(
    flags.format === 'json'
      ? comparisonJson(compared, tools.kinds)
      : comparisonText(compared, tools.kinds, styleFor(io.stdout, io)),
  );
  return isSame(comparison) ? EXIT.done : EXIT.changes;
}

// The account with exactly this name. Patterns are not allowed, because a pattern may match several
// accounts.
function accountCalled(name: string, all: readonly FleetAccount[]): FleetAccount {
  const found = all.find(account => account.name === name);
  if (found) return found;
  const known = all.map(account => account.name);
  const hint = didYouMean(name, known) ?? '`meshform fleet list` shows all of them';
  throw new Stop(EXIT.usage, `the fleet has no account ${quoted(name)}`, hint);
}

async function compareBaselines(
  run: FleetRun,
  accounts: readonly FleetAccount[],
  flags: CompareFlags,
  io: Io,
): Promise<number> {
  const { kinds } = run.tools;
  if (accounts.length === 0)
    say(
      io.stderr,
      'note: accounts that are discovered through a token are compared only if they have a folder, and none of them has one',
    );
  const baselines = await desiredOf(run, accounts.map(sharedOf), flags, io);
  const readable = accounts.flatMap((account, i) => {
    const baseline = baselines.states[i];
    return baseline ? { account, baseline } : [];
  });
  const own = await desiredOf(
    run,
    readable.map(({ account }) => account),
    flags,
    io,
  );
  // The faults of one account do not hide other accounts.
  const compared = readable.flatMap(({ account: { name }, baseline }, i) => {
    const state = own.states[i];
    return state ? { name, comparison: comparisonOf(baseline, state, kinds) } : [];
  });
  io.stdout.write(
    flags.format === 'json'
      ? baselineJson(compared, kinds)
      : baselineText(compared, kinds, styleFor(io.stdout, io)),
  );
  const code = codeOfAll([baselines, own]);
  if (code !== EXIT.done) throw faultyFiles(code);
  return compared.every(({ comparison }) => isSame(comparison)) ? EXIT.done : EXIT.changes;
}

const faultyFiles = (code: number): Stop => new Stop(code, 'the files have faults', null);

const sharedOf = (account: FleetAccount): FleetAccount => ({
  ...account,
  layers: account.sharedLayers,
  absentLayers: [],
});

/** The desired states of accounts, and the exit code if some accounts have none. */
interface DesiredStates {
  /** In the order of the accounts; undefined if the files have faults, which are printed. */
  readonly states: readonly (readonly Desired[] | undefined)[];
  readonly code: number;
}

// An account without any layer declares nothing.
async function desiredOf(
  run: FleetRun,
  accounts: readonly FleetAccount[],
  flags: CompareFlags,
  io: Io,
): Promise<DesiredStates> {
  const found = await eachAccount(
    run,
    accounts,
    { flags, io },
    async ({ own, path, flags: given }, account) => {
      if (existingLayers(account).length === 0) return [];
      const loading = { ...given, format: 'text', isOnlyCompared: true };
      return (await desiredOrStop(run.tools, path, loading, own)).desired;
    },
  );
  const failed = found.filter(({ value }) => value === undefined);
  for (const { account, stderr } of failed) {
    say(io.stderr, `${account.name}:`);
    for (const line of stderr.trimEnd().split('\n')) say(io.stderr, `  ${line}`);
  }
  return { states: found.map(({ value }) => value), code: codeOfAll(failed) };
}
