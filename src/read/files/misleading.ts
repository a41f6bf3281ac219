// Links that lead a write elsewhere than whoever started the run meant: a commit has put them into a checkout, or another user of the
// machine into a folder that users share.
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { LEADS_OUT, ledOutOfCheckout } from './checkoutLink.ts';
import { ForeignFile, isForeign, type Owner, ownerIn } from './owners.ts';
import { onTheWayTo } from './wayTo.ts';

/** Why nothing is written at a path. */
export interface Misleading {
  /** Completes "… cannot be written: ". */
  readonly why: string;
  /** Another user of the machine has prepared it. */
  readonly isForeign?: true;
  /** Where a link of a checkout leads: whoever means that can name it. */
  readonly target?: string;
}

/** A link on the way to a path that keeps it from being written to; null if there is none. The path may be of something new. */
export function misleadingLink(path: string): Misleading | null {
  const target = ledOutOfCheckout(path);
  if (target === null) return foreignLink(path);
  return { why: `${LEADS_OUT}, to ${quoted(target)}`, target };
}

/** The same of links of other users alone. */
export function foreignLink(path: string): Misleading | null {
  for (const { at, stats } of onTheWayTo(path)) {
    const owner = stats.isSymbolicLink() ? ownerIn(stats) : undefined;
    if (!isForeign(owner) || isOwnMatter(at, owner)) continue;
    const what = at === path ? 'it' : quoted(at);
    return { why: `${what} is a link of another user (uid ${owner.uid})`, isForeign: true };
  }
  return null;
}

/** Throws if such a link is on the way to a path: a `ForeignFile` for one of another user. */
export function refuseMisleading(path: string, find = misleadingLink): void {
  const found = find(path);
  if (found !== null) throw found.isForeign ? new ForeignFile(found.why) : new Error(found.why);
}

// Whether the owner of a link could as well have put what it leads to in its place, as in a checkout of another user: the folder with the
// link is theirs, and so is what it leads to, or the folder with that.
function isOwnMatter(link: string, { uid }: Owner): boolean {
  try {
    const target = realpathSync(link);
    const isTheirs = (path: string) => statSync(path).uid === uid;
    return isTheirs(dirname(link)) && (isTheirs(target) || isTheirs(dirname(target)));
  } catch {
    return false;
  }
}
