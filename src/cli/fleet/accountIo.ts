// The effects of a run for one account of a fleet: its own variables, its own findings, and nothing that another account could see.
import { dirname, resolve } from 'node:path';
import { fleetJournals } from '../../apply/journal/journalFolder.ts';
import type { FleetAccount } from '../../model/fleet.ts';
import { KnownSecrets } from '../../model/secrets/knownSecrets.ts';
import {
  type FileInFolder,
  type FleetSettings,
  folderOf,
  realOf,
} from '../../read/files/upwards.ts';
import { type Credential, sopsKeysOf } from '../../read/fleet/credentials.ts';
import { VARIABLE } from '../../source/values/variables.ts';
import type { Io, Sink } from '../io.ts';
import { ioOf } from './fleetFiles.ts';

/** What a run for one account has printed. */
export interface Printed {
  readonly stdout: () => string;
  /** Messages. */
  readonly stderr: () => string;
}

/** An account that a run is for. */
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
}

/** The paths of the layers of an account, there or not. */
export const layersOf = (file: string, { layers }: FleetAccount): readonly string[] =>
  layers.map(layer => resolve(dirname(file), layer));

/** The effects for one account. Its output is kept. */
export function accountIo(
  { account, credential, file, id, projectFiles }: AccountRun,
  io: Io,
): { readonly own: Io; readonly printed: Printed } {
  const stdout = kept();
  const stderr = kept();
  // The secrets of one account are nothing to the next: only the tokens are known to all.
  const secrets = new KnownSecrets();
  if (credential) secrets.add(credential.token);
  const settings = settingsOf(account, { file, id });
  const folders = new Set(layersOf(file, account).map(path => realOf(folderOf(path))));
  const read: FileInFolder = (folder, name) => projectFiles(folder, name);
  const inFleet = (path: string) => (folders.has(realOf(folderOf(path))) ? settings : undefined);
  const withCredential = credential
    ? { ...ioOf(credential, io), sopsKeys: sopsKeysOf(credential, account) }
    : { ...io, fileEnv: {}, sopsKeys: NOTHING };
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

/** A run without a server reads no credentials, so nothing says which keys an account has. */
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
    // A discovered account may get a folder of its own later: its base must not depend on which layers it has.
    name: tenant === undefined ? undefined : name,
    layers: layersOf(file, one).map(realOf),
    absent: absentLayers.map(layer => realOf(resolve(home, layer))),
  };
}

// Accounts may have the same layers, by which journals are found: each has a folder of its own.
const journalsOf = ({ name }: FleetAccount, { cwd, env }: Io): string =>
  fleetJournals(name, { cwd, env, journals: env.MESHFORM_JOURNALS });

// An account need not use every variable of its entry, so they are not given as by a flag.
const asVariables = ({ vars }: FleetAccount): Record<string, string> =>
  Object.fromEntries(Object.entries(vars).map(([name, value]) => [`${VARIABLE}${name}`, value]));

function kept(): { readonly sink: Sink; readonly text: () => string } {
  const parts: string[] = [];
  const write = (text: string): void => {
    parts.push(text);
  };
  return { sink: { write, isTerminal: false }, text: () => parts.join('') };
}
