// The next plan of files after an export into them.

import type { Planned } from '../../engine/plan/plan.ts';
import type { PlanSettings } from '../../engine/types/settings.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { objectsOf } from '../../read/git/storedBases.ts';
import type { DesiredState } from '../loading/desiredState.ts';
import type { UnreadAccount } from '../unreadAccount.ts';
import type { AccountExport } from './exportAccount.ts';

/**
 * The findings of the next plan of the files against an exported account, with the recorded base of their folder and with
 * deletions of undeclared objects. Only the kinds in `known` were read.
 */
export async function nextPlan(
  {
    desired,
    stored,
    others = [],
    known,
    now,
  }: Pick<DesiredState, 'desired' | 'stored' | 'others'> & {
    readonly known: ReadonlySet<KindName>;
    readonly now: number;
  },
  { kinds, transport }: UnreadAccount,
  { snapshot }: Pick<AccountExport, 'snapshot'>,
): Promise<Planned> {
  const [{ declarationsOf }, { knownNames }, { plannedWithNames }] = await Promise.all([
    import('../names/declarations.ts'),
    import('../names/knownNames.ts'),
    import('../names/plannedWithNames.ts'),
  ]);
  const { dialect } = snapshot;
  const isKnown = ({ kind }: Pick<Desired, 'kind'>) => known.has(kind);
  const recordedNow = stored ? objectsOf(stored, kinds).filter(isKnown) : [];
  const ids = (stored?.base.ids ?? []).filter(isKnown);
  const elsewhere = others.map(({ files, base, ids: named, ...other }) => ({
    ...other,
    files: files.filter(isKnown),
    base: base.filter(isKnown),
    ...(named && { ids: named.filter(isKnown) }),
  }));
  const given = { desired: desired.filter(isKnown), base: recordedNow, ids, others: elsewhere };
  const declarations = declarationsOf(given, kinds, undefined);
  const lookup = { kinds, dialect, recordedNow, transport };
  const names = await knownNames(declarations, snapshot, lookup);
  const prune = stored ? 'removed' : 'none';
  const settings: PlanSettings = { dialect, now, prune, allow: [], thresholds: {} };
  const input = { ...names.input, kinds, settings, folder: '' };
  return plannedWithNames(input, names.ids, transport);
}
