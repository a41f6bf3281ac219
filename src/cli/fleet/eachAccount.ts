// Runs a function for the accounts of a fleet, several at a time. A failure for one account does
// not affect the others.

import { dirname, relative, resolve } from 'node:path';
import { newThrottle, type Throttle } from '../../api/transport/throttle.ts';
import type { FleetAccount } from '../../model/fleet.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { type FileInFolder, folderOf, readOnce } from '../../read/files/projectFilesAbove.ts';
import type { Credential } from '../../read/fleet/credentials.ts';
import { PLAIN } from '../../report/text/style.ts';
import { errorText } from '../errorText.ts';
import { EXIT } from '../exitCodes.ts';
import type { AccountFlags, SourceFlags } from '../flags/flags.ts';
import { ACCOUNT_DEADLINE, ACCOUNT_SECONDS } from '../flags/fleetFlags.ts';
import type { Io } from '../io.ts';
import { projectBefore } from '../project.ts';
import { withPlaceStop } from '../refusals/placeStop.ts';
import { accountOf } from '../server/accountOf.ts';
import type { ConnectFlags } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import { accountIo, layersOf } from './accountIo.ts';
import { accountTime } from './accountTime.ts';
import { connectTo, type FleetFile } from './fleetFiles.ts';

/** The data that the runs for the accounts of a fleet share. */
export interface FleetRun {
  readonly tools: Schemas;
  readonly fleet: FleetFile & {
    /** Absent for a run without a server. */
    readonly credentials?: ReadonlyMap<string, Credential>;
    readonly accounts?: readonly FleetAccount[];
  };
  /**
   * For a run without a server: the variables that files may read, by the name of the credentials;
   * absent if unknown.
   */
  readonly variables?: ReadonlyMap<string, ReadonlySet<string>>;
  /** How many accounts are handled at the same time. */
  readonly atOnce: number;
  readonly projectFiles: FileInFolder;
  /** No request of an account starts at this time or later; undefined without `--deadline`. */
  readonly until?: number | undefined;
  /** The time limit of each run for an account, in milliseconds; undefined without a limit. */
  readonly accountLimit: number | undefined;
  /** Whether several accounts of the fleet use the token. */
  readonly isShared: (credential: Credential) => boolean;
  /** The id of each token's own account, by the address and the token. */
  readonly ownIds: Map<string, Promise<string | undefined>>;
  /** The throttle of each token. */
  readonly throttleOf: (credential: Credential) => Throttle;
  /** The smallest number of requests per minute that flags and files set for a token; undefined without a limit. */
  readonly rateOf: (credential: Credential) => number | undefined;
}

/** The flags that the runs for all accounts share. */
export interface EachFlags extends Partial<AccountFlags> {
  readonly atOnce: number;
  /** In seconds; 0 is no limit. */
  readonly accountDeadline?: number;
}

/**
 * Makes the shared data of the runs. All accounts of a token share its request rate. `part`: the
 * fraction of the rate that this process may use.
 */
export function fleetRun(
  { tools, fleet }: Pick<FleetRun, 'tools' | 'fleet'>,
  { rate, deadline, atOnce, accountDeadline = ACCOUNT_SECONDS }: EachFlags,
  io: Io,
  part = 1,
): FleetRun {
  const throttles = new Map<string, Throttle>();
  const rates = new Map<string, number>();
  const requests = rate ?? fleet.fleet.rate?.requests;
  const until = deadline === undefined ? undefined : io.now() + deadline * 1000;
  return {
    tools,
    fleet,
    atOnce,
    until,
    accountLimit: accountDeadline === 0 ? undefined : accountDeadline * 1000,
    isShared: usedBySeveral(fleet),
    projectFiles: readOnce(io.readProjectFile),
    ownIds: new Map(),
    rateOf: credential => rates.get(tokenKey(credential)) ?? requests,
    throttleOf: credential => {
      const key = tokenKey(credential);
      const { now, random, sleep } = io;
      const interval = requests === undefined ? undefined : 60_000 / (requests * part);
      const throttle = throttles.get(key) ?? newThrottle({ now, random, sleep, interval, until });
      throttles.set(key, throttle);
      // `rate` in the files also applies to all processes together.
      const limit = (most: number) => {
        rates.set(key, Math.min(rates.get(key) ?? requests ?? most, most));
        throttle.limit(most * part);
      };
      return { ...throttle, limit };
    },
  };
}

// Returns whether several accounts use the token of a credential. Entries with different names may
// have the same token.
function usedBySeveral({ accounts = [], credentials }: FleetRun['fleet']): FleetRun['isShared'] {
  const uses = Map.groupBy(accounts, account => {
    const credential = credentials?.get(account.credentials);
    return credential && tokenKey(credential);
  });
  return credential => (uses.get(tokenKey(credential))?.length ?? 0) > 1;
}

const tokenKey = ({ url, token }: Credential): string => `${url} ${token}`;

/** The flags and the effects of the command, before they are adapted to each account. */
export interface CommonInputs<F> {
  readonly flags: F;
  readonly io: Io;
}

/** The run for one account: its effects, and its flags. */
export interface OneAccount<F> {
  readonly own: Io;
  /** The last layer, as a path relative to the working directory; it may not exist. */
  readonly path: string;
  readonly flags: F & SourceFlags & Partial<ConnectFlags>;
}

/** The outcome of a run for one account. */
export interface Ran<T> {
  readonly account: FleetAccount;
  /** The result of the run; absent if it failed. */
  readonly value?: T;
  /** The exit code that a separate run would have had, if the run failed. */
  readonly code: number;
  /** The precondition that did not hold, if the run was refused; see `Refusal`. */
  readonly refused?: string;
  /** How far the clock of the server is ahead of this machine, in milliseconds; absent if no response had a time. */
  readonly skew?: number | undefined;
  /** The message of the run's error, without secrets. */
  readonly why?: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `use` for each account; resolves to the outcomes in the order of the accounts. */
export async function eachAccount<F extends SourceFlags & Partial<AccountFlags>, T>(
  run: FleetRun,
  accounts: readonly FleetAccount[],
  given: CommonInputs<F>,
  use: (one: OneAccount<F>, account: FleetAccount) => Promise<T>,
): Promise<readonly Ran<T>[]> {
  const found = new Map<FleetAccount, Ran<T>>();
  const waiting = [...accounts];
  const work = async (): Promise<void> => {
    for (let account = waiting.shift(); account; account = waiting.shift()) {
      found.set(account, await forAccount(run, account, given, use));
    }
  };
  await Promise.all(Array.from({ length: Math.min(run.atOnce, accounts.length) }, work));
  return accounts.flatMap(account => found.get(account) ?? []);
}

/**
 * Runs `use` for one account. Never throws, except a `ForeignFolder` before it begins. That error
 * concerns all accounts.
 */
export async function forAccount<F extends SourceFlags & Partial<AccountFlags>, T>(
  run: FleetRun,
  account: FleetAccount,
  given: CommonInputs<F>,
  use: (one: OneAccount<F>, account: FleetAccount) => Promise<T>,
): Promise<Ran<T>> {
  const { io } = given;
  const { fleet, projectFiles, variables } = run;
  const credential = fleet.credentials?.get(account.credentials);
  const base = { account, credential, file: fleet.file, projectFiles, variables };
  let skew: number | undefined;
  const onSkew = (milliseconds: number): void => {
    skew = milliseconds;
  };
  let made = accountIo({ ...base, id: undefined }, { ...io, onSkew });
  const ended = (code: number, stderr = '') => ({
    account,
    code,
    skew,
    stdout: made.printed.stdout(),
    stderr: `${made.printed.stderr()}${stderr}`,
  });
  try {
    const { fault } = account;
    if (fault) throw new Stop(EXIT.invalid, fault.message, fault.hint ?? null);
    const { path, flags } = ownFlags(run, account, given, made.own);
    const id = credential && (await idOf(run, { path, flags, account }, made.own));
    made = accountIo({ ...base, id }, { ...io, onSkew });
    const value = await use({ own: made.own, path, flags }, account);
    return { ...ended(EXIT.done), value };
  } catch (thrown) {
    const error = withPlaceStop(thrown);
    const code = error instanceof Stop ? error.code : EXIT.failed;
    const refused = error instanceof Stop ? error.refused : undefined;
    const message = messageOf(error);
    return {
      ...ended(code, errorText(error, made.own, PLAIN)),
      why: made.own.secrets.redact(message),
      ...(refused !== undefined && { refused }),
    };
  }
}

// The path of the last layer of an account, and the flags of its run. The flags contain the server,
// the throttle and the other layers.
function ownFlags<F extends SourceFlags & Partial<AccountFlags>>(
  run: FleetRun,
  account: FleetAccount,
  { flags, io }: CommonInputs<F>,
  own: Io,
): Omit<OneAccount<F>, 'own'> {
  const { file, credentials } = run.fleet;
  const credential = credentials?.get(account.credentials);
  const paths = layersOf(file, account).map(path => relative(io.cwd, path) || '.');
  return {
    path: paths.at(-1) ?? '.',
    flags: {
      ...flags,
      ...(credential && {
        ...connectTo(credential, { timeout: flags.timeout ?? TIMEOUT }),
        throttle: ofSlot(run, credential, sharedRate(account, file, own), io),
      }),
      ...(account.tenant !== undefined && { tenant: account.tenant }),
      ...(paths.length > 1 && { layers: paths.slice(0, -1) }),
    },
  };
}

// The smallest `rate` in the files that accounts share. These are the files above the account's own
// files.
function sharedRate(account: FleetAccount, file: string, own: Io): number | undefined {
  const last = account.layers.at(-1) ?? '.';
  const path = folderOf(resolve(dirname(file), last));
  const isShared = account.sharedLayers.includes(last);
  return projectBefore(own, isShared ? path : dirname(path)).rate;
}

// The throttle for one account. A rate in the files of one account limits only the requests of this
// account; a rate in shared files limits all accounts. The time limit of the account begins here.
function ofSlot(
  run: Pick<FleetRun, 'throttleOf' | 'until' | 'accountLimit' | 'isShared'>,
  credential: Credential,
  rate: number | undefined,
  { now, random, sleep }: Pick<Io, 'now' | 'random' | 'sleep'>,
): Throttle {
  const { until, accountLimit = Number.POSITIVE_INFINITY } = run;
  const shared = run.throttleOf(credential);
  const time = accountTime(accountLimit, now);
  let isLate = false;
  const mayStart = (at: number): boolean => {
    isLate = !time.isLeft(at);
    return !isLate;
  };
  const own = newThrottle({ now, random, sleep, until, mayStart });
  // If only this account uses a token, no other account can cause it to wait for the token.
  const sharedTurn = () => (run.isShared(credential) ? time.uncounted(shared.turn) : shared.turn());
  return {
    turn: async () => {
      const permit = await own.turn();
      if (permit === null) return null;
      // Refusals of the server concern the token, so only the shared throttle counts them.
      permit.passed();
      return sharedTurn();
    },
    limitedBy: () => (isLate ? ACCOUNT_DEADLINE : undefined),
    rate: () => smaller(own.rate(), shared.rate()),
    limit: most => {
      if (rate !== undefined) shared.limit(rate);
      own.limit(most);
    },
  };
}

const smaller = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

// The message of an error. If a message ends with a colon, the lines below it belong to it.
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = ''] = error instanceof Stop && error.message.endsWith(':') ? error.lines : [];
  return `${error.message} ${first.trim().replaceAll(/\s+/g, ' ')}`.trim();
}

const TIMEOUT = 30;

// The id of an account. It identifies the account's bases and lock. Files may contain the id;
// otherwise, it is read from the account.
async function idOf(
  run: FleetRun,
  { path, flags, account }: IdRequest,
  own: Io,
): Promise<string | undefined> {
  const { tools } = run;
  const named = projectBefore(own, folderOf(resolve(own.cwd, path))).account;
  const connecting = { ...flags, timeout: flags.timeout ?? TIMEOUT };
  const ask = (asked: ConnectFlags) => accountOf(tools.kinds, { flags: asked, project: {} }, own);
  if (account.tenant === undefined) return named ?? (await ask(connecting));
  const { tenant: _, ...itself } = connecting;
  const key = `${flags.url} ${flags.token}`;
  const known = run.ownIds.get(key) ?? ask(itself);
  run.ownIds.set(key, known);
  const found = await ask(connecting);
  const provider = await known;
  // If the token may not enter the other account, some servers carry out the request in the token's
  // own account (docs/server-behaviour.md#msp-tenants).
  if (found === undefined || found === provider)
    throw new Stop(
      EXIT.invalid,
      `the token does not reach the account ${quoted(account.tenant)}: the server answers for the account of the token itself`,
      'give the user of the token access to the tenant, or use the token of another user',
    );
  return named ?? found;
}

interface IdRequest {
  readonly path: string;
  readonly flags: Partial<ConnectFlags>;
  readonly account: FleetAccount;
}
