// The notes of a command about an unfinished apply.
import type { NotedRun } from '../../apply/note.ts';
import { shortRun } from '../../model/runName.ts';
import { nameText } from '../../model/text/visible.ts';

/** How a command treats unfinished applies. */
export interface UnfinishedUse {
  /** Whether the objects that they created count as declared by the base. */
  readonly isCounted: boolean;
  /** Whether the command only plans: an apply may have a key that the command lacks. */
  readonly isOnlyPlanned?: boolean;
}

/** A note about an unfinished apply: what it created, what becomes of that, and how the run is continued or closed. */
export function unfinishedText(
  { run, began, by, created, unproven = [], isDeclared, awaitsBase, holdsLock }: NotedRun,
  { isCounted, isOnlyPlanned = false }: UnfinishedUse,
): string {
  const whose = by === undefined ? '' : ` by ${nameText(by)}`;
  const short = shortRun(run);
  const named = `note: the apply ${short} of ${nameText(began)}${whose}`;
  if (holdsLock)
    return `${named} holds the lock of the account: it is under way, or its machine is lost (see \`meshform lock show\`); what it creates is not in this plan`;
  const what = awaitsBase ? 'did everything, but its base is not recorded' : 'was not finished';
  const head = `${named} ${what}`;
  if (created === undefined) {
    const unsigned = `${head}, and no key of this run signed its journal`;
    return isCounted && isOnlyPlanned
      ? `${unsigned}: it is not in this plan, and an apply with that key deletes what it created and no file declares`
      : `${unsigned}: it decides nothing`;
  }
  const nothing = unproven.length === 0 ? 'it created nothing' : 'it provably created nothing';
  const made = created.length === 0 ? nothing : `it created ${created.join(', ')}`;
  const isOne = created.length === 1;
  const stays = isOne ? 'stays' : 'stay';
  const fate = isCounted && isDeclared ? `${isOne ? 'is' : 'are'} deleted` : stays;
  const left =
    created.length === 0 ? '' : `, which ${fate} if no file declares ${isOne ? 'it' : 'them'}`;
  const next = awaitsBase
    ? `record it with \`meshform apply --resume ${short}\`; a complete apply of these files with --prune removed closes it, or`
    : `continue it with \`meshform apply --resume ${short}\`, or close it with`;
  const doubt =
    unproven.length === 0
      ? ''
      : `; nothing proves whether it created ${unproven.join(', ')}, which ${unproven.length === 1 ? 'stays if no file declares it' : 'stay if no file declares them'}`;
  return `${head}: ${made}${left}${doubt}; ${next} \`--abandon ${short}\``;
}
