// Tries edits of the files, in the account if it is known: whether members would gain access, and
// which tests and guards forbid that the edits remove access.
import type { GuardedAccess } from '../../model/access/accessGates.ts';
import type { AccessTest, TestVerdict } from '../../model/access/accessTest.ts';
import type { Desired } from '../../model/object.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import { checkedSelector } from '../ask/selector.ts';
import { accessChanges } from '../diff/accessChanges.ts';
import { reachesOf } from '../flows/reaches.ts';
import { movedAccess, type States } from '../gates/movedAccess.ts';
import { rowPool } from '../sets/rowPool.ts';
import type { AccessState } from '../state/accessState.ts';
import { ignoredFieldsOf } from '../state/ignoredFields.ts';
import { type AsServerStores, stateOfFiles } from '../state/stateOfFiles.ts';
import { judgeTests } from '../tests/judgeTests.ts';
import { worldsOf } from '../world/world.ts';
import { accountWithFiles } from './accountWithFiles.ts';
import { type KeptByOwner, keptDestinationsAmong } from './keptDestinations.ts';
import { stateAfterEdits } from './stateAfterEdits.ts';
import { isWiderBehind } from './widerBehind.ts';

/** The state and the limits for which edits are tried. */
export interface TrialInput {
  readonly desired: readonly Desired[];
  readonly asKept: AsServerStores;
  readonly tests: readonly AccessTest[];
  readonly guarded: readonly GuardedAccess[];
  /** The account as it was last read. Its machines have versions, posture facts and groups that files do not contain. */
  readonly account?: AccessState | undefined;
}

/** A reason against edits. */
export interface Objection {
  readonly by: 'gain' | 'test' | 'guard' | 'owner';
  /** The test or the guarded target. */
  readonly name?: string;
  /** Why the owner of a route or a network resource keeps its access. */
  readonly kept?: KeptByOwner;
}

export interface Trial {
  /** The first objection to all of these edits together. */
  readonly objection: (edits: readonly ObjectEdit[]) => Objection | undefined;
  /** The account with the policies and routes of the files after these edits; the files alone if no account is known. */
  readonly accountAfter: (edits: readonly ObjectEdit[]) => AccessState;
  /**
   * The account after the edits, without undeclared objects, because an apply may delete these;
   * undefined if this makes no difference.
   */
  readonly declaredAfter: ((edits: readonly ObjectEdit[]) => AccessState) | undefined;
  /** The state without break-glass objects, because their access is for emergencies only. */
  readonly everyday: (state: AccessState) => AccessState;
  /** The keys of the routes to which somebody has less access after the edits. */
  readonly routesLosing: (edits: readonly ObjectEdit[]) => readonly string[];
  /** Whether `edits` keep all everyday access that exists after the edits `since`. */
  readonly losesNothing: (edits: readonly ObjectEdit[], since: readonly ObjectEdit[]) => boolean;
}

/** Returns a function that tries edits to these files. */
export function trialOf({ desired, asKept, tests, guarded, account }: TrialInput): Trial {
  const filesBefore = stateOfFiles(desired, asKept);
  const objects = asKept(desired);
  const live = account && accountWithFiles(account, filesBefore, ignoredFieldsOf(objects));
  const everyday = withoutBreakGlass(objects);
  const over = (files: AccessState): readonly AccessState[] =>
    live ? [files, live.whole(files)] : [files];
  const { declared } = live ?? {};
  const before = over(filesBefore);
  const filesAfter = (edits: readonly ObjectEdit[]) =>
    stateOfFiles(stateAfterEdits(desired, edits), asKept);
  const comparedWith = (edits: readonly ObjectEdit[]): readonly States[] =>
    over(filesAfter(edits)).map((after, at) => statesOf(before[at] as AccessState, after));
  const keptIn = keptDestinationsAmong(objects);
  const failures = before.map(state => failuresIn(state, tests));
  return {
    accountAfter: edits => over(filesAfter(edits)).at(-1) as AccessState,
    declaredAfter: declared && (edits => declared(filesAfter(edits))),
    everyday,
    routesLosing: edits => comparedWith(edits).flatMap(states => routesLosingIn(states)),
    losesNothing: (edits, since) => {
      const was = over(filesAfter(since)).map(everyday);
      return over(filesAfter(edits)).every((whole, at) => {
        const after = everyday(whole);
        const states = statesOf(was[at] as AccessState, after);
        return !changesIn(states).some(({ loses }) => loses);
      });
    },
    objection: edits => {
      for (const [at, states] of comparedWith(edits).entries()) {
        const changes = changesIn(states);
        if (changes.some(({ gains }) => gains)) return { by: 'gain' };
        if (isWiderBehind(states.before, states.after)) return { by: 'gain' };
        const kept = keptIn(changes);
        if (kept) return { by: 'owner', kept };
        const failed = failuresIn(states.after.world.state, tests);
        for (const [name, lines] of failed)
          if (lines.difference(failures[at]?.get(name) ?? NONE).size > 0)
            return { by: 'test', name };
        const cut = guarded.find(one => movedAccess(states, 'lost', sidesOf(one)).length > 0);
        if (cut) return { by: 'guard', name: cut.to };
      }
      return undefined;
    },
  };
}

function withoutBreakGlass(objects: readonly Desired[]): (state: AccessState) => AccessState {
  const own = objects.filter(({ lifecycle }) => lifecycle.break_glass === true);
  const names = new Set(own.map(({ kind, key }) => `${kind} ${key}`));
  if (names.size === 0) return state => state;
  return state => ({
    ...state,
    policies: state.policies.filter(({ key }) => !names.has(`policy ${key}`)),
    routes: state.routes.filter(({ key }) => !names.has(`route ${key}`)),
  });
}

const NONE: ReadonlySet<string> = new Set();

const routesLosingIn = (states: States): readonly string[] =>
  changesIn(states)
    .filter(({ loses }) => loses)
    .flatMap(({ targets }) => targets)
    .flatMap(target => (target.type === 'machine' ? [] : target.routes.map(({ key }) => key)));

const changesIn = ({ before, after }: States) => accessChanges(before, after).changes;

const sidesOf = ({ from, to }: GuardedAccess) => ({
  ...(from !== undefined && { from: checkedSelector(from) }),
  to: checkedSelector(to),
});

function statesOf(before: AccessState, after: AccessState): States {
  const pool = rowPool();
  const [one, other] = worldsOf([before, after]).map(world => reachesOf(world, pool));
  return { before: one as States['before'], after: other as States['after'] };
}

// The failing lines of each test or, if selectors of a test match nothing, the messages about these
// selectors.
function failuresIn(
  state: AccessState,
  tests: readonly AccessTest[],
): ReadonlyMap<string, ReadonlySet<string>> {
  if (tests.length === 0) return new Map();
  const [world] = worldsOf([state]);
  if (!world) return new Map();
  const reaches = reachesOf(world, rowPool());
  return new Map(
    tests.map(test => {
      const { verdicts, diagnostics } = judgeTests(reaches, [test]);
      const unmatched = diagnostics.map(({ message }) => message);
      return [test.name, new Set([...unmatched, ...verdicts.flatMap(linesOf)])];
    }),
  );
}

const linesOf = ({ failures }: TestVerdict): readonly string[] =>
  failures.map(({ line, selector }) => `${line} ${selector}`);
