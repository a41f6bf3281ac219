// The base of a folder after an undo. The undo records this base, so that every plan that reads it
// knows which changes the undo made.
import { resolve } from 'node:path';
import { baseRef } from '../../base/refName.ts';
import { dialectNamed } from '../../kinds/dialect/dialects.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { BaseContent } from '../../model/recordedBase.ts';
import { quoted } from '../../model/text/visible.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { gitFault } from '../../read/git/runGit.ts';
import { type StoredBase, storedBases } from '../../read/git/storedBases.ts';
import { pathInRepository } from '../../read/git/workRevision.ts';
import type { Locked } from '../lock/serverLock.ts';
import { baseAfterUndo, type PlannedUndo } from '../recordedBase/baseAfterUndo.ts';
import type { EndKeeper } from '../recordedBase/endsNotKept.ts';
import { placeOf } from '../recordedBase/gitPlace.ts';
import { olderBase } from '../recordedBase/older.ts';
import { unrecordable } from '../recordedBase/recordable.ts';
import { unverifiedBase } from '../recordedBase/verify.ts';
import type { ApplyRequest } from '../request.ts';

/** An undo of a run of the files in a folder. */
export interface UndoOfFolder extends Omit<PlannedUndo, 'plan'> {
  readonly plan: Plan;
  /** The plan of the run that the undo reverts. */
  readonly of: Pick<Plan, 'folder' | 'base'>;
}

/** The plan of an undo, with the base that it records. */
export interface RecordedUndo {
  readonly plan: Plan;
  readonly isRecorded: boolean;
  /** Where the expiry times of the restored objects and members are stored. */
  readonly keeper: EndKeeper;
  /** The warning that the base cannot be recorded. */
  readonly warnings: readonly Diagnostic[];
}

/**
 * The plan of an undo. If the current base of the folder does not declare what the undo writes, the
 * plan contains the next base. If that base cannot be recorded, the undo continues with a warning.
 * Rejects if git fails.
 */
export async function withUndoneBase(
  undo: UndoOfFolder,
  request: ApplyRequest,
  lock: Locked,
): Promise<RecordedUndo> {
  const { plan, of } = undo;
  const stored = await baseOfFolder(undo, request);
  if (stored === undefined) return { plan, isRecorded: false, keeper: 'journal', warnings: [] };
  if ('why' in stored) return unrecorded(undo, `: ${stored.why}`);
  const { kinds, secrets, host } = request;
  const { mark } = secrets.sources(of.folder);
  const recording = { kinds, dialect: dialectNamed(plan.dialect), mark };
  const after = baseAfterUndo(stored.base, undo, recording);
  if (after === null) return { plan, isRecorded: false, keeper: 'base', warnings: [] };
  const recorded: Plan = {
    ...plan,
    folder: of.folder,
    revision: stored.base.revision,
    base: {
      commits: [stored.commit],
      recorded: stored.commit,
      unpruned: [],
      content: { ...contentOf(stored), ...after },
    },
  };
  const known = { host, signer: lock.signer, journals: lock.account?.store?.journals };
  const refusal =
    (await unverifiedBase(recorded, host, lock.signer)) ??
    (await olderBase(recorded, { ...known, isRecording: true })) ??
    (await unrecordable(recorded, host));
  if (refusal === null) return { plan: recorded, isRecorded: true, keeper: 'base', warnings: [] };
  return unrecorded(
    undo,
    'why' in refusal && typeof refusal.why === 'string' ? `: ${refusal.why}` : '',
  );
}

const unrecorded = ({ plan, of }: UndoOfFolder, why: string): RecordedUndo => ({
  plan,
  isRecorded: false,
  keeper: 'nothing',
  warnings: [notRecorded(of.folder, why)],
});

// The base of the folder; undefined if the folder has no base or is in no repository. If the folder
// has no other base, an unreadable base counts, because it may belong to the folder under another
// name.
async function baseOfFolder(
  { plan: { account }, of: { folder, base } }: UndoOfFolder,
  { host }: ApplyRequest,
): Promise<StoredBase | { readonly why: string } | undefined> {
  const path = resolve(host.cwd, folder);
  if (account === undefined || repositoryOf(path) === null) return undefined;
  const { name } = base?.content ?? {};
  const own = { folder: pathInRepository(path), ...(name !== undefined && { name }) };
  const ref = baseRef(account, own);
  const all = await storedBases(placeOf(folder, host), account).catch((error: unknown) => [
    { ref, why: gitFault(error).why },
  ]);
  const readable = all.flatMap(one =>
    'why' in one || one.base.folder !== own.folder ? [] : [one],
  );
  const named = readable.find(one => one.base.name === name);
  if (named !== undefined) return named;
  const unreadable = all.flatMap(one => ('why' in one ? [one] : []));
  const broken = unreadable.find(one => one.ref === ref);
  const found = broken ?? readable[0] ?? unreadable[0];
  if (found === undefined || !('why' in found)) return found;
  return { why: `the base at ${quoted(found.ref)} cannot be read: ${found.why}` };
}

function contentOf({ base }: StoredBase): BaseContent {
  const { account: _, revision: __, recordedAt: ___, before: ____, ...rest } = base;
  const { unfinished: _____, closed: ______, undone: _______, ...content } = rest;
  return content;
}

function notRecorded(folder: string, why: string): Diagnostic {
  return {
    code: 'UNDO_NOT_RECORDED',
    severity: 'warning',
    message: `the base of ${quoted(folder)} cannot be recorded${why}; so no later apply removes what this undo restores and the files do not declare`,
    hint: 'note what this undo restores; to remove it again later, delete it by hand or apply the files with `--prune unmanaged`',
  };
}
