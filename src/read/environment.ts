// The environment of child processes. A program gets no secret that it does not need: none of meshform's own variables,
// one of which is the token of the account, and else the variables that it needs. Only a command of the user gets all
// others, but those whose value has a secret of the run in it.
import { delimiter, isAbsolute } from 'node:path';
import { KnownSecrets } from '../model/secrets/knownSecrets.ts';
import type { FileInFolder } from './files/upwards.ts';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Ends a process that leads a group, and all others of the group. A promise resolves once they are gone. */
export type EndGroup = (leader: number) => Promise<void> | void;

/** The context of reads: the environment for programs that a run starts, and what the run has already read. */
export interface ProgramHost {
  /** The environment of the run. A program gets only a part of it. */
  readonly env: Environment;
  /** The secrets that the run has read. */
  readonly secrets?: SecretValues | undefined;
  /** The refs of meshform as a remote has them, instead of those of the clone. */
  readonly shared?: SharedRefs | undefined;
  /** The project files as the run has read them. Without it, they are read each time. */
  readonly projectFiles?: FileInFolder | undefined;
  /** Absent if a person at a terminal may have to answer a program: in a group of its own it could not ask. */
  readonly endGroup?: EndGroup | undefined;
}

/** A folder for objects of git beside those of a repository, which stays as it is. */
export interface ObjectFolder {
  readonly path: string;
  /** The folder of objects of the repository, which are read too. */
  readonly beside: string;
}

/** The refs of meshform that a remote has, with their commits, and the folder that their objects were fetched into. */
export interface SharedRefs {
  readonly refs: ReadonlyMap<string, string>;
  readonly objects: ObjectFolder;
}

/** A set of secrets that recognises them in other texts. */
interface SecretValues {
  /** Whether the text is one of the secrets, or contains one. */
  readonly isIn: (text: string) => boolean;
}

/** Without these, programs do not find themselves, their settings or their folders. They never are a secret. */
const ORDINARY =
  /^(?:PATH|HOME|USER|LOGNAME|USERPROFILE|TMPDIR|TEMP|TMP|LANG|LANGUAGE|LC_\w+|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT)$/i;

const OWN = /^MESHFORM_/i;

/** Those of meshform's own variables that are secrets: another variable may have the same value. */
const OWN_SECRET = /^MESHFORM_.*(?:TOKEN|KEY)/i;

/** The variables that a command of the user gets: those in which no secret is known. */
export function foreignEnvironment({ env, secrets }: ProgramHost): Record<string, string> {
  const own = ownSecrets(env);
  const isSecret = (value: string) => secrets?.isIn(value) === true || own.isIn(value);
  return selected(
    env,
    (name, value) => !OWN.test(name) && (ORDINARY.test(name) || !isSecret(value)),
  );
}

/** The variables that every program gets, and those that this one needs by their names: its settings and its own credentials. */
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

/** The variables of `sops`: its keys, and how GnuPG and key services are reached. */
const SOPS =
  /^(?:SOPS_|GPG_|PINENTRY_|DBUS_|XDG_|SSL_CERT_|(?:GNUPGHOME|SSH_AUTH_SOCK|DISPLAY|WAYLAND_DISPLAY|APPDATA|LOCALAPPDATA|(?:HTTPS?|ALL|NO)_PROXY)$)/i;

/** The variables with credentials for key services, by type of key. */
const KEY_SERVICES: Readonly<Record<string, RegExp>> = {
  azure_kv: /^(?:AZURE_|MSI_|IDENTITY_)/i,
  gcp_kms: /^(?:GOOGLE_|GCLOUD_|GCE_|CLOUDSDK_|KUBERNETES_SERVICE_)/i,
  hc_vault: /^VAULT_/i,
  hckms: /^HUAWEICLOUD_/i,
  kms: /^AWS_/i,
};

/**
 * The environment of `sops`, with the credentials of the key services of these types. It has no other variable: which of them have
 * secrets is not known yet when files are opened.
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

/** The environment of `sops` with the age keys in one file, and no way to another key. */
export const ageEnvironment = (
  host: ProgramHost,
  keyFile: string,
  home: string,
): Record<string, string> => {
  const { HOME: _, USERPROFILE: __, ...env } = ordinaryEnvironment(host);
  // Without GNUPGHOME, GnuPG asks the agent of the user: it looks for its socket beside no home.
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

// A program is not looked for in the folder that it runs in: that may be a checkout. An empty list would lead there as well.
function absolutePath(path: string): string {
  const folders = path.split(delimiter).filter(folder => isAbsolute(folder));
  return folders.length === 0 ? NOWHERE : folders.join(delimiter);
}

/** By convention nothing is there, and only root could put something there. */
const NOWHERE = '/nonexistent';

/** A variable that was set: an environment is an object, and also answers to the names that every object inherits, such as `__proto__`. */
export const variableIn = (
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined => (Object.hasOwn(env, name) ? env[name] : undefined);
