// Refuses to use a base for a single file, because a base belongs to a folder. A separate base for
// one of its files would declare the same objects twice.
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { shellWord } from '../../model/text/shellWord.ts';
import { pathText, quoted } from '../../model/text/visible.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/**
 * The purpose of a base: to record it, to compare files with it, or to name it in a command about
 * the base itself.
 */
type Use = 'record' | 'compare' | 'command';

/**
 * Throws a `Stop` if the path is one of several files of a folder. Such a file has no base, and
 * none can be recorded for it.
 */
export function refuseBaseOfFile(path: string, use: Use, { cwd }: Pick<Io, 'cwd'>): void {
  const file = resolve(cwd, path);
  if (!isFile(file) || othersBeside(file).length === 0) return;
  const folder = nearPath(cwd, dirname(file)) || '.';
  throw new Stop(
    EXIT.usage,
    `a base belongs to a folder, and ${pathText(nearPath(cwd, file))} is one of several files of ${pathText(folder)}`,
    HINTS[use](folder),
  );
}

const HINTS: Readonly<Record<Use, (folder: string) => string>> = {
  record: folder =>
    `name the folder, and limit the run to some objects: \`meshform apply ${shellWord(folder)} --only KIND/NAME\``,
  compare: folder =>
    `name the folder in its place, ${quoted(folder)}; \`--only KIND/NAME\` limits the run to some objects`,
  command: folder => `name the folder in its place, ${quoted(folder)}`,
};

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function othersBeside(file: string): readonly string[] {
  const own = basename(file);
  return readdirSync(dirname(file)).filter(
    name => /\.ya?ml$/.test(name) && name !== PROJECT_FILE && name !== own,
  );
}
