// The effects of a run for one account of a fleet. The run has its own variables and findings, and
// no data that another account may not see.
import { dirname, resolve } from 'node:path';
import { fleetJournals } from '../../apply/journal/journalFolder.ts';
import type { FleetAccount } from '../../model/fleet.ts';
import { KnownSecrets } from '../../model/secrets/knownSecrets.ts';
import type { Withheld } from '../../model/secrets/withheld.ts';
import { quoted } from '../../model/text/visible.ts';
import {
  type FileInFolder,
  type FleetSettings,
  folderOf,
  realOf,
} from '../../read/files/projectFilesAbove.ts';
import { type Credential, FLEET_CREDENTIALS, sopsKeysOf } from '../../read/fleet/credentials.ts';
import { VARIABLE } from '../../source/values/variables.ts';
import type { Io, Sink } from '../io.ts';
import { ioOf } from './fleetFiles.ts';

/** The output of a run for one account. */
export interface Printed {
  readonly stdout: () => string;
  /** Messages. */
  readonly stderr: () => string;
}

/** An account, and what its run needs. */
export interface AccountRun {
  readonly account: FleetAccount;
  /** Absent for a run without a server. */
  readonly credential: Credential | undefined;
  /** The path of the fleet file. */
  readonly file: string;
  /** The id of the account, if the files do not name it. */
  readonly id: string | undefined;
  /** The project files of all accounts, each read once. */
  readonly projectFiles: FileInFolder;
  /**
   * For a run without a server: the variables that files may read, by the name of the credentials;
   * undefined if unknown.
   */
  readonly variables?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
}

/** The paths of the layers of an account. Some of them may not exist. */
export const layersOf = (file: string, { layers }: FleetAccount): readonly string[] =>
  layers.map(layer => resolve(dirname(file), layer));

/** The effects for one account. Its output is collected. */
export function accountIo(
  { account, credential, file, id, projectFiles, variables }: AccountRun,
  io: Io,
): { readonly own: Io; readonly printed: Printed } {
  const stdout = kept();
  const stderr = kept();
  // The secrets of one account must not reach another account. So only the tokens are known in the
  // runs of all accounts.
  const secrets = new KnownSecrets();
  if (credential) secrets.add(credential.token);
  const settings = settingsOf(account, { file, id });
  const folders = new Set(layersOf(file, account).map(path => realOf(folderOf(path))));
  const read: FileInFolder = (folder, name) => projectFiles(folder, name);
  const inFleet = (path: string) => (folders.has(realOf(folderOf(path))) ? settings : undefined);
  const listed = credential?.variables ?? variables?.get(account.credentials);
  const withheld = withheldBy(listed, account, credential !== undefined);
  const withCredential = credential
    ? { ...ioOf(credential, io), withheld, sopsKeys: sopsKeysOf(credential, account) }
    : { ...io, fileEnv: {}, withheld, sopsKeys: NOTHING };
  const own: Io = {
    ...withCredential,
    env: {
      ...withCredential.env,
      ...asVariables(account),
      MESHFORM_JOURNALS: journalsOf(account, io),
    },
    stdout: stdout.sink,
    stderr: stderr.sink,
    ask: null,
    secrets,
    projectFiles: Object.assign(read, { inFleet }),
  };
  return { own, printed: { stdout: stdout.text, stderr: stderr.text } };
}

// Why the files of an account cannot read a variable. The answer does not depend on whether the
// variable is set in the run, because the author of these files must not learn this. A run without
// a server reads no values, and may not know which variables are listed.
const withheldBy =
  (listed: ReadonlySet<string> | undefined, { credentials }: FleetAccount, readsValues: boolean) =>
  (name: string): Withheld | undefined => {
    if (listed === undefined) return NOT_KNOWN;
    if (!listed.has(name)) return unlisted(credentials);
    return readsValues ? undefined : NOT_READ;
  };

const unlisted = (credentials: string): Withheld => ({
  why: `is not in the list \`env\` of the credentials ${quoted(credentials)}, so these files cannot read it`,
  fix: `if these files may read it, add it to \`env\` of ${quoted(credentials)} in the file of ${FLEET_CREDENTIALS}, otherwise remove it from the files`,
});

const NOT_KNOWN: Withheld = {
  why: 'is not read here, because only the credentials say what these files can read',
};
const NOT_READ: Withheld = { why: 'is not read here, because a check of the files needs no value' };

/** Without credentials, the keys of an account are unknown. */
const NOTHING = {
  refused: {
    why: 'a command that asks no server has no keys for the accounts of a fleet',
    hint: 'look at it with `meshform fleet plan`, which reads the keys of each account from its credentials',
  },
} as const;

function settingsOf(
  one: FleetAccount,
  { file, id }: Pick<AccountRun, 'file' | 'id'>,
): FleetSettings {
  const { account, name, tenant, at, absentLayers } = one;
  const home = realOf(dirname(file));
  return {
    file,
    account: account ?? id,
    accountAt: at,
    // A discovered account may get its own folder later. So the name of its base must not depend on
    // its current layers.
    name: tenant === undefined ? undefined : name,
    layers: layersOf(file, one).map(realOf),
    absent: absentLayers.map(layer => realOf(resolve(home, layer))),
  };
}

// The folder of journals of an account. Journals are found by the layers of their files. Several
// accounts may have the same layers, so each account needs its own folder.
const journalsOf = ({ name }: FleetAccount, { cwd, env }: Io): string =>
  fleetJournals(name, { cwd, env, journals: env.MESHFORM_JOURNALS });

// The variables of an account as environment variables instead of `--var`. Files must use every
// variable of a flag, but need not use every variable of a fleet entry.
const asVariables = ({ vars }: FleetAccount): Record<string, string> =>
  Object.fromEntries(Object.entries(vars).map(([name, value]) => [`${VARIABLE}${name}`, value]));

function kept(): { readonly sink: Sink; readonly text: () => string } {
  const parts: string[] = [];
  const write = (text: string): void => {
    parts.push(text);
  };
  return { sink: { write, isTerminal: false }, text: () => parts.join('') };
}
