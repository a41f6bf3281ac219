// Plans files after an export has written into them. Its inputs are the same as those of the
// command `plan`.

import type { Planned } from '../../engine/plan/plan.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { objectsOf } from '../../read/git/storedBases.ts';
import type { DesiredState } from '../loading/desiredState.ts';
import type { PlanRequest, StateToPlan } from '../planning/planRequest.ts';
import type { UnreadAccount } from '../unreadAccount.ts';
import type { AccountExport } from './exportAccount.ts';

/**
 * Files, and everything on which a plan of them depends: their base, the bases of other folders, and what unfinished applies
 * left.
 */
export type FilesToPlan = Pick<
  DesiredState,
  'desired' | 'base' | 'recorded' | 'stored' | 'unstored' | 'others' | 'left'
>;

/** How the next plan is made. `known`: the kinds that were read. */
export interface Judging extends Pick<PlanRequest, 'now' | 'mark'> {
  readonly known: ReadonlySet<KindName>;
}

/**
 * The findings of the next plan of the files, computed against an exported account. The plan uses
 * the recorded base of the folder, and deletes undeclared objects.
 */
export async function nextPlan(
  files: FilesToPlan,
  { known, ...settings }: Judging,
  { kinds, transport }: UnreadAccount,
  { snapshot }: Pick<AccountExport, 'snapshot'>,
): Promise<Planned> {
  const [{ declarationsOf }, { knownNames }, { filesInput }, { plannedWithNames }] =
    await Promise.all([
      import('../names/declarations.ts'),
      import('../names/knownNames.ts'),
      import('../planning/filesInput.ts'),
      import('../names/plannedWithNames.ts'),
    ]);
  const { dialect } = snapshot;
  const isKnown = ({ kind }: Pick<Desired, 'kind'>) => known.has(kind);
  const state = amongKinds(files, isKnown);
  const recordedNow = files.stored ? objectsOf(files.stored, kinds).filter(isKnown) : [];
  const ids = (files.stored?.base.ids ?? []).filter(isKnown);
  const declarations = declarationsOf({ ...state, ids }, kinds, settings.mark);
  const names = await knownNames(declarations, snapshot, {
    kinds,
    dialect,
    recordedNow,
    transport,
    ...settings,
  });
  const prune = files.recorded?.hasBase ? 'removed' : 'none';
  const request = { ...settings, prune, allow: [], thresholds: {}, concurrency: 1 } as const;
  const { input } = await filesInput({ ...state, declarations, names }, kinds, request);
  return plannedWithNames(input, names.ids, transport);
}

// The files and bases, without kinds that were not read, because objects of these kinds would look
// deleted.
function amongKinds(
  { desired, base, recorded, others = [], left, stored, unstored }: FilesToPlan,
  isKnown: (object: Pick<Desired, 'kind'>) => boolean,
): StateToPlan {
  return {
    folder: '',
    desired: desired.filter(isKnown),
    base: base.filter(isKnown),
    recorded: recorded && { ...recorded, objects: recorded.objects.filter(isKnown) },
    others: others.map(({ files, base: theirs, ids, ...other }) => ({
      ...other,
      files: files.filter(isKnown),
      base: theirs.filter(isKnown),
      ...(ids && { ids: ids.filter(isKnown) }),
    })),
    ...(stored && { stored }),
    ...(left && { left }),
    unstored: unstored?.filter(isKnown),
  };
}
