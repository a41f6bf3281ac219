// Where the lock of a run is. If it is a file, the bases of the checkout count: the job fetches them, and pushes what was recorded.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findAllUpwards } from '../src/read/files/projectFilesAbove.ts';
import type { Settings } from './settings.ts';

/**
 * Whether the lock of a run in the folder `cwd` may be a file, by `--lock` or by a project file. The text of the project files is searched, because a
 * packed version brings the parser of YAML along. A text that only looks like the setting does no harm: with the lock in the remote,
 * bases that are fetched before an apply and pushed after it are those of the remote.
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

// A saved plan names the folder of its files. The program says what is wrong with a plan that cannot be read.
function folderOf({ command, path, plan }: Settings, cwd: string): string {
  if (command !== 'apply' || plan === '') return resolve(cwd, path);
  try {
    const { meshform } = JSON.parse(readFileSync(resolve(cwd, plan), 'utf8'));
    return resolve(cwd, String(meshform.folder));
  } catch {
    return resolve(cwd, path);
  }
}
