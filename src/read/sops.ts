// Files encrypted with SOPS, opened by the installed `sops`: it supports every type of key (age, PGP, cloud keys), and
// it checks the integrity of the file.
import { promisify } from 'node:util';
import { shellWord } from '../model/text/shellWord.ts';
import type { Decrypt, Undecrypted } from '../source/values/openSecret.ts';
import { foreignEnvironment, type ProgramHost } from './environment.ts';
import { fileInside } from './files/inputs.ts';

const LARGEST_ANSWER = 16 * 1024 * 1024;
/** In milliseconds: a key may be on a hardware token that must be touched. */
const LONGEST = 120_000;

/**
 * Decrypts files inside `folder`, each once. `sops` finds itself and its keys by the environment. Its messages are not printed,
 * because they may repeat what it read.
 */
export function sopsFiles(folder: string, host: ProgramHost): Decrypt {
  const opened = new Map<string, Promise<string | Undecrypted>>();
  return (file, as) => {
    const known = opened.get(`${as} ${file}`) ?? decrypt(folder, file, as, host);
    opened.set(`${as} ${file}`, known);
    return known;
  };
}

async function decrypt(
  folder: string,
  file: string,
  as: 'json' | 'text',
  host: ProgramHost,
): Promise<string | Undecrypted> {
  const path = fileInside(folder, file);
  if (path === undefined) return missing;
  const form = as === 'json' ? ['--output-type', 'json'] : [];
  try {
    const { execFile } = await import('node:child_process');
    const { stdout } = await promisify(execFile)('sops', ['--decrypt', ...form, path], {
      ...{ maxBuffer: LARGEST_ANSWER, timeout: LONGEST, env: foreignEnvironment(host) },
    });
    return stdout;
  } catch (error) {
    return { why: reasonOf(error), hint: `see what \`sops --decrypt ${shellWord(file)}\` says` };
  }
}

const missing: Undecrypted = {
  why: 'it is not there',
  hint: 'paths start at the folder of the files, and cannot leave it',
};

/** Exit codes of `sops` that people can act on. */
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
