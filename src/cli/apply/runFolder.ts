// Checks that a named run belongs to the folder of the command, because the command uses the files,
// settings and guards of that folder.
import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Plan } from '../../model/plan.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { pathText, quoted } from '../../model/text/visible.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import { folderOf, realOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/** The operation on a run that the user requests. */
export interface RunUse {
  readonly verb: 'resume' | 'undo' | 'abandon';
  /** The run as the user names it, by its id or by its journal. */
  readonly chosen: string;
  /** The path that the user gives, or the working directory. */
  readonly path: string;
}

/**
 * Throws a `Stop` if a run belongs to another folder than the path of the command. A folder that no
 * longer exists is accepted, because it may have been renamed to this path.
 */
export function refuseOtherFolder(
  plan: Pick<Plan, 'folder' | 'base'>,
  { verb, chosen, path }: RunUse,
  { cwd }: Pick<Io, 'cwd'>,
): void {
  const asked = realOf(folderOf(resolve(cwd, path)));
  const there = placeOf(plan, asked, cwd);
  if (!existsSync(there)) return;
  const folder = realOf(folderOf(there));
  // Without a path, the command also accepts folders below the working directory.
  const isBelow = asked === realOf(cwd) && !isOutside(relative(asked, folder));
  if (folder === asked || isBelow) return;
  const named = nearPath(cwd, there);
  const own = nearPath(cwd, resolve(cwd, path)) || '.';
  throw new Stop(
    EXIT.refused,
    `the run ${quoted(chosen)} belongs to the folder ${pathText(named)}, not to ${pathText(own)}`,
    `${HINT[verb]} there: \`meshform apply ${shellWord(named)} --${verb} ${shellWord(chosen)}\``,
  );
}

const HINT = { resume: 'continue it', undo: 'undo it', abandon: 'close it' } as const;

const isOutside = (path: string): boolean => path === '..' || path.startsWith(`..${sep}`);

// A journal of another machine contains the path of the folder in the repository.
function placeOf({ folder, base }: Pick<Plan, 'folder' | 'base'>, asked: string, cwd: string) {
  const recorded = base?.content?.folder;
  const root = repositoryOf(asked)?.root;
  return recorded === undefined || root === undefined ? resolve(cwd, folder) : join(root, recorded);
}
