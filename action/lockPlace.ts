// Whether the lock of a run is a file. A run with such a lock uses the bases in the checkout, so the job fetches bases before the
// run, and pushes the recorded ones after it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findAllUpwards } from '../src/read/files/projectFilesAbove.ts';
import type { Settings } from './settings.ts';

/**
 * Whether the lock of a run in the folder `cwd` may be a file, by `--lock` or by a project file. The project files are searched
 * as text, because the action has no YAML parser if it runs a packed version of meshform. A text that only looks like the setting
 * is harmless: with the lock in the remote, the bases that are fetched before an apply and pushed after it are those of the
 * remote.
 */
export async function mayLockInFile(settings: Settings, cwd: string): Promise<boolean> {
  const asked = lockFlag(settings.args);
  if (asked !== undefined) return asked === 'file';
  const files = await findAllUpwards(folderOf(settings, cwd), 'meshform.yaml');
  return files.some(({ text = '' }) => IN_FILE.test(text));
}

const IN_FILE = /\block["']?\s*:\s*["']?file\b/;

function lockFlag(args: readonly string[]): string | undefined {
  const flags = args.flatMap((word, i) => {
    if (word === '--lock') return args[i + 1] ?? '';
    return word.startsWith('--lock=') ? word.slice('--lock='.length) : [];
  });
  return flags.at(-1);
}

// The folder of a run; for a saved plan, the folder that the plan names. If the plan cannot be read, meshform reports why.
function folderOf({ command, path, plan }: Settings, cwd: string): string {
  if (command !== 'apply' || plan === '') return resolve(cwd, path);
  try {
    const { meshform } = JSON.parse(readFileSync(resolve(cwd, plan), 'utf8'));
    return resolve(cwd, String(meshform.folder));
  } catch {
    return resolve(cwd, path);
  }
}
