// `fleet validate`, `fleet test` and `fleet drift`: run a command for each account. Output that
// several accounts share is printed once.
import { dirname } from 'node:path';
import { SIGNING_KEY } from '../../apply/signing/signer.ts';
import { sharedAccounts } from '../../fleet/accounts.ts';
import { lastApplied } from '../../fleet/rollout/lastApplied.ts';
import type { FleetAccount } from '../../model/fleet.ts';
import type { LastApplied, Ledger } from '../../model/rollout.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { accountFolders } from '../../read/fleet/accountFolders.ts';
import { FLEET_CREDENTIALS, readVariables } from '../../read/fleet/credentials.ts';
import { layerFault } from '../../read/fleet/layerFolders.ts';
import { withRememberedAnswers } from '../../read/git/rememberedAnswers.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { codeOfAll, outcomesDocument, outcomesText } from '../../report/fleet/accountOutcomes.ts';
import {
  type FleetDriftReport,
  fleetDriftCode,
  fleetDriftJson,
  fleetDriftJunit,
  fleetDriftText,
} from '../../report/fleet/fleetDrift.ts';
import { runTests } from '../access/testing.ts';
import { styleFor } from '../colour.ts';
import { foundDrift } from '../drift/drifting.ts';
import { EXIT } from '../exitCodes.ts';
import { validate } from '../files/validating.ts';
import { printFindings } from '../findings.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { FleetAccountsFlags, FleetServerFlags } from '../flags/fleetFlags.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import {
  type CommonInputs,
  eachAccount,
  type FleetRun,
  fleetRun,
  type OneAccount,
} from './eachAccount.ts';
import {
  accountsOf,
  chosen,
  type FleetFile,
  fleetOrStop,
  isThereIn,
  type OpenFleet,
  openFleet,
  serverOf,
  unjudgedAddresses,
} from './fleetFiles.ts';
import { queuedLedgers } from './queueing.ts';
import { DATABASE_URL } from './queues.ts';
import { withRollouts } from './rollouts.ts';

/** The flags of the commands that contact no server. */
export interface FileFlags extends SourceFlags, FleetAccountsFlags {
  readonly format: 'text' | 'json';
}

/** The flags of `fleet validate`. */
export interface FleetValidateFlags extends FileFlags {
  readonly lint?: boolean;
}

/** The flags of `fleet drift`. */
export interface FleetDriftFlags extends SourceFlags, FleetAccountsFlags, FleetServerFlags {
  readonly format: 'text' | 'json' | 'junit';
  /** The database of the queue, for a worker; by default the database in the environment. */
  readonly database?: string;
}

/**
 * `fleet validate`: contacts no server, and reads no token. Discovered accounts are known only if
 * they have a folder. If there are credentials, they determine which variables files may read.
 */
export async function validateFleet(
  path: string,
  flags: FleetValidateFlags,
  { io, version }: { readonly io: Io; readonly version: string },
): Promise<number> {
  const checked = offline(path, flags, io);
  const run = { ...checked, ...variablesIn(checked.fleet, io) };
  return each(
    run,
    { flags, io },
    { done: 'in order', other: 'with faults' },
    ({ own, path: files, flags: given }, account) => {
      printFindings(unjudgedAddresses(run.fleet, account, own), own);
      return validate(files, { ...given, format: 'text' }, { io: own, version });
    },
  );
}

// Reads from the credentials, if this machine has them, which variables the files may read. A
// variable that they do not list would fail every apply. Errors in the credentials are ignored,
// because they are not errors of the validated files.
function variablesIn({ file, fleet }: FleetFile, io: Io): Pick<FleetRun, 'variables'> {
  const path = io.env[FLEET_CREDENTIALS];
  if (!path) return {};
  const used = new Set(fleet.entries.map(({ credentials }) => credentials));
  const { variables, diagnostics } = readVariables(path, used, { cwd: io.cwd, fleet: file });
  printFindings(
    diagnostics.map(one => ({ ...one, severity: 'warning' })),
    io,
  );
  return { variables };
}

/** `fleet test`: judges the access tests of each account from its files alone. */
export async function testFleet(path: string, flags: FileFlags, io: Io): Promise<number> {
  const run = offline(path, flags, io);
  return each(
    run,
    { flags, io },
    { done: 'passed', other: 'failed' },
    ({ own, path: files, flags: given }) => runTests(files, { ...given, format: 'text' }, own),
  );
}

/**
 * `fleet drift`: compares each account with its own layers, and shows the same drift once. `share` may change the rate of its
 * requests.
 */
export async function driftFleet(
  path: string,
  flags: FleetDriftFlags,
  io: Io,
  share: (run: FleetRun) => FleetRun = run => run,
): Promise<number> {
  const tools = loadSchemas();
  const fleet = await openFleet(path, { kinds: tools.kinds, flags }, io);
  const run = share(fleetRun({ tools, fleet }, flags, io));
  const ran = await withRememberedAnswers(() =>
    eachAccount(run, fleet.accounts, { flags, io }, ({ own, path: files, flags: given }) =>
      foundDrift(files, { ...given, format: 'text' }, own),
    ),
  );
  const compared = ran.flatMap(({ account, value }) => (value ? { account, report: value } : []));
  const hasDrift = compared.some(({ report: { open } }) => open.length > 0);
  const report = {
    compared,
    ...(hasDrift && {
      rollouts: await lastRollouts(fleet, compared, { database: flags.database, io }),
    }),
    failed: ran.flatMap(({ account, value, code, stderr }) =>
      value ? [] : { account, code, text: stderr },
    ),
  };
  io.stdout.write(driftRendered(report, flags, io));
  return fleetDriftCode(report);
}

// The last rollout of each account, by the name of the account. A comparison needs neither a key
// nor a remote. Without them, no rollout is named.
async function lastRollouts(
  fleet: OpenFleet,
  compared: FleetDriftReport['compared'],
  { database, io }: { readonly database: string | undefined; readonly io: Io },
): Promise<ReadonlyMap<string, LastApplied>> {
  if (!io.env[SIGNING_KEY] || repositoryOf(folderOf(fleet.file)) === null) return new Map();
  const accounts = compared.map(({ account, report: { plan } }) => {
    const server = serverOf(account, fleet);
    return {
      name: account.name,
      ...(plan.account !== undefined && { account: plan.account }),
      ...(server !== undefined && { server }),
    };
  });
  const atRemote = await ledgersOr('at the Git remote', io, () =>
    withRollouts(fleet, {}, io, rollouts => rollouts.ledgers()),
  );
  if (database === undefined && !io.env[DATABASE_URL]) return lastApplied(atRemote, accounts);
  const inQueue = await ledgersOr('in the queue', io, () =>
    queuedLedgers(fleet, { ...(database !== undefined && { database }) }, io),
  );
  return lastApplied(atRemote.concat(inQueue), accounts);
}

// The ledgers in one of the two places; none if they cannot be read.
async function ledgersOr(
  place: string,
  { stderr }: Pick<Io, 'stderr'>,
  read: () => Promise<readonly Ledger[]>,
): Promise<readonly Ledger[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    if (error.code !== EXIT.usage)
      say(stderr, `note: the last rollouts ${place} are not known: ${error.message}`);
    return [];
  }
}

function driftRendered(report: FleetDriftReport, { format }: FleetDriftFlags, io: Io): string {
  switch (format) {
    case 'json':
      return fleetDriftJson(report);
    case 'junit':
      return fleetDriftJunit(report, styleFor(io.stdout, io));
    default:
      return fleetDriftText(report, styleFor(io.stdout, io));
  }
}

interface CheckRun extends FleetRun {
  readonly accounts: readonly FleetAccount[];
}

function offline(path: string, flags: FileFlags, io: Io): CheckRun {
  const tools = loadSchemas();
  const file = fleetOrStop(path, io);
  const tenants = accountFolders(file, tools.kinds);
  const known = accountsOf(file, tenants, io);
  const around = {
    tenants,
    isThere: isThereIn(file),
    layerFault: (layer: string) => layerFault(dirname(file.file), layer),
  };
  // The files that accounts share are judged even if no account is known without a server.
  const shared = flags.account ? [] : sharedAccounts(file.fleet, around);
  const accounts = [...chosen(known, flags), ...shared];
  return { ...fleetRun({ tools, fleet: file }, flags, io), accounts };
}

async function each<F extends FileFlags & Partial<FleetServerFlags>>(
  run: CheckRun,
  given: CommonInputs<F>,
  words: { readonly done: string; readonly other: string },
  use: (one: OneAccount<F>, account: FleetAccount) => Promise<number>,
): Promise<number> {
  const { flags, io } = given;
  const ran = await eachAccount(run, run.accounts, given, use);
  const outcomes = ran.map(({ account, value, code, stdout, stderr }) => ({
    name: account.name,
    code: value ?? code,
    stdout,
    stderr,
  }));
  io.stdout.write(
    flags.format === 'json'
      ? jsonText(outcomesDocument(outcomes))
      : outcomesText(outcomes, words, styleFor(io.stdout, io)),
  );
  return outcomes.length === 0 ? EXIT.done : codeOfAll(outcomes);
}
