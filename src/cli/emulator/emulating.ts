// Starts an emulator for a command, and prints its address and tokens.
import type {
  Emulator,
  EmulatorOptions,
  SignIn,
  Tenant,
  UnusableFile,
  UnusableSnapshot,
  UnusableStubs,
} from '../../emulator/index.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { pathText, visible } from '../../model/text/visible.ts';
import { EXIT } from '../exitCodes.ts';
import type { VariableFlags } from '../flags/variableFlags.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';
import { databaseFile, jsonFile, openRequestLog, stubsIn } from './emulatorFiles.ts';

export interface EmulatorFlags extends VariableFlags {
  readonly port: number;
  readonly token?: string;
  readonly dialect: 'spec' | 'netbird';
  readonly edition: 'cloud' | 'self-hosted';
  readonly db?: string;
  readonly snapshot?: string;
  readonly account?: string;
  readonly accounts: number;
  readonly msp?: boolean;
  readonly tenantSnapshot?: string;
  readonly controls?: boolean;
  readonly controlsToken?: string;
  readonly stub?: string;
  readonly requestLog?: string;
  readonly bearerTokens?: boolean;
  readonly signIn: SignIn;
  readonly rateLimit?: { readonly requestsPerMinute: number; readonly burst: number };
  readonly deliver: 'loopback' | 'anywhere';
  readonly shuffle?: boolean;
  readonly format: 'text' | 'json';
}

/** The emulator with its initial account. Throws a `Stop` if the port, a file or the desired state cannot be used. */
export async function startFor(flags: EmulatorFlags, io: Io): Promise<Emulator> {
  const { account, db, snapshot, tenantSnapshot, stub, requestLog, var: given = [] } = flags;
  const { startEmulator, ...errors } = await import('../../emulator/index.ts');
  refuseTogether(flags);
  const options = { dialect: flags.dialect, variables: { var: given }, io };
  const files = {
    ...(snapshot !== undefined && { snapshot: await jsonFile('--snapshot', snapshot, io) }),
    ...(stub !== undefined && { stubs: await stubsIn(stub, io) }),
    ...(flags.msp && { msp: await tenantsFor(tenantSnapshot, io) }),
  };
  const log = requestLog === undefined ? undefined : openRequestLog(requestLog, io);
  const database = db === undefined ? undefined : databaseFile(db, io);
  const emulator = await startEmulator({
    ...optionsOf(flags),
    ...files,
    ...(log !== undefined && { requestLog: log.write }),
    ...(database !== undefined && { db: database.path }),
    loadDesiredState: async (yaml, starting) => {
      const { fillAccountFromText } = await import('./startingAccount.ts');
      await fillAccountFromText(yaml, starting, options);
    },
  }).catch((error: NodeJS.ErrnoException) => {
    log?.close();
    database?.removeNew();
    throw notStarted(error, flags, errors);
  });
  const closing: Emulator = { ...emulator, close: () => emulator.close().finally(log?.close) };
  if (account === undefined) {
    if (given.length > 0) await warnOfVariables(given, io);
    return closing;
  }
  try {
    const { fillAccount } = await import('./startingAccount.ts');
    await fillAccount(account, closing, options);
    return closing;
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** Throws a `Stop` for flags that exclude each other. */
function refuseTogether({ token, controlsToken, msp, edition }: EmulatorFlags): void {
  if (token !== undefined && token === controlsToken)
    throw new Stop(
      EXIT.usage,
      '--token and --controls-token are the same',
      'use another token for the controls: it gives access to every account',
    );
  if (msp && edition === 'self-hosted')
    throw new Stop(
      EXIT.usage,
      '--msp does not work with --edition self-hosted: that edition has no tenants',
      'remove one of the two',
    );
}

/** The errors of the emulator. The emulator is loaded only when it starts. */
interface EmulatorErrors {
  readonly UnusableFile: typeof UnusableFile;
  readonly UnusableStubs: typeof UnusableStubs;
  readonly UnusableSnapshot: typeof UnusableSnapshot;
}

/** Why the emulator did not start; the error itself if no flag caused it. */
function notStarted(
  error: NodeJS.ErrnoException,
  { snapshot, tenantSnapshot, port }: EmulatorFlags,
  errors: EmulatorErrors,
): Error {
  if (error instanceof errors.UnusableFile) return unusable(error);
  if (error instanceof errors.UnusableStubs)
    return new Stop(EXIT.usage, error.message, 'remove the stub');
  if (error instanceof errors.UnusableSnapshot)
    return error.isOfTenants
      ? unusableSnapshot('--tenant-snapshot', tenantSnapshot, error)
      : unusableSnapshot('--snapshot', snapshot, error);
  if (error.syscall !== 'listen') return error;
  return new Stop(
    EXIT.failed,
    `the emulator cannot listen on port ${port}: ${error.message}`,
    'choose another port, or 0 for any free port',
  );
}

/** The options of the emulator that come from flags alone, not from a file that a flag names. */
function optionsOf({
  port,
  token,
  dialect,
  edition,
  accounts,
  controls,
  controlsToken,
  bearerTokens,
  signIn,
  rateLimit,
  deliver,
  shuffle,
}: EmulatorFlags): EmulatorOptions {
  return {
    port,
    dialect,
    edition,
    accounts,
    signIn,
    deliverAnywhere: deliver === 'anywhere',
    ...(token !== undefined && { token }),
    ...(controls !== undefined && { controls }),
    ...(controlsToken !== undefined && { controlsToken }),
    ...(bearerTokens !== undefined && { bearerTokens }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(shuffle !== undefined && { shuffle }),
  };
}

/** The initial state of tenants; true without a snapshot. */
async function tenantsFor(snapshot: string | undefined, io: Io) {
  if (snapshot === undefined) return true;
  const draft = { snapshot: await jsonFile('--tenant-snapshot', snapshot, io) };
  return () => draft;
}

function unusableSnapshot(flag: string, file = '', { message }: Error): Stop {
  return new Stop(EXIT.usage, `${pathText(file)}: ${message}`, `check ${flag}`);
}

async function warnOfVariables(given: NonNullable<VariableFlags['var']>, io: Io): Promise<void> {
  const { unusedVariables } = await import('../../source/values/variables.ts');
  const { printFindings } = await import('../findings.ts');
  printFindings(unusedVariables(given.map(([name]) => name)), io);
}

function unusable({ isHeld, message }: UnusableFile): Stop {
  return isHeld
    ? new Stop(EXIT.failed, message, 'stop the other emulator, or choose another file')
    : new Stop(
        EXIT.usage,
        message,
        'name a database of the emulator, or a file that can be created',
      );
}

/** Resolves on the first interrupt. */
export function interrupted(io: Io): Promise<void> {
  return new Promise(resolve => {
    const release = io.onInterrupt(() => {
      release();
      resolve();
    });
  });
}

/** The address and tokens of the emulator, for a program. */
export function machineLine(
  { url, token, accounts, tenants, controlsToken }: Emulator,
  flags: EmulatorFlags,
): string {
  const line = {
    url,
    token,
    ...(flags.controls && { controls_token: controlsToken }),
    ...(accounts.length > 1 && { accounts }),
    ...(flags.msp && { tenants }),
  };
  return jsonLine(line);
}

/** The address and tokens of the emulator, for a person. */
export function welcome(
  { url, token, accounts, tenants, controlsToken }: Emulator,
  flags: EmulatorFlags,
): string {
  // The token of the provider also gives access to its tenants.
  const others = flags.msp ? [] : accounts.slice(1).map(account => account.token);
  const rows = [
    ['url', url],
    ...[token, ...others].map((own, index) => [`token${index === 0 ? '' : ` ${index + 1}`}`, own]),
    ...(flags.msp ? [['tenants', tenantsText(tenants)]] : []),
    ...(flags.controls ? [['controls', controlsToken]] : []),
  ];
  const lines = rows.map(([name = '', value = '']) => `  ${name.padEnd(8)}  ${visible(value)}\n`);
  return `The emulator is ready. Stop it with Ctrl-C.

${lines.join('')}
In another terminal:

  export MESHFORM_URL=${url}
  export MESHFORM_TOKEN=${shellWord(token)}
  meshform plan
`;
}

function tenantsText(tenants: readonly Tenant[]): string {
  const first = tenants[0]?.domain ?? '';
  const last = tenants.at(-1)?.domain ?? '';
  if (tenants.length < 2) return first || 'none';
  return `${tenants.length}, from ${first} to ${last}; add ?account=<id> to a request`;
}
