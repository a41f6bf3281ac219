// Decides which environment variables child processes get. A program gets the variables that it needs, and none of meshform's own
// variables, one of which is the token of the account, so that it gets no secret without need. Only a command of the user gets
// all other variables, except those whose value contains a secret of the run.
import { delimiter, isAbsolute } from 'node:path';
import { KnownSecrets } from '../model/secrets/knownSecrets.ts';
import type { FileInFolder } from './files/projectFilesAbove.ts';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Ends a process that leads a group, and all other processes of the group. A returned promise resolves once they have ended. */
export type EndGroup = (leader: number) => Promise<void> | void;

/** The context of reads: the environment for programs that a run starts, and what the run has already read. */
export interface ProgramHost {
  /** The environment of the run. A program gets only a part of it. */
  readonly env: Environment;
  /** The secrets that the run has read. */
  readonly secrets?: SecretValues | undefined;
  /** The refs of meshform at a remote, which are read instead of the refs of the clone. */
  readonly shared?: SharedRefs | undefined;
  /** The name of a remote that was listed in this run, and has no base of the account. */
  readonly withoutBases?: string | undefined;
  /** The project files as the run has read them. If absent, each use reads them again. */
  readonly projectFiles?: FileInFolder | undefined;
  /** Absent if a program may have to ask a person at a terminal, because a program in a separate process group could not ask. */
  readonly endGroup?: EndGroup | undefined;
}

/** A folder for new git objects beside the object folder of a repository, which is not changed. */
export interface ObjectFolder {
  readonly path: string;
  /** The object folder of the repository, which git also reads. */
  readonly repositoryObjects: string;
}

/** The refs of meshform that a remote has, with their commits, and the folder that their objects were fetched into. */
export interface SharedRefs {
  readonly refs: ReadonlyMap<string, string>;
  readonly objects: ObjectFolder;
  /** The first base of any account at the remote, from the same listing; absent if it was not listed. */
  readonly ofAny?: { readonly remote: string; readonly ref: string | undefined };
}

/** Secrets that can be recognised in other texts. */
interface SecretValues {
  /** Whether the text is one of the secrets, or contains one. */
  readonly isIn: (text: string) => boolean;
}

/**
 * Without these variables, programs do not find other programs, their settings or their folders. Their values are never treated
 * as secrets.
 */
const ORDINARY =
  /^(?:PATH|HOME|USER|LOGNAME|USERPROFILE|TMPDIR|TEMP|TMP|LANG|LANGUAGE|LC_\w+|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT)$/i;

const OWN = /^MESHFORM_/i;

/** The names of meshform's own variables that contain secrets. Another variable may have the same value. */
const OWN_SECRET = /^MESHFORM_.*(?:TOKEN|KEY)/i;

/** The variables that a command of the user gets: all variables that are not meshform's own and contain no known secret. */
export function foreignEnvironment({ env, secrets }: ProgramHost): Record<string, string> {
  const own = ownSecrets(env);
  const isSecret = (value: string) => secrets?.isIn(value) === true || own.isIn(value);
  return selected(
    env,
    (name, value) => !OWN.test(name) && (ORDINARY.test(name) || !isSecret(value)),
  );
}

/**
 * The variables that every program gets, and those that `isNeeded` selects by name: the settings and the credentials of one
 * program.
 */
export const neededEnvironment = (
  { env }: ProgramHost,
  isNeeded: (name: string) => boolean,
): Record<string, string> =>
  selected(env, name => !OWN.test(name) && (ORDINARY.test(name) || isNeeded(name)));

function ownSecrets(env: Environment): SecretValues {
  const secrets = new KnownSecrets();
  for (const value of ownSecretValues(env)) secrets.add(value);
  return secrets;
}

/** The values of meshform's own variables that are secrets. */
export const ownSecretValues = (env: Environment): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && OWN_SECRET.test(name) ? [value] : [],
  );

/** The variables of a program that needs no settings and no credentials. */
export const ordinaryEnvironment = ({ env }: ProgramHost): Record<string, string> =>
  selected(env, name => ORDINARY.test(name));

/** The variables of `sops`: its keys, and the settings by which it reaches GnuPG and key services. */
const SOPS =
  /^(?:SOPS_|GPG_|PINENTRY_|DBUS_|XDG_|SSL_CERT_|(?:GNUPGHOME|SSH_AUTH_SOCK|DISPLAY|WAYLAND_DISPLAY|APPDATA|LOCALAPPDATA|(?:HTTPS?|ALL|NO)_PROXY)$)/i;

/** The variables with credentials for key services, by the type of key. */
const KEY_SERVICES: Readonly<Record<string, RegExp>> = {
  azure_kv: /^(?:AZURE_|MSI_|IDENTITY_)/i,
  gcp_kms: /^(?:GOOGLE_|GCLOUD_|GCE_|CLOUDSDK_|KUBERNETES_SERVICE_)/i,
  hc_vault: /^VAULT_/i,
  hckms: /^HUAWEICLOUD_/i,
  kms: /^AWS_/i,
};

/**
 * The environment of `sops`, with the credentials for these types of key services and no other variables, because the run does
 * not yet know which other variables contain secrets when files are opened.
 */
export function sopsEnvironment(
  { env }: ProgramHost,
  types: ReadonlySet<string>,
): Record<string, string> {
  const services = [...types].flatMap(type => KEY_SERVICES[type] ?? []);
  return selected(
    env,
    name => ORDINARY.test(name) || SOPS.test(name) || services.some(service => service.test(name)),
  );
}

/** The environment of `sops` with the age keys in one file, and without access to any other key. */
export const ageEnvironment = (
  host: ProgramHost,
  keyFile: string,
  home: string,
): Record<string, string> => {
  const { HOME: _, USERPROFILE: __, ...env } = ordinaryEnvironment(host);
  // Without GNUPGHOME, GnuPG would ask the agent of the user, whose socket does not depend on HOME.
  return { ...env, HOME: home, GNUPGHOME: home, SOPS_AGE_KEY_FILE: keyFile };
};

function selected(
  env: Environment,
  isPassed: (name: string, value: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      if (value === undefined || !isPassed(name, value)) return [];
      return [[name, /^PATH$/i.test(name) ? absolutePath(value) : value]];
    }),
  );
}

// A PATH without relative folders. A relative folder would mean that programs are looked up in the folder in which the program
// runs, which may be a checkout. An empty PATH would mean that folder too.
function absolutePath(path: string): string {
  const folders = path.split(delimiter).filter(folder => isAbsolute(folder));
  return folders.length === 0 ? NOWHERE : folders.join(delimiter);
}

/** A path that by convention does not exist, and that only root could create. */
const NOWHERE = '/nonexistent';

/**
 * The value of a variable that was set, otherwise undefined. The check is needed because the environment is an object, which also
 * has inherited names such as `__proto__`.
 */
export const variableIn = (
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined => (Object.hasOwn(env, name) ? env[name] : undefined);
