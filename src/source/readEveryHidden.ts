// Secrets with a visible host of the files and of everything they are held against, read before a plan is made.
import isEqual from 'fast-deep-equal';
import type { KindTable } from '../kinds/kind.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Desired } from '../model/object.ts';
import type { Recorded } from '../model/plan.ts';
import { type ReadObjects, type ReadText, readHidden } from './readHidden.ts';

interface Declared {
  readonly desired: readonly Desired[];
  readonly base: readonly Desired[];
  readonly recorded?: Recorded;
}

interface ReadState {
  readonly objects: Declared;
  /** What could not be read. */
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics of the files, without those that `diagnostics` repeats as errors. */
  readonly noted: readonly Diagnostic[];
}

/** Reads all hidden values. Without a reader they stay as they are. */
export async function readEveryHidden(
  files: ReadObjects,
  { base, recorded }: Pick<Declared, 'base' | 'recorded'>,
  kinds: KindTable,
  read: ReadText | undefined,
): Promise<ReadState> {
  const opened = async (desired: readonly Desired[]): Promise<ReadObjects> =>
    read ? readHidden(desired, kinds, read) : { desired, diagnostics: [] };
  const own = await opened(files.desired);
  const former = await opened(base);
  const last = await opened(recorded?.objects ?? []);
  const diagnostics = [own, ofBase(former), ofBase(last)].flatMap(found => found.diagnostics);
  return {
    objects: {
      ...{ desired: own.desired, base: former.desired },
      ...(recorded && { recorded: { ...recorded, objects: last.desired } }),
    },
    diagnostics,
    noted: files.diagnostics.filter(isOpen(diagnostics)),
  };
}

// What is an error by now need not be noted as well.
const isOpen =
  (told: readonly Diagnostic[]) =>
  ({ code, at }: Diagnostic): boolean =>
    at === undefined || !told.some(one => one.code === code && isEqual(one.at, at));

// A secret may go together with what it was for: then the base cannot say any more which object that was.
const ofBase = ({ desired, diagnostics }: ReadObjects): ReadObjects => ({
  desired,
  diagnostics: diagnostics.map(({ code, message, ...fault }) => ({
    ...{ ...fault, code, severity: 'warning' },
    message: `the base: ${message}`,
    hint: 'the plan is made as if the base had not declared it',
  })),
});
