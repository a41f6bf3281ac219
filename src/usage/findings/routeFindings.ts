// Routes and their access control groups that nobody used.
import { type RouteNarrowing, spanOf } from '../../access/narrow/narrowing.ts';
import { count } from '../../access/sets/bits.ts';
import type { Route } from '../../access/state/accessState.ts';
import type { World } from '../../access/world/world.ts';
import type { KindName } from '../../model/names.ts';
import type { TightenFinding } from '../../model/tightening.ts';
import { type Candidate, silencedByOwner } from './candidate.ts';
import type { Evidence, RouteEvidence } from './evidence.ts';
import { judged } from './judged.ts';
import { areEmpty, doubted, keyOf, movedText, unused } from './ruleFindings.ts';

/** The findings about routes. */
export function routes(
  evidence: Evidence,
  world: World,
  nounOf: (kind: KindName) => string,
): readonly Candidate[] {
  const known = { evidence, world };
  // Routes with the same network id are alternatives: an unused route exists in case the others
  // fail.
  const together = Map.groupBy(evidence.routes, ({ route }) => nameOf(route.route));
  return [...together.values()].flatMap(alternatives =>
    alternatives.every(({ use }) => use.uses.length === 0)
      ? wholeRoutes(alternatives, known, nounOf)
      : alternatives.flatMap(one => accessControl(one, known)),
  );
}

interface Known {
  readonly evidence: Evidence;
  readonly world: World;
}

const nameOf = ({ networkId, addresses }: Route): string =>
  JSON.stringify([networkId, addresses.toSorted()]);

// Alternatives are removed together or not at all. An alternative that its owner keeps is evaluated
// separately.
function wholeRoutes(
  alternatives: readonly RouteEvidence[],
  known: Known,
  nounOf: (kind: KindName) => string,
): readonly Candidate[] {
  const candidates = alternatives.map(one =>
    candidate(one, known, {
      type: 'unused-route',
      what: nounOf(one.route.object.kind),
      observed: unused(known.evidence),
      narrowing: { takes: 'whole-route', route: one.route },
    }),
  );
  const free = candidates.filter(one => silencedByOwner(one) === undefined);
  const narrowings = free.flatMap(one => one.narrowings);
  const doubtful = free.find(({ finding }) => finding.state !== 'certain');
  return candidates.map((one): Candidate => {
    if (!free.includes(one)) return one;
    const { state, reason } = (doubtful ?? one).finding;
    const others = narrowings.filter(narrowing => !one.narrowings.includes(narrowing));
    return {
      ...one,
      narrowings: [...one.narrowings, ...others],
      finding: { ...one.finding, state, ...(reason !== undefined && { reason }) },
    };
  });
}

// The last group is never removed: a route without access control groups is open.
function accessControl(one: RouteEvidence, { evidence, world }: Known): readonly Candidate[] {
  const { route, use } = one;
  const groups = route.route.accessControl;
  if (groups.length < 2 || use.uses.some(({ accessControl: by }) => by.length === 0)) return [];
  const used = new Set(use.uses.flatMap(({ accessControl: by }) => by));
  return groups
    .filter(group => !used.has(keyOf(group, evidence)))
    .map(group =>
      candidate(
        one,
        { evidence, world },
        {
          type: 'unused-access-control-group',
          what: `access control group/${group}`,
          observed: unused(evidence),
          narrowing: { takes: 'access-control-group', group, route },
        },
      ),
    );
}

// Why nobody could use the route: it may be for machines that join later.
const noUserOf = ({ distribution }: Route, evidence: Evidence): string | undefined =>
  areEmpty(distribution, evidence) ? 'no machine is in its distribution groups' : undefined;

interface Part extends Pick<TightenFinding, 'type' | 'what' | 'observed'> {
  readonly narrowing: RouteNarrowing;
}

function candidate(
  { route: { object, route }, use }: RouteEvidence,
  { evidence, world }: Known,
  { type, what, observed, narrowing }: Part,
): Candidate {
  const flows = use.uses.map(({ flow }) => flow);
  const covered = evidence.coverage.ofRoute(use.route);
  const verdict = judged({ lost: [], all: flows, unknown: use.unknown, covered }, evidence);
  const moved = evidence.moved.movedGroup([...route.distribution, ...route.accessControl]);
  return {
    object,
    narrowings: [narrowing],
    breadth: Math.max(count(world.inGroups(route.distribution)), 1),
    finding: {
      type,
      object: { kind: object.kind, key: object.key, at: object.at },
      at: spanOf(narrowing),
      what,
      observed,
      edit: 'remove',
      ...doubted(verdict, moved === undefined ? noUserOf(route, evidence) : movedText(moved)),
    },
  };
}
