// Finds links that lead a write to a place that the user did not intend. A commit can place such a link in a checkout, and
// another user of the machine can place it in a shared folder.
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { LEADS_OUT, ledOutOfCheckout } from './checkoutLink.ts';
import { onTheWayTo } from './entriesOnPath.ts';
import { ForeignFile, isForeign, type Owner, ownerIn } from './owners.ts';

/** Why nothing is written at a path. */
export interface Misleading {
  /** Completes "… cannot be written: ". */
  readonly why: string;
  /** True if another user of the machine has prepared the link. */
  readonly isForeign?: true;
  /** The target of a link in a checkout. A user who intends to write there can name the target instead. */
  readonly target?: string;
}

/** Why a link on the way to a path forbids writing to the path; null if no link does. The path need not exist. */
export function misleadingLink(path: string): Misleading | null {
  const target = ledOutOfCheckout(path);
  if (target === null) return foreignLink(path);
  return { why: `${LEADS_OUT}, to ${quoted(target)}`, target };
}

/** Why a link of another user forbids writing to the path; null if no link does. */
export function foreignLink(path: string): Misleading | null {
  for (const { at, stats } of onTheWayTo(path)) {
    const owner = stats.isSymbolicLink() ? ownerIn(stats) : undefined;
    if (!isForeign(owner) || isOwnMatter(at, owner)) continue;
    const what = at === path ? 'it' : quoted(at);
    return { why: `${what} is a link of another user (uid ${owner.uid})`, isForeign: true };
  }
  return null;
}

/** Throws if `find` finds such a link on the way to a path: a `ForeignFile` for a link of another user, otherwise an `Error`. */
export function refuseMisleading(path: string, find = misleadingLink): void {
  const found = find(path);
  if (found !== null) throw found.isForeign ? new ForeignFile(found.why) : new Error(found.why);
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
