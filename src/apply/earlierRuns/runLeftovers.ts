// The journal of an unfinished apply, as plans use it. It shows what the apply wrote in addition to
// the objects that it created, and a plan checks whether the account still has this.
import { declaredObject } from '../../base/recordedObjects.ts';
import { baseRef } from '../../base/refName.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { LeftRun } from '../../model/leftObjects.ts';
import type { Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import type { BaseContent, RecordedId } from '../../model/recordedBase.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import type { ReadJournal } from '../../report/run/journalLines.ts';
import { type BaseHost, placeOf } from '../recordedBase/gitPlace.ts';
import { inEveryDialect } from './createdObjects.ts';
import type { VerifiedRun } from './remoteRuns.ts';

/**
 * Describes a run for plans, which check what the run left. `isCopy`: the last lines of its journal
 * may be missing.
 */
export function leftRun(
  { run, read: { plan, entries, lines, isCutOff, leaves } }: VerifiedRun,
  created: readonly RecordedId[],
  isCopy: boolean,
): LeftRun {
  return {
    run,
    began: String(lines[0]?.at),
    plan,
    entries,
    created,
    isLost: isCopy && isCutOff,
    ...(leaves && { leaves: new Set(leaves as readonly Address[]) }),
  };
}

/** The declarations that determine which objects a run left. */
export interface DecidingDeclarations {
  /**
   * The addresses that the files declare, according to the plan that closes the run; empty if a
   * person closes the run.
   */
  readonly declared: ReadonlySet<Address>;
  /**
   * The addresses that the base of the run declared. If the run deleted such an object, the files
   * had removed the declaration.
   */
  readonly before: ReadonlySet<Address>;
}

/** The addresses of the objects that a run wrote or may have written, and that no file declares. */
export function leftAddresses(
  { plan }: Pick<ReadJournal, 'plan'>,
  { declared, before }: DecidingDeclarations,
): readonly Address[] {
  const left = plan.actions.flatMap(({ verb, kind, key }): Address[] => {
    const address = addressOf(kind, key);
    const isDecided = declared.has(address) || (verb === 'delete' && before.has(address));
    return isDecided ? [] : [address];
  });
  return [...new Set(left)];
}

/** The files with which runs are closed. */
export interface ClosingFiles {
  readonly path: string;
  readonly kinds: KindTable;
  readonly host: BaseHost;
  /** The plan of the apply that closes the runs; absent if a person closes them. */
  readonly plan?: Pick<Plan, 'base'>;
}

/**
 * The declarations that determine what these runs of one folder left. Must be called before another
 * base is recorded. Rejects if git fails.
 */
export async function decidingFor(
  runs: readonly Pick<VerifiedRun, 'read'>[],
  { path, kinds, host, plan }: ClosingFiles,
): Promise<DecidingDeclarations> {
  if (runs.length === 0) return { declared: new Set(), before: new Set() };
  const { account, base } = runs[0]?.read.plan ?? {};
  const stored =
    account && base?.content
      ? await storedBase(placeOf(path, host), baseRef(account, base.content)).catch(() => null)
      : null;
  return {
    declared: addressesIn(plan?.base?.content, kinds),
    before: stored === null || 'why' in stored ? new Set() : addressesIn(stored.base, kinds),
  };
}

const NOWHERE = { file: '', line: 1, column: 1 };

function addressesIn(
  content: Pick<BaseContent, 'objects'> | undefined,
  kinds: KindTable,
): ReadonlySet<Address> {
  return new Set(
    (content?.objects ?? []).flatMap(object => {
      const kind = kinds.get(object.kind);
      if (!kind) return [];
      const declared = declaredObject(object, kind, NOWHERE);
      return [declared, ...inEveryDialect(declared, kinds)].map(one =>
        addressOf(one.kind, one.key),
      );
    }),
  );
}
