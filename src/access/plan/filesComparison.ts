// Compares two desired states of the same files, to show how an edit changes the access that the
// files describe.
import type { ShownChange } from '../../model/change.ts';
import type { Address } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { accessChanges, noChanges } from '../diff/accessChanges.ts';
import { areasIn } from '../diff/areas.ts';
import { changesBetween } from '../diff/stateChanges.ts';
import { reachesOf } from '../flows/reaches.ts';
import { rowPool } from '../sets/rowPool.ts';
import { mayBeOpen } from '../state/internetPorts.ts';
import { areSameForAccess } from '../state/sameAccess.ts';
import { type AsServerStores, stateOfFiles } from '../state/stateOfFiles.ts';
import { frameOf } from '../world/world.ts';
import { effectiveChanges, reasonsIn } from './causes.ts';
import type { PartsOfPlan } from './causesByOmission.ts';
import type { Comparison } from './comparison.ts';

/** A changed object, before and after the edit. `was` is absent for a new object, `is` for a deleted one. */
interface Edit {
  readonly was?: Desired;
  readonly is?: Desired;
  readonly change: ShownChange;
}

/** Two desired states, and the objects that differ between them. */
interface EditedFiles {
  readonly before: readonly Desired[];
  readonly after: readonly Desired[];
  readonly edits: readonly Edit[];
  /** Whether to separate the causes of each change of access. This takes most of the time. */
  readonly areCausesExact: boolean;
}

/** The comparison of two desired states. It uses only the files, not an account. */
export function filesComparison(
  { before, after, edits, areCausesExact }: EditedFiles,
  asKept: AsServerStores,
): Comparison {
  const bound = withSameIds(edits);
  const stateIn = (objects: readonly Desired[]) => stateOfFiles(bound(objects), asKept);
  const states = [stateIn(before), stateIn(after)] as const;
  const [stateBefore, stateAfter] = states;
  const frame = frameOf(...states, mayBeOpen([...before, ...after]));
  const pool = rowPool();
  const both = { before: reachesOf(frame.first, pool), after: reachesOf(frame.last, pool) };
  const changes = edits.map(({ change }) => change);
  const areSame = areSameForAccess(...states);
  const reasons = () => reasonsIn(states, effectiveChanges(...states, { changes, moved: [] }));
  let found: ReturnType<Comparison['changes']> | undefined;
  const areaOf = areasIn(frame);
  const parts: PartsOfPlan = {
    addresses: changes.map(({ address }) => address),
    ...both,
    areToldApart: areCausesExact,
    without: left => {
      const state = stateIn(withoutEdits(after, edits, left));
      return {
        reaches: reachesOf(frame.between(state), pool),
        area: areaOf(changesBetween(stateAfter, state)),
      };
    },
  };
  return {
    stateBefore,
    stateAfter,
    moved: [],
    ...both,
    isSame: () => areSame,
    changes: () => {
      found ??= areSame ? noChanges() : accessChanges(both.before, both.after, reasons());
      return found;
    },
    parts,
    repaired: () => both.before,
    knowsRepairs: false,
    areFlowsCounted: false,
  };
}

// Files have no ids, so a renamed object gets the same id in both states.
function withSameIds(edits: readonly Edit[]): (objects: readonly Desired[]) => readonly Desired[] {
  const ids = new Map<Desired, string>();
  for (const [at, { was, is }] of edits.entries()) {
    if (!was || !is || was.key === is.key) continue;
    for (const one of [was, is]) ids.set(one, `renamed-${at}`);
  }
  if (ids.size === 0) return objects => objects;
  return objects =>
    objects.map(object => {
      const id = ids.get(object);
      return id === undefined ? object : { ...object, lifecycle: { ...object.lifecycle, id } };
    });
}

function withoutEdits(
  after: readonly Desired[],
  edits: readonly Edit[],
  left: ReadonlySet<Address>,
): readonly Desired[] {
  const undone = edits.filter(({ change }) => left.has(change.address));
  const gone = new Set(undone.flatMap(({ is }) => is ?? []));
  return [...after.filter(object => !gone.has(object)), ...undone.flatMap(({ was }) => was ?? [])];
}
