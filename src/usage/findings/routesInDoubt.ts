// Routes for which the log does not show whether they were used. A finding about a rule that
// distributes such a route is not certain, because the route would lose its access with the rule.
import type { Trial } from '../../access/narrow/triedEdits.ts';
import { jsonString } from '../../model/text/visible.ts';
import type { Candidate } from './candidate.ts';
import type { Evidence } from './evidence.ts';
import { judged } from './judged.ts';
import { editsIn } from './settle.ts';

/** What is unknown about the use of routes. */
export interface RoutesInDoubt {
  /**
   * The candidates. Those in state `certain` that would end access to such a route become
   * `unknown`.
   */
  readonly withDoubts: (candidates: readonly Candidate[]) => readonly Candidate[];
  /** Whether candidates together end access to such a route. */
  readonly areCutBy: (some: readonly Candidate[]) => boolean;
}

/**
 * Finds the routes whose use is unknown. Routes of the account that no file declares are included.
 */
export function routesInDoubt(evidence: Evidence | undefined, trial: Trial): RoutesInDoubt {
  const doubts = evidence ? doubtsIn(evidence) : NO_DOUBTS;
  const doubtOf = (some: readonly Candidate[]): string | undefined =>
    doubts.size === 0
      ? undefined
      : trial.routesLosing(editsIn(some)).flatMap(key => doubts.get(key) ?? [])[0];
  return {
    withDoubts: candidates => candidates.map(one => doubted(one, doubtOf)),
    areCutBy: some => doubtOf(some) !== undefined,
  };
}

const NO_DOUBTS: ReadonlyMap<string, string> = new Map();

function doubted(
  one: Candidate,
  doubtOf: (some: readonly Candidate[]) => string | undefined,
): Candidate {
  if (one.finding.state !== 'certain') return one;
  const reason = doubtOf([one]);
  if (reason === undefined) return one;
  return { ...one, finding: { ...one.finding, state: 'unknown', reason } };
}

// The reasons by the keys of the routes.
function doubtsIn(evidence: Evidence): ReadonlyMap<string, string> {
  return new Map(
    evidence.routeUses.flatMap((use): readonly [string, string][] => {
      const all = use.uses.map(({ flow }) => flow);
      const covered = evidence.coverage.ofRoute(use.route);
      const { reason } = judged({ lost: [], all, unknown: use.unknown, covered }, evidence);
      const { key } = use.route;
      return reason === undefined ? [] : [[key, `route ${jsonString(key)} needs it: ${reason}`]];
    }),
  );
}
