// The hazards of a plan's access: changes that exceed the thresholds, and changes of guarded access.
import type {
  AccessGuards,
  AccessHazard,
  AccessHazardCode,
  GuardedAccess,
} from '../../model/access/accessGates.ts';
import type { PlanAccess } from '../../model/access/planAccess.ts';
import { visible } from '../../model/text/visible.ts';
import { checkedSelector } from '../ask/selector.ts';
import type { AccessState } from '../state/accessState.ts';
import { unreadFor, unreadNames, unreadWords } from './dependence.ts';
import { type Moved, movedAccess, type States } from './movedAccess.ts';

/** A hazard, before it is known whether it is accepted. */
export type FoundAccessHazard = Omit<AccessHazard, 'allowed'>;

/** The change of access by a plan, and its targets. */
export interface Judged {
  readonly access: PlanAccess;
  readonly states: States;
  /** The parts of the current account that could not be read. */
  readonly state: AccessState;
}

/** The hazards of a plan. */
export function accessHazards(judged: Judged, guards: AccessGuards): readonly FoundAccessHazard[] {
  return [
    ...overThresholds(judged, guards),
    ...guards.guarded.flatMap(one => atGuarded(judged, one)),
  ];
}

function overThresholds(
  { access: { pairs, changes }, state }: Judged,
  { thresholds = {} }: AccessGuards,
): FoundAccessHazard[] {
  const unread = unreadNames(state);
  const sides = [
    ['WIDENS_ACCESS', 'gains', pairs.gained, thresholds.gained, 'gained'],
    ['NARROWS_ACCESS', 'loses', pairs.lost, thresholds.lost, 'lost'],
  ] as const;
  return sides.flatMap(([code, verb, count, most, kind]): FoundAccessHazard[] => {
    if (most === undefined) return [];
    if (unread.length > 0) {
      const what = `the access that the plan ${verb} cannot be counted`;
      return [
        {
          code,
          pairs: 0,
          flows: [unreadWords(unread)],
          message: `${what}: ${unreadWords(unread)}`,
        },
      ];
    }
    if (count <= most) return [];
    const [first] = changes.filter(({ change }) => change === kind || change === 'changed');
    const example = first ? `, such as ${visible(`${first.from} → ${first.to}`)}` : '';
    const message = `the plan ${verb} access for ${pairsWords(count)}${example}; \`access_thresholds\` allows ${most}`;
    return [{ code, message, pairs: count, flows: [] }];
  });
}

const CHANGES = [
  ['gained', 'WIDENS_ACCESS', 'the plan widens access to'],
  ['lost', 'NARROWS_ACCESS', 'the plan narrows access to'],
] as const;

const CUT = ['lost', 'CUTS_GUARDED_ACCESS', 'the plan removes access to'] as const;

function atGuarded({ states, state }: Judged, { from, to }: GuardedAccess): FoundAccessHazard[] {
  const sides = {
    from: from === undefined ? undefined : checkedSelector(from),
    to: checkedSelector(to),
  };
  const unread = unreadFor(state, [sides.to]);
  const wanted = from === undefined ? CHANGES : [CUT];
  const target = visible(from === undefined ? to : `${to} from ${from}`);
  return wanted.flatMap(([side, code, what]): FoundAccessHazard[] => {
    const hazard = (message: string, moved: Moved): FoundAccessHazard => ({
      code: code satisfies AccessHazardCode,
      target: to,
      message,
      ...moved,
    });
    if (unread.length > 0) {
      const words = unreadWords(unread);
      const message = `whether ${what} ${target}, which is guarded, is not known: ${words}`;
      return [hazard(message, { flows: [words], pairs: 0 })];
    }
    const moved = movedAccess(states, side, sides);
    if (moved.flows.length === 0) return [];
    return [hazard(`${what} ${target}, which is guarded: ${listed(moved)}`, moved)];
  });
}

const SHOWN = 3;

function listed({ flows, pairs }: Moved): string {
  const some = flows.slice(0, SHOWN).map(visible).join(', ');
  const others = flows.length > SHOWN ? ` and ${flows.length - SHOWN} more` : '';
  return `${some}${others} (${pairsWords(pairs)})`;
}

const pairsWords = (pairs: number): string =>
  `${pairs} ${pairs === 1 ? 'pair' : 'pairs'} of a machine and a destination`;
