// An unfinished apply, for people and for programs.
import type { Address } from '../../model/names.ts';
import type { ReportedRun, StoppedBy } from '../../model/reportedRun.ts';
import { shortRun } from '../../model/runName.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';

/** How a command treats unfinished applies. */
export interface UnfinishedUse {
  /** Whether objects that unfinished applies created count as declared by the base. */
  readonly isCounted: boolean;
  /** Whether the command only makes a plan. Then the command may lack a key that the apply has. */
  readonly isOnlyPlanned?: boolean;
  /** Whether the command reports drift. */
  readonly isDrift?: boolean;
}

/**
 * A note about an unfinished apply: its revision, the objects that it created and changed, what happens to them, and how to
 * continue, undo or close the run.
 */
export function unfinishedText(
  noted: ReportedRun,
  { isCounted, isOnlyPlanned = false, isDrift = false }: UnfinishedUse,
): string {
  const { run, began = '', by, created, awaitsBase, holdsLock, stopped } = noted;
  if (noted.lostSince !== undefined) return lostText(noted, noted.lostSince);
  const whose = by === undefined ? '' : ` by ${nameText(by)}`;
  const short = shortRun(run);
  const named = `note: the apply ${short} of ${nameText(began)}${whose}${revisionText(noted)}${folderText(noted)}`;
  if (holdsLock) {
    const left = isDrift
      ? 'its changes may be reported as drift'
      : 'objects that it creates are not in this plan';
    return `${named} holds the lock of the account: it is under way, or its machine is lost (see \`meshform lock show FOLDER\`); ${left}`;
  }
  const what = awaitsBase ? 'is complete, but its base is not recorded' : 'was not finished';
  const head = `${named} ${what}${stoppedText(stopped)}`;
  if (created === undefined) {
    if (noted.isForged)
      return `${named} has a journal whose last line says that it is finished. That line is not signed: somebody added it, and meshform ignores it. Look at \`meshform runs show ${short} FOLDER\` and at the account, and undo the apply on the machine that has its own journal`;
    const unsigned = `${head}, and no key of this run signed its journal`;
    return isCounted && isOnlyPlanned
      ? `${unsigned}: this plan omits the objects that the run created; an apply with the right key deletes those that no file declares`
      : `${unsigned}: meshform ignores it`;
  }
  if (noted.formerFolder !== undefined)
    return `${head}: ${createdText(noted, created, false)}; undo it with \`meshform apply --undo ${short}\`, or close it with \`--abandon ${short}\``;
  const done = `${createdText(noted, created, isCounted)}${changedText(noted)}`;
  return `${head}: ${done}; ${nextText(noted)} \`--abandon ${short}\``;
}

// Why an apply will not be continued.
function stoppedText(stopped: StoppedBy | undefined): string {
  switch (stopped?.as) {
    case undefined:
      return '';
    case 'apply':
      return `, and the later apply ${shortRun(stopped.by)} is complete`;
    case 'undo':
      return `, and the run ${shortRun(stopped.by)} undid it`;
    case 'unfinished undo':
      return `, and its undo ${shortRun(stopped.by)} has begun`;
    case 'base':
      return ', and an apply has recorded a base since';
    case 'closed':
      return ', and the recorded base says that it is closed';
  }
}

// The user's options for an unfinished apply; the last is the command that closes it.
function nextText({ run, awaitsBase, stopped }: ReportedRun): string {
  const short = shortRun(run);
  const resume = `\`meshform apply --resume ${short}\``;
  if (awaitsBase) {
    const record = stopped ? '' : `record it with ${resume}; `;
    return `${record}a complete apply of these files with --prune removed closes it, or`;
  }
  if (stopped?.as === 'unfinished undo')
    return `continue the undo with \`meshform apply --resume ${shortRun(stopped.by)}\`, or close the apply with`;
  const undo = `undo it with \`meshform apply --undo ${short}\``;
  return stopped
    ? `${undo}, or close it with`
    : `continue it with ${resume}, ${undo}, or close it with`;
}

const folderText = ({ formerFolder }: ReportedRun): string =>
  formerFolder === undefined
    ? ''
    : ` of the folder ${quoted(formerFolder)}, which has no files in this checkout,`;

// The text for a run whose actions are unknown: a person has to look at the account.
function lostText({ run, formerFolder }: ReportedRun, since: string): string {
  const short = shortRun(run);
  const whose = formerFolder === undefined ? '' : ` of ${quoted(formerFolder)}`;
  return `note: the apply ${short} was unfinished when the base${whose} of ${nameText(since)} was recorded, and its journal is gone from the remote, or no key of this run signed it. What the apply created may still be in the account, and no apply takes it back. Look at the account, at \`meshform runs FOLDER\` on the machine that ran the apply, and at \`meshform events audit\`; then \`meshform apply --abandon ${short}\` ends this note`;
}

function revisionText({ revision, isElsewhere = false }: ReportedRun): string {
  if (revision === undefined) return '';
  const named = ` of the revision ${nameText(revision.slice(0, 12))}`;
  return isElsewhere ? `${named}, which is not in the history of this clone,` : named;
}

function createdText(
  { unproven = [], isDeclared }: ReportedRun,
  created: readonly Address[],
  isCounted: boolean,
): string {
  const nothing = unproven.length === 0 ? 'it created nothing' : 'it provably created nothing';
  const made = created.length === 0 ? nothing : `it created ${created.join(', ')}`;
  const isOne = created.length === 1;
  const stays = isOne ? 'stays' : 'stay';
  const fate = isCounted && isDeclared ? `${isOne ? 'is' : 'are'} deleted` : stays;
  const left =
    created.length === 0 ? '' : `, which ${fate} if no file declares ${isOne ? 'it' : 'them'}`;
  const doubt =
    unproven.length === 0
      ? ''
      : `; nothing proves whether it created ${unproven.join(', ')}, which ${unproven.length === 1 ? 'stays if no file declares it' : 'stay if no file declares them'}`;
  return `${made}${left}${doubt}`;
}

// A sentence about the changes of a run whose revision is not in the history of this clone. Empty for other runs, because files
// whose history contains the revision have either kept or reverted the changes.
function changedText({ isElsewhere, changed = [], perhapsChanged = [] }: ReportedRun): string {
  if (!isElsewhere || changed.length + perhapsChanged.length === 0) return '';
  const done = [
    ...(changed.length > 0 ? [`changed ${namesIn(changed)}`] : []),
    ...(perhapsChanged.length > 0 ? [`may have changed ${namesIn(perhapsChanged)}`] : []),
  ];
  return `; it ${done.join(', and ')}; a plan of these files reverts changes that they do not declare`;
}

const SHOWN = 10;

const namesIn = (addresses: readonly Address[]): string =>
  addresses.length > SHOWN
    ? `${addresses.slice(0, SHOWN).join(', ')} and ${addresses.length - SHOWN} more`
    : addresses.join(', ');

/** An unfinished apply as JSON for programs. */
export function unfinishedDocument({
  run,
  isForged,
  began,
  by,
  revision,
  isElsewhere,
  created,
  unproven,
  changed,
  perhapsChanged,
  awaitsBase,
  holdsLock,
  formerFolder,
  lostSince,
  stopped,
}: ReportedRun): JsonObject {
  return {
    run,
    ...(began !== undefined && { began }),
    ...(isForged && { forged: true }),
    ...(by !== undefined && { by }),
    ...(revision !== undefined && { revision }),
    ...(isElsewhere !== undefined && { in_history: !isElsewhere }),
    ...(created && { created }),
    ...(unproven && { perhaps_created: unproven }),
    ...(changed && { changed }),
    ...(perhapsChanged && { perhaps_changed: perhapsChanged }),
    ...(awaitsBase && { awaits_base: true }),
    ...(holdsLock && { holds_lock: true }),
    ...(formerFolder !== undefined && { former_folder: formerFolder }),
    ...(lostSince !== undefined && { lost_since: lostSince }),
    ...(stopped && { resumable: false }),
  };
}
