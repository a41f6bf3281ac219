// Whether a commit can bring a file: a pull request may replace a folder of desired state with a saved plan.
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
import type { ProgramHost } from '../environment.ts';
import { repositoryOf } from './repository.ts';
import { type GitFault, git, gitFault } from './runGit.ts';

/** A file with links may lead through no more of them than file systems follow. */
const MOST_LINKS = 40;

/** Whether git tracks the file at an absolute path, or a link on the way to it; why, if git cannot tell. */
export async function isTracked(path: string, host: ProgramHost): Promise<boolean | GitFault> {
  try {
    for (const one of [...wayTo(path)]) if (await isListed(one, host)) return true;
    return false;
  } catch (error) {
    return gitFault(error);
  }
}

/** The links on the way to a file, and the file itself, each with no link in the path before it. */
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
  // The folder that has it, because git does not look behind a link.
  const repository = repositoryOf(dirname(path));
  if (repository === null) return false;
  const place = { folder: repository.root, host };
  const file = relative(repository.root, join(dirname(path), parse(path).base));
  const answer = await git(place, ['ls-files', '-z', '--', file.split(sep).join('/')]);
  return answer.length > 0;
}
