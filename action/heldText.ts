// A text that programs of this user can read at a path for as long as this process holds it. If the system allows it, the text is
// in a file without a name, so that a killed process leaves nothing behind.
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
  /** Makes the text unreadable. A second call has no effect. */
  readonly erase: () => void;
  /** Frees the file. The path must not be used afterwards. */
  readonly release: () => void;
}

/** Holds settings of git at a path at which git can read them. */
export async function holdSettings(text: string, env: NodeJS.ProcessEnv): Promise<HeldText> {
  const nameless = withoutName(text, freshFolder(env));
  if (await isReadable(nameless.path, env)) return nameless;
  nameless.release();
  return inNewFile(text, freshFolder(env));
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

// Holds a text in a file whose name is removed before the text is written. The system frees the file when this process ends, even
// if it is killed.
function withoutName(text: string, folder: string): HeldText {
  const named = join(folder, 'git.config');
  const file = openSync(named, O_RDWR | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
  unlinkSync(named);
  rmdirSync(folder);
  writeFileSync(file, text);
  return {
    // Such a path exists only on Linux.
    path: `/proc/${process.pid}/fd/${file}`,
    // The file stays open, because otherwise another file could get its number, and be readable at the path.
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

// Whether git can read the path. Other systems have no such path, and the files of a process with special privileges are hidden.
async function isReadable(path: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const asked = ['config', '--file', path, '--list', '--name-only'];
  const answer = await startGit(asked, {}, ordinaryEnvironment({ env })).catch(() => '');
  return answer.length > 0;
}
