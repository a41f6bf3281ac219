// Decrypts files with the installed `sops`, which supports every type of key (age, PGP, cloud keys) and checks the integrity of
// the file. A file itself names the key services that `sops` contacts, with the credentials of the run. So a file is decrypted
// only if the environment of the run allows all of these services.
import { promisify } from 'node:util';
import { shellWord } from '../model/text/shellWord.ts';
import { nameText, quoted } from '../model/text/visible.ts';
import {
  allowedServices,
  firstForbidden,
  keyServices,
  typesOf,
} from '../source/sops/keyServices.ts';
import { metadataOf, type SopsFormat, sopsFormat } from '../source/sops/metadata.ts';
import type { Decrypt, Undecrypted } from '../source/values/openSecret.ts';
import { ageEnvironment, type ProgramHost, sopsEnvironment } from './environment.ts';
import { readRegular } from './files/fileText.ts';
import { fileInputs, fileInside } from './files/inputs.ts';
import { ForeignTemporary, TEMPORARY_HINT } from './files/temporaryFolder.ts';
import { endWithProcess } from './programs/runningPrograms.ts';
import { withEmptyHome, withSopsHome } from './sopsHome.ts';

const LARGEST_ANSWER = 16 * 1024 * 1024;
/** The time limit in milliseconds. It is long, because a key may be on a hardware token that a person must touch. */
const LONGEST = 120_000;

/** The keys for encrypted files, if the keys of the run are not used: only the age keys in one file, or no keys. */
export type SopsKeys =
  | { readonly ageKeyFile: string; readonly refused?: undefined }
  | { readonly refused: Undecrypted };

/** The context of reads, with the keys that replace those in its environment. */
export type SopsHost = ProgramHost & { readonly sopsKeys?: SopsKeys | undefined };

/**
 * Returns a function that decrypts files inside `folder`, each once. The environment determines which `sops` and which keys are
 * used. The messages of `sops` are not printed, because they may repeat what it read.
 */
export function sopsFiles(folder: string, host: SopsHost, layers: readonly string[] = []): Decrypt {
  const opened = new Map<string, Promise<string | Undecrypted>>();
  return (file, as) => {
    const known = opened.get(`${as} ${file}`) ?? decrypt({ folder, layers, file }, as, host);
    opened.set(`${as} ${file}`, known);
    return known;
  };
}

interface FileIn {
  readonly folder: string;
  /** Other folders; see `fileInputs`. */
  readonly layers: readonly string[];
  readonly file: string;
}

async function decrypt(
  { folder, layers, file }: FileIn,
  as: 'json' | 'text',
  host: SopsHost,
): Promise<string | Undecrypted> {
  const { sopsKeys: own } = host;
  if (own?.refused) return own.refused;
  const path = fileInside(folder, file, layers);
  if (path === undefined) return missing;
  const text = fileInputs(folder, layers)(file) ?? '';
  const format = sopsFormat(path);
  const forbidden = own
    ? notOpenedBy(own.ageKeyFile, { file, text, format })
    : notAllowed({ file, text, format }, host);
  if (forbidden) return forbidden;
  const form = ['--input-type', format, ...(as === 'json' ? ['--output-type', 'json'] : [])];
  try {
    const { execFile } = await import('node:child_process');
    const open = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const running = promisify(execFile)('sops', ['--decrypt', ...form, path], {
        maxBuffer: LARGEST_ANSWER,
        timeout: LONGEST,
        env,
      });
      endWithProcess(running.child);
      return (await running).stdout;
    };
    if (own) return await withEmptyHome(home => open(ageEnvironment(host, own.ageKeyFile, home)));
    const types = typesOf(allowedServices(host.env[ALLOWED]));
    return await withSopsHome(host.env.HOME, types, home => {
      const { HOME: _, ...env } = sopsEnvironment(host, types);
      return open({ ...env, ...(home !== undefined && { HOME: home }) });
    });
  } catch (error) {
    if (error instanceof ForeignTemporary) return { why: error.message, hint: TEMPORARY_HINT };
    const keys = own ? `SOPS_AGE_KEY_FILE=${shellWord(own.ageKeyFile)} ` : '';
    const hint = `check the output of ${quoted(`${keys}sops --decrypt ${shellWord(file)}`)}`;
    return { why: reasonOf(error), hint };
  }
}

interface Encrypted {
  readonly file: string;
  readonly text: string;
  readonly format: SopsFormat;
}

// Why `sops` must not be started with a file; null if it may.
function notAllowed(encrypted: Encrypted, { env }: ProgramHost): Undecrypted | null {
  const forbidden = serviceBeside(allowedServices(env[ALLOWED]), encrypted);
  if (!forbidden || 'why' in forbidden) return forbidden;
  const { entry, at } = forbidden;
  return {
    why: `its key is at ${at}, which ${ALLOWED} does not allow`,
    hint: `only if you trust this service, add it to the environment: ${ALLOWED}=${shellWord(entry)}; entries are separated by commas`,
  };
}

// Why a file must not be opened with the keys in one file; null if it may. Even a service that needs no credentials would learn
// where the request comes from.
function notOpenedBy(keyFile: string, encrypted: Encrypted): Undecrypted | null {
  const forbidden = serviceBeside(new Set(), encrypted);
  if (forbidden && 'why' in forbidden) return forbidden;
  if (forbidden)
    return {
      why: `its key is at ${forbidden.at}, and the files of this account are decrypted only with the age keys in ${quoted(keyFile)}`,
      hint: `encrypt it with age keys only: \`sops updatekeys ${shellWord(encrypted.file)}\` takes those of .sops.yaml`,
    };
  const read = readRegular(keyFile);
  if (!('why' in read)) return null;
  return {
    why: `its key file ${quoted(keyFile)} cannot be read: ${read.why}`,
    hint: `create it with \`age-keygen -o ${shellWord(keyFile)}\`, and encrypt the file for its public key`,
  };
}

interface Forbidden {
  readonly entry: string;
  /** The entry with its place, for people. */
  readonly at: string;
}

function serviceBeside(
  allowed: ReadonlySet<string>,
  { file, text, format }: Encrypted,
): Forbidden | Undecrypted | null {
  const metadata = metadataOf(text, format);
  const services = metadata === null ? 'cannot be read' : keyServices(metadata);
  if (typeof services === 'string')
    return { why: `its metadata ${services}`, hint: 'encrypt it again with `sops encrypt`' };
  const forbidden = firstForbidden(services, allowed);
  if (!forbidden) return null;
  const { entry, address } = forbidden;
  const line = text.slice(0, Math.max(text.indexOf(address), 0)).split('\n').length;
  return { entry, at: `${quoted(entry)} (${nameText(file)}:${line})` };
}

/** The variable that lists the key services that may be asked. */
const ALLOWED = 'MESHFORM_SOPS_ALLOW';

const missing: Undecrypted = {
  why: 'it is not there',
  hint: 'paths start at the folder of the files, and cannot leave it',
};

/** Exit codes of `sops` with a reason that the user can act on. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: '`sops` is not installed, or not on the PATH',
  EACCES: '`sops` is not executable',
  1: '`sops` failed',
  24: 'its checksum cannot be decrypted with the available key',
  25: 'a value in it cannot be decrypted: the file was changed, or the value was moved',
  51: 'its checksum does not match: the file was changed',
  52: 'it has no checksum',
  128: 'none of its keys is available',
};

function reasonOf(error: unknown): string {
  const { code, killed } = error as { readonly code?: number | string; readonly killed?: boolean };
  if (killed) return `\`sops\` did not finish within ${LONGEST / 1000} seconds`;
  return REASONS[String(code)] ?? `\`sops\` ended with ${code}`;
}
