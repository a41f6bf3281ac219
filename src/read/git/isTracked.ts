// Checks whether a commit can change a file, because a pull request may replace a folder of desired state with a saved plan.
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
import type { ProgramHost } from '../environment.ts';
import { repositoryOf } from './repository.ts';
import { type GitFault, git, gitFault } from './runGit.ts';

/** The maximum number of links in a path, as in file systems. */
const MOST_LINKS = 40;

/** Whether git tracks the file at an absolute path, or a link on the way to it; if git cannot tell, the reason. */
export async function isTracked(path: string, host: ProgramHost): Promise<boolean | GitFault> {
  try {
    for (const one of [...wayTo(path)]) if (await isListed(one, host)) return true;
    return false;
  } catch (error) {
    return gitFault(error);
  }
}

/** The links on the way to a file, and the file itself. The path of each contains no links before its last part. */
function* wayTo(path: string): Generator<string> {
  const { root } = parse(path);
  let at = root;
  let ahead = relative(root, path).split(sep);
  for (let links = 0; ahead.length > 0 && links <= MOST_LINKS; ) {
    const [part = '', ...rest] = ahead;
    const here = resolve(at, part);
    const target = linkAt(here);
    if (target === null) {
      at = here;
      ahead = rest;
      continue;
    }
    yield here;
    links += 1;
    const to = parse(target).root;
    if (to !== '') at = to;
    ahead = [...(to === '' ? target : relative(to, target)).split(sep), ...rest];
  }
  yield at;
}

function linkAt(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

async function isListed(path: string, host: ProgramHost): Promise<boolean> {
  // Searched from the folder that contains the path, because git does not look behind a link.
  const repository = repositoryOf(dirname(path));
  if (repository === null) return false;
  const place = { folder: repository.root, host };
  const file = relative(repository.root, join(dirname(path), parse(path).base));
  const answer = await git(place, ['ls-files', '-z', '--', file.split(sep).join('/')]);
  return answer.length > 0;
}
