// Finds entries that lead a write to a place that the user did not intend. A commit can place a link in a checkout, and another user of the
// machine can place a link or a folder where others may write.
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { LEADS_OUT, ledOutOfCheckout } from './checkoutLink.ts';
import { onTheWayTo } from './entriesOnPath.ts';
import { isForeign, type Owner, ownerIn } from './owners.ts';
import { othersWrite } from './ownFolder.ts';

/** Why nothing is written at a path. */
export interface Misleading {
  /** Completes "… cannot be written: ". */
  readonly why: string;
  /** True if another user of the machine has prepared the entry. */
  readonly isForeign?: true;
  /** The target of a link in a checkout. A user who intends to write there can name the target instead. */
  readonly target?: string;
}

/** Why a link or a folder on the way to a path forbids writing to the path; null if none does. The path need not exist. */
export function misleadingWay(path: string): Misleading | null {
  const target = ledOutOfCheckout(path);
  if (target === null) return foreignWay(path);
  return { why: `${LEADS_OUT}, to ${quoted(target)}`, target };
}

function foreignWay(path: string): Misleading | null {
  for (const { at, stats } of onTheWayTo(path)) {
    const owner = ownerIn(stats);
    if (!isForeign(owner)) continue;
    const what = at === path ? 'it' : quoted(at);
    const whose = `of another user (uid ${owner.uid})`;
    if (stats.isSymbolicLink()) {
      if (!isOwnMatter(at, owner)) return { why: `${what} is a link ${whose}`, isForeign: true };
    } else if (stats.isDirectory() && isPrepared(at, owner)) {
      const where = `in a folder in which others can write`;
      return { why: `${what} is a folder ${whose}, ${where}`, isForeign: true };
    }
  }
  return null;
}

// Whether the owner of a link could just as well have put the target in its place, as in a checkout of another user. That is so
// if they own the folder with the link, and also the target or its folder.
function isOwnMatter(link: string, { uid }: Owner): boolean {
  try {
    const target = realpathSync(link);
    const isTheirs = (path: string) => statSync(path).uid === uid;
    return isTheirs(dirname(link)) && (isTheirs(target) || isTheirs(dirname(target)));
  } catch {
    return false;
  }
}

// Whether the owner of a folder could have made it where the user expects another one, as in `/tmp`. A home is not: only root can make it
// beside the others. Nor is a folder in a folder of the same owner.
function isPrepared(folder: string, { uid }: Owner): boolean {
  const above = statSync(dirname(folder), { throwIfNoEntry: false });
  return above !== undefined && above.uid !== uid && othersWrite(above);
}
