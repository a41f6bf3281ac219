// The objects that a plan removes from guarded targets and from access tests. A guard contains only
// a name, so a later plan could open access to an object that the name no longer covers.
import type { AccessFinding, AccessGuards, GuardedAccess } from '../../model/access/accessGates.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { stableText } from '../../model/text/stableText.ts';
import { quoted } from '../../model/text/visible.ts';
import { addressesOf, coveredMembers } from '../ask/destinations.ts';
import { memberName } from '../ask/memberSetNames.ts';
import { checkedSelector, type Selector } from '../ask/selector.ts';
import type { Comparison } from '../plan/comparison.ts';
import { and, has, indexesIn, isEmpty } from '../sets/bits.ts';
import { without } from '../sets/traffic.ts';
import type { World } from '../world/world.ts';
import { unreadFor, unreadWords } from './dependence.ts';
import type { States } from './movedAccess.ts';
import { type UncoveredTarget, uncoveredTargets } from './uncoveredTargets.ts';

/**
 * The states that show what the files remove. If the plan removes an object again that somebody
 * added by hand since the base, this object never counted as covered.
 */
export const withoutRepairs = ({ repaired, ...states }: Comparison): RepairedStates => ({
  ...states,
  before: repaired(),
});

type RepairedStates = States & Pick<Comparison, 'knowsRepairs' | 'isBaseUnapplied'>;

/**
 * A finding for each machine, future member and address that a plan removes from a guarded target or from guarded sources.
 * `statesOf` returns the states to compare for an entry.
 */
export function guardRemovals(
  statesOf: (entry: GuardedAccess) => RepairedStates,
  { guarded }: Pick<AccessGuards, 'guarded'>,
): readonly AccessFinding[] {
  const declared = guarded.filter(({ former }) => !former);
  return declared.flatMap((entry): readonly AccessFinding[] => {
    const { from, to } = entry;
    const states = statesOf(entry);
    const gate = {
      gate: 'guarded',
      code: 'SHRINKS_GUARDED_TARGET',
      target: to,
      ...(from !== undefined && { from }),
      causes: [],
    } as const;
    const unread = unreadFor(states.before.world.state, [checkedSelector(to)]);
    if (unread.length > 0) return [{ ...gate, what: 'unread', detail: unreadWords(unread) }];
    const out = [
      ...itemsOf(
        states,
        uncoveredTargets(states, checkedSelector(to), alsoGuarding(declared, entry)),
      ),
      ...(from === undefined
        ? []
        : itemsOf(
            states,
            uncoveredTargets(states, checkedSelector(from), alsoFrom(declared, entry)),
          )),
    ];
    const detail = states.isBaseUnapplied ? UNAPPLIED_BASE : NO_BASE;
    const doubt = states.knowsRepairs ? {} : { detail };
    return [...new Set(out)].map(who => ({ ...gate, what: 'left', who, ...doubt }));
  });
}

/** The hint for a user whose plan may only revert a manual change. */
const NO_BASE =
  'without a base, meshform does not know whether somebody added it by hand since the last apply';

const UNAPPLIED_BASE =
  'no record shows that the base was applied, so meshform does not know whether somebody added it by hand: only a recorded base shows that (`--base auto`)';

// The destinations of declared guards that are at least as strict as this guard.
function alsoGuarding(
  declared: readonly GuardedAccess[],
  { from, to }: GuardedAccess,
): readonly Selector[] {
  const { traffic } = checkedSelector(to);
  return declared
    .filter(one => one.from === undefined || one.from === from)
    .map(one => checkedSelector(one.to))
    .filter(one => without(traffic, one.traffic).length === 0);
}

const alsoFrom = (declared: readonly GuardedAccess[], { to }: GuardedAccess): readonly Selector[] =>
  declared.flatMap(one => (one.to === to ? checkedSelector(one.from ?? 'all') : []));

/** The names, after the plan, of the members and addresses that are no longer covered. */
function itemsOf({ after }: States, { members, addresses }: UncoveredTarget): readonly string[] {
  const { world } = after;
  return [...[...indexesIn(members)].map(index => itemName(world, index)), ...addresses].sort();
}

function itemName(world: World, index: number): string {
  const name = memberName(world, index);
  return has(world.today, index) ? name : `${name} (future members)`;
}

/**
 * What a plan removes from access tests: findings about lines that cover no object any more, and warnings about objects that no
 * line covers any more.
 */
export interface TestRemovals {
  /**
   * The lines that cover no object any more. Such a line always passes, whatever access a plan
   * opens.
   */
  readonly findings: readonly AccessFinding[];
  readonly warnings: readonly Diagnostic[];
}

/** What happens to the declared lines that forbid access and whose names cover less than before. */
export function testRemovals(tests: readonly AccessTest[], states: States): TestRemovals {
  const found = linesOf(tests.filter(({ former }) => !former)).flatMap(line => {
    if (unreadFor(states.before.world.state, [line.selector]).length > 0) return [];
    const left = uncoveredTargets(states, line.selector, line.among);
    const items = itemsOf(states, left);
    if (items.length === 0) return [];
    return [{ ...line, items, isEmptied: isEmptied(states, line.selector, left) }];
  });
  return {
    findings: found
      .filter(({ isEmptied: isNothing }) => isNothing)
      .flatMap(({ test, selector, items }) =>
        items.map(
          (who): AccessFinding => ({
            gate: 'tests',
            what: 'left',
            code: 'EMPTIES_ACCESS_TEST',
            target: test.name,
            who,
            where: selector.text,
            causes: [],
          }),
        ),
      ),
    warnings: found
      .filter(({ isEmptied: isNothing }) => !isNothing)
      .map(({ test, selector, items }) => shrinks(test, selector, items)),
  };
}

/** The object that a line protects, and the selectors of all similar lines. */
interface Subject {
  readonly test: AccessTest;
  readonly selector: Selector;
  readonly among: readonly Selector[];
}

// The lines that forbid access, by what they forbid. A machine that moves from one group to another
// stays covered if the same access is forbidden for both groups.
function linesOf(tests: readonly AccessTest[]): readonly Subject[] {
  const lines = tests.flatMap(test => {
    const { from, to, deny, onlyFrom } = test;
    const facts = stableText({ ...test.facts, posture: test.passesPosture });
    const allowed = onlyFrom.map(({ text }) => text).sort();
    return [
      ...(from ? deny : []).flatMap(({ text }) => [
        { test, text: from?.text ?? '', rest: `from ${facts} ${text}` },
        { test, text, rest: `deny ${facts} ${from?.text}` },
      ]),
      ...(to && onlyFrom.length > 0
        ? [{ test, text: to.text, rest: `to ${facts} ${allowed.join(' ')}` }]
        : []),
    ];
  });
  const similar = Map.groupBy(lines, ({ rest }) => rest);
  const distinct = new Map(lines.map(line => [JSON.stringify([line.test.name, line.text]), line]));
  return [...distinct.values()].map(({ test, text, rest }) => {
    const selector = checkedSelector(text);
    const among = (similar.get(rest) ?? [])
      .map(one => checkedSelector(one.text))
      .filter(one => without(selector.traffic, one.traffic).length === 0);
    return { test, selector, among };
  });
}

// Future members count only if there are no current machines and no addresses.
function isEmptied({ before, after }: States, was: Selector, left: UncoveredTarget): boolean {
  const covered = and(coveredMembers(before.world, was), after.world.present);
  const machines = and(covered, before.world.today);
  const addresses = addressesOf(before.world, was) ?? [];
  const members = isEmpty(machines) && addresses.length === 0 ? covered : machines;
  const areGone = [...indexesIn(members)].every(index => has(left.members, index));
  return areGone && addresses.every(address => left.addresses.includes(address));
}

const SHOWN = 3;

function shrinks(
  { name, at }: AccessTest,
  { text }: Selector,
  items: readonly string[],
): Diagnostic {
  const some = items.slice(0, SHOWN).join(', ');
  const others = items.length > SHOWN ? ` and ${items.length - SHOWN} more` : '';
  return {
    code: 'ACCESS_TEST_SHRINKS',
    severity: 'warning',
    at,
    message: `access test ${quoted(name)} no longer covers ${some}${others}: ${quoted(text)} covers less than before`,
    hint: 'add what it should still cover to the test',
  };
}
