// Faults of loaded files: in the files themselves, and in relation to other folders of the account.

import { basesWithoutFolder, declaredTwice } from '../../base/declaredTwice.ts';
import { elsewhereFindings } from '../../base/guards/guardsElsewhere.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { readAllHiddenSecrets } from '../../source/values/readAllHidden.ts';
import type { FilesOfRun } from './filesOfRun.ts';
import { likeGrants } from './grants.ts';
import type { OtherGuards } from './guardsOfRun.ts';
import type { LoadRequest } from './loadRequest.ts';

/** The faults of the project, of the files, and of the secrets that identify objects. */
export function faultsOfFiles(
  { layers, texts }: Pick<FilesOfRun, 'layers' | 'texts'>,
  opened: Pick<Awaited<ReturnType<typeof readAllHiddenSecrets>>, 'diagnostics' | 'noted'>,
  request: Pick<LoadRequest, 'mayBeEmpty'>,
): readonly Diagnostic[] {
  return [
    layers.diagnostics,
    meant(opened.diagnostics, request),
    meant(texts.diagnostics, request),
    likeGrants(texts),
    opened.noted,
  ].flat();
}

// Removes the finding that files declare nothing from a run that should delete everything.
const meant = (
  found: readonly Diagnostic[],
  { mayBeEmpty }: Pick<LoadRequest, 'mayBeEmpty'>,
): readonly Diagnostic[] =>
  mayBeEmpty ? found.filter(({ code }) => code !== 'SOURCE_EMPTY') : found;

/** What other folders of the account contain, in addition to the files of a run. */
interface Beside extends Pick<OtherGuards, 'isReadable'> {
  readonly desired: readonly Desired[];
  readonly others: readonly OtherFolder[];
}

/** Findings about objects that other folders also declare or guard, and about bases whose folder has no files. */
export function findingsAboutOthers(
  { desired, others, isReadable }: Beside,
  kinds: KindTable,
  {
    isPlanned,
    isOnlyCompared,
    isOnlyEnded,
  }: Pick<LoadRequest, 'isPlanned' | 'isOnlyCompared' | 'isOnlyEnded'>,
): readonly Diagnostic[] {
  const isHeld = isPlanned === true && !isOnlyCompared;
  // A run that only removes what has ended does not remove such an object, but still removes
  // everything else. So the finding is only a warning.
  const severity = isOnlyCompared || isOnlyEnded ? 'warning' : 'error';
  return [
    declaredTwice(desired, others, kinds, severity),
    basesWithoutFolder(others),
    isHeld ? elsewhereFindings(others, isReadable) : [],
  ].flat();
}
