// `fleet apply`: carries out the saved plans of a fleet, wave after wave, or goes on with a rollout.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { PlaceChoice } from '../../apply/secrets/places.ts';
import { newLedger } from '../../fleet/rollout/newLedger.ts';
import { assignWaves } from '../../fleet/rollout/waves.ts';
import type { SavedFleet } from '../../fleet/savedFleet.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { Ledger } from '../../model/rollout.ts';
import type { JsonObject } from '../../model/value.ts';
import { loadSchemas } from '../../pipeline.ts';
import { applySaved } from '../apply/applySaved.ts';
import { resumeJournal } from '../apply/resuming.ts';
import { EXIT } from '../exitCodes.ts';
import type { AccountFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';
import { eachAccount, type FleetRun, fleetRun, forAccount } from './eachAccount.ts';
import { type OpenFleet, openFleet } from './fleetFiles.ts';
import { planAccount } from './planAccounts.ts';
import { planFlagsAfter, planFlagsIn } from './planFlags.ts';
import type { AccountWork } from './rollingOut.ts';
import { planFileIn, readPlans } from './savedPlans.ts';

/** The flags of `fleet apply`. */
export interface ApplyFleetFlags extends AccountFlags {
  readonly digest?: string;
  readonly yes?: boolean;
  readonly atOnce: number;
  readonly continue?: boolean;
  readonly accept?: readonly string[];
  readonly allow?: readonly Allowance[];
  readonly recordBase?: boolean;
  readonly secretsTo?: PlaceChoice;
  readonly wait?: number;
  readonly onError: 'continue' | 'stop';
}

/** The work of a rollout on the accounts of this machine. */
export function accountWork(
  run: FleetRun & { readonly fleet: OpenFleet },
  {
    folder,
    planFlags,
    flags,
  }: {
    /** The folder with the saved plans, if this machine has it. */
    readonly folder: string | undefined;
    /** How the plans were made. */
    readonly planFlags: JsonObject;
    readonly flags: ApplyFleetFlags;
  },
  io: Io,
): AccountWork {
  const { tools, fleet } = run;
  const byName = new Map(fleet.accounts.map(account => [account.name, account]));
  const made = { ...flags, ...planFlagsIn(planFlags) };
  const recordBase = made.recordBase === true || flags.recordBase === true;
  const allow = [...(planFlagsIn(planFlags).allow ?? []), ...(flags.allow ?? [])];
  const applying = {
    ...made,
    allow,
    recordBase,
    yes: true,
    format: 'text',
    extent: {},
    lock: 'git',
  } as const;
  return {
    accountOf: name => byName.get(name),
    planOf: async (name, digest) => {
      if (folder === undefined) return null;
      const text = await readFile(planFileIn(folder, name), 'utf8').catch(() => null);
      return text?.includes(digest) ? text : null;
    },
    plan: account => forAccount(run, account, made, io, planAccount(run)),
    look: account => {
      const after = { ...flags, ...planFlagsAfter(planFlags) };
      return forAccount(run, account, after, io, planAccount(run));
    },
    apply: (account, { text, digest }) =>
      forAccount(run, account, applying, io, ({ own, flags: given }) =>
        applySaved(tools, { text, isPiped: false, file: account.name }, { ...given, digest }, own),
      ),
    resume: (account, digest) =>
      forAccount(run, account, applying, io, ({ own, path, flags: given }) =>
        resumeJournal(tools, { resume: true, path }, { ...given, digest }, own),
      ),
  };
}
