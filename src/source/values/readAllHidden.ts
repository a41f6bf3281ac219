// Reads the secrets with a visible host in the files and in all bases before a plan is created.
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import type { Recorded } from '../../model/plan.ts';
import {
  isNotAmong,
  ofEarlier,
  type ReadObjects,
  type ReadText,
  readHidden,
} from './readHidden.ts';

interface Declared {
  readonly desired: readonly Desired[];
  readonly base: readonly Desired[];
  readonly recorded?: Recorded;
}

interface ReadState {
  readonly objects: Declared;
  /** Findings about values that could not be read. */
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics of the files, without those that `diagnostics` already contains as errors. */
  readonly noted: readonly Diagnostic[];
}

/** Reads all hidden values. Without a reader, the values stay unread. */
export async function readAllHiddenSecrets(
  files: ReadObjects,
  { base, recorded }: Pick<Declared, 'base' | 'recorded'>,
  kinds: KindTable,
  read: ReadText | undefined,
): Promise<ReadState> {
  const own = await readHidden(files.desired, kinds, read);
  const former = await readHidden(base, kinds, read);
  const last = await readHidden(recorded?.objects ?? [], kinds, read);
  const diagnostics = [own, ofEarlier(former), ofEarlier(last)].flatMap(found => found.diagnostics);
  return {
    objects: {
      desired: own.desired,
      base: former.desired,
      ...(recorded && { recorded: { ...recorded, objects: last.desired } }),
    },
    diagnostics,
    noted: files.diagnostics.filter(isNotAmong(diagnostics)),
  };
}
