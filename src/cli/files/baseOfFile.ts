// A base belongs to a folder. The base of one of its files would declare the same objects a second time.
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { shellWord } from '../../model/text/shellWord.ts';
import { pathText } from '../../model/text/visible.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/** Throws a `Stop` if a base would be recorded for one of several files of a folder. */
export function refuseBaseOfFile(path: string, { cwd }: Pick<Io, 'cwd'>): void {
  const file = resolve(cwd, path);
  if (!isFile(file) || othersBeside(file).length === 0) return;
  const folder = nearPath(cwd, dirname(file)) || '.';
  throw new Stop(
    EXIT.usage,
    `a base belongs to a folder, and ${pathText(nearPath(cwd, file))} is one of several files of ${pathText(folder)}`,
    `name the folder, and limit the run to some objects: \`meshform apply ${shellWord(folder)} --only KIND/NAME\``,
  );
}

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function othersBeside(file: string): readonly string[] {
  const own = basename(file);
  return readdirSync(dirname(file)).filter(
    name => /\.ya?ml$/.test(name) && name !== PROJECT_FILE && name !== own,
  );
}
