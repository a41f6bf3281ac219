// What a plan needs to know about earlier applies of the folder: the changes and declarations of
// unfinished applies, the layers that applies used, and journals that cannot be verified.

import type { PlanInput } from '../../engine/scope/planInput.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LeftObjects } from '../../model/leftObjects.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { layersForgotten } from '../../read/git/layersLost.ts';
import type { PlanRequest, StateToPlan } from './planRequest.ts';

/**
 * What unfinished applies changed in the account, and what they declared. Few applies are
 * unfinished.
 */
export async function writtenByRuns(
  left: LeftObjects | undefined,
  { kinds, snapshot, others = [], settings }: PlanInput,
): Promise<Pick<PlanInput, 'leftChanges' | 'declaredByRuns'>> {
  // A machine stores the journals of all accounts of a server together.
  const written = (left?.written ?? []).filter(
    ({ plan: { account = snapshot.account } }) =>
      snapshot.account === undefined || account === snapshot.account,
  );
  if (written.length === 0) return {};
  const [{ leftChanges }, { declaredByRuns }, { othersInParts }, { inParts }] = await Promise.all([
    import('../../export/undo/leftChanges.ts'),
    import('../../base/declaredByRuns.ts'),
    import('../../engine/scope/partsElsewhere.ts'),
    import('../../engine/scope/parts.ts'),
  ]);
  const { dialect, now } = settings;
  const kept = othersInParts(others, kinds, dialect);
  const account = { kinds, dialect, objects: snapshot.objects, others: kept, now };
  return {
    leftChanges: leftChanges(written, account),
    declaredByRuns: declaredByRuns(written, kinds, all => inParts(all, kinds, dialect)),
  };
}

/** The error for a run that deletes, if it lacks a layer that an earlier apply of the folder used. */
export const forgottenLayers = (
  { layers = [], areLayersListed = false, left }: StateToPlan,
  { prune, onlyEnds = false }: Pick<PlanRequest, 'prune' | 'onlyEnds'>,
): readonly Diagnostic[] =>
  (prune === 'none' && !onlyEnds) || areLayersListed
    ? []
    : layersForgotten(layers, left?.layersBefore?.() ?? []);

/**
 * The warning about journals of this machine that cannot be verified. Nothing else shows what their
 * applies did.
 */
export function notVerified(files: readonly string[], folder: string): readonly Diagnostic[] {
  if (files.length === 0) return [];
  const named = files.map(quoted).join(', ');
  const path = shellWord(folder);
  return [
    {
      code: 'RUNS_NOT_VERIFIED',
      severity: 'warning',
      message: `journals of unfinished applies on this machine are damaged, or no key of this run signed them: ${named}. This plan does not list what these applies left in the account without a declaration`,
      hint: `whoever has their key, or their token, runs \`meshform drift ${path}\` on this machine with it (MESHFORM_SIGNING_KEY, MESHFORM_TOKEN), and sees what they left; without it, or if they are damaged, see what they were to do with \`meshform runs ${path}\` and \`meshform runs show RUN ${path}\`, compare it with the account, and then remove these files`,
    },
  ];
}
