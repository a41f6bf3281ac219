// Converts the flags of `apply` to the options of an apply: accepted hazards, secrets, confirmation, progress, interrupts.
import type { UsedTraffic } from '../../access/gates/usedFindings.ts';
import type { TransportOptions } from '../../api/transport/transport.ts';
import type { AccountLock, OuterLock } from '../../apply/lock/accountLock.ts';
import { isRefusal, type Refusal } from '../../apply/refusal.ts';
import type { Applied, ApplyRequest, ApplySecrets } from '../../apply/request.ts';
import { openFingerprints } from '../../apply/secrets/fingerprintsOfRun.ts';
import { secretPlace } from '../../apply/secrets/places.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { LockRecord } from '../../model/lockRecord.ts';
import type { Extent } from '../../report/plan/planReport.ts';
import type { LockChoice } from '../../source/project/project.ts';
import { EXIT } from '../exitCodes.ts';
import type { DestroyFlag } from '../files/destroying.ts';
import type { AccountFlags, PlanFlags, SourceFlags } from '../flags/flags.ts';
import { objectFlags } from '../flags/objectFlags.ts';
import { control, type Io } from '../io.ts';
import { stopOf } from '../refusals/refusals.ts';
import { secretSources } from '../secrets/sources.ts';
import { reportResult } from './applyResult.ts';
import { confirmation } from './confirming.ts';
import { hostOf } from './notes.ts';
import { type RunFormat, type Watching, watching } from './runObservers.ts';

/** The options of an apply besides its plan. */
export interface ApplyFlags extends SourceFlags, AccountFlags, PlanFlags, DestroyFlag {
  readonly format: RunFormat;
  /** How much of the plan is shown before the apply. */
  readonly extent: Extent;
  readonly yes?: boolean;
  readonly autoApprove?: boolean;
  readonly onError: 'continue' | 'stop';
  readonly recordBase?: boolean;
  /** Whether the apply only removes what has expired. */
  readonly onlyEnds?: boolean;
  readonly anyServer?: boolean;
  /** An address that led to this server before. The credentials of a fleet contain it. */
  readonly formerUrl?: string;
  /** The digest of the plan that was approved. */
  readonly digest?: string;
  /** The path of the journal. */
  readonly journal?: string;
  /** Whether the lock is in the Git remote or in a file. */
  readonly lock?: LockChoice;
  /** How long to wait for a lock in the Git remote, in milliseconds. */
  readonly wait?: number;
  /** An outer lock that the run holds in addition to the lock. */
  readonly outerLock?: OuterLock;
  /** The flows that were in use. */
  readonly used?: UsedTraffic;
}

/** The command that starts an apply, and the data that it has read before the plan is computed. */
export interface Asking {
  readonly kinds: KindTable;
  readonly connection: TransportOptions;
  readonly flags: ApplyFlags;
  readonly io: Io;
  /** The lock that all machines share. */
  readonly accountLock?: AccountLock | undefined;
  /**
   * Returns lines about what would expire according to the files while a person holds the lock of
   * the account.
   */
  readonly heldEnds: (hold: LockRecord) => readonly string[] | Promise<readonly string[]>;
  /** Whether the plan is printed before its preconditions are checked. */
  readonly isShown?: boolean;
  /** Prints the message that replaces the result if an earlier apply already did everything. */
  readonly onAlreadyApplied?: () => void;
}

/** Applies with these flags, and prints the result. Resolves to the exit code; throws a `Stop`. */
export async function applyWith(
  asking: Asking,
  apply: (request: ApplyRequest) => Promise<Applied | Refusal>,
): Promise<number> {
  const { kinds, flags, io, heldEnds, isShown = false, onAlreadyApplied } = asking;
  const { format } = flags;
  const watch = watching(format, io);
  const applied = await apply({ ...requestOf(asking), ...watch.options });
  if (isRefusal(applied)) {
    const stop = stopOf(applied, io, isShown && format === 'text');
    if (applied.refused !== 'account-on-hold') throw stop;
    throw stop.withLines(await heldEnds(applied.by));
  }
  if (applied.isAlreadyApplied && onAlreadyApplied) {
    onAlreadyApplied();
    return EXIT.done;
  }
  return reportResult(applied, { kinds, format, signal: watch.interrupt() }, io);
}

function requestOf({
  kinds,
  connection,
  flags,
  io,
  accountLock,
}: Asking): Omit<ApplyRequest, keyof Watching['options']> {
  const { allow, resolve } = objectFlags(flags, kinds);
  return {
    kinds,
    connection,
    concurrency: flags.concurrency,
    onError: flags.onError,
    host: hostOf(io, { kinds, isText: flags.format === 'text', extent: flags.extent }),
    secrets: secretsOf(flags, connection.token, io),
    allow,
    resolve,
    areTestsJudged: flags.tests ?? true,
    mayGainAccess: flags.newAccess ?? true,
    isAnyServer: flags.anyServer === true,
    formerUrl: flags.formerUrl,
    used: flags.used,
    recordBase: flags.recordBase === true,
    onlyEnds: flags.onlyEnds === true,
    journal: flags.journal,
    accountLock,
    confirm: confirmation(kinds, flags, io),
  };
}

function secretsOf(flags: ApplyFlags, token: string, io: Io): ApplySecrets {
  const { cwd, env, secrets: known, stdout, stderr } = io;
  const { secretsTo, fingerprints, var: vars } = flags;
  const host = {
    cwd,
    env,
    secrets: known,
    stdout: (text: string) => stdout.write(text),
    stderr: (text: string) => stderr.write(text),
    command: (text: string) => control(stderr, text),
  };
  return {
    sources: (folder, layers) => secretSources(folder, { vars, token, layers }, io),
    place: secretsTo && secretPlace(secretsTo, host),
    fingerprints:
      fingerprints === undefined
        ? undefined
        : () => openFingerprints(fingerprints, { cwd, env, onSecret: key => io.secrets.add(key) }),
    known: io.secrets,
  };
}
