// A text that programs of this user can read at a path for as long as this process holds it. Where the system allows it, no folder
// has a file with the text: a process that is killed leaves nothing behind.
import {
  closeSync,
  constants,
  ftruncateSync,
  openSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ordinaryEnvironment } from '../src/read/environment.ts';
import { startGit } from '../src/read/git/startGit.ts';
import { freshFolder, writeNewFile } from './folders.ts';

/** A text at a path. */
export interface HeldText {
  readonly path: string;
  /** From now on, nobody can read the text. Does nothing the second time. */
  readonly erase: () => void;
  /** Ends it. The path must not be used any more. */
  readonly release: () => void;
}

/** Holds settings of git, which git itself can read at the path. */
export async function holdSettings(text: string, env: NodeJS.ProcessEnv): Promise<HeldText> {
  const nameless = withoutName(text, freshFolder(env));
  if (await isReadable(nameless.path, env)) return nameless;
  nameless.release();
  return inNewFile(text, freshFolder(env));
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

// The file has lost its name before the text is written: the system frees it when this process ends, however it ends.
function withoutName(text: string, folder: string): HeldText {
  const named = join(folder, 'git.config');
  const file = openSync(named, O_RDWR | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
  unlinkSync(named);
  rmdirSync(folder);
  writeFileSync(file, text);
  return {
    // On Linux alone.
    path: `/proc/${process.pid}/fd/${file}`,
    // Without closing it: another file could get its number.
    erase: () => ftruncateSync(file),
    release: () => closeSync(file),
  };
}

function inNewFile(text: string, folder: string): HeldText {
  const path = join(folder, 'git.config');
  writeNewFile(path, text);
  const remove = () => rmSync(dirname(path), { recursive: true, force: true });
  return { path, erase: remove, release: remove };
}

// Other systems have no such path, and a process with rights of its own shows its files to nobody.
async function isReadable(path: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const asked = ['config', '--file', path, '--list', '--name-only'];
  const answer = await startGit(asked, {}, ordinaryEnvironment({ env })).catch(() => '');
  return answer.length > 0;
}
