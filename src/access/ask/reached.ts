// Which sources of a question reach all of its targets, and which reach only a part of them. A
// source that reaches one of several targets reaches a part.
import type { AccessAnswer, Reached } from '../../model/access/planAccess.ts';
import { type Reaches, reachesIn } from '../flows/reaches.ts';
import { itselfIn, type Target } from '../flows/targets.ts';
import { type Bits, has, indexesIn, isEmpty, minus, noBits, or, orInto } from '../sets/bits.ts';
import { intervalsText } from '../sets/traffic.ts';
import type { AccessState } from '../state/accessState.ts';
import type { AccessQuestion } from './answer.ts';
import { ownTargetsOf, targetsBeside, targetsOf } from './destinations.ts';
import { type Flow, flowsBetween } from './flows.ts';
import { memberName } from './memberSetNames.ts';
import { membersOf } from './members.ts';
import type { Selector } from './selector.ts';

/**
 * What each source of a question reaches; undefined if the question has only sources or only destinations, or is about outsiders.
 */
export function reachedOf(
  state: AccessState,
  { from, to }: Pick<AccessQuestion, 'from' | 'to'>,
  { flows }: Pick<AccessAnswer, 'flows'>,
): Reached | undefined {
  if (from === undefined || to === undefined) return undefined;
  const reaches = reachesIn(state);
  const sources = membersOf(reaches.world, from) ?? noBits();
  // If all sources are outsiders, such as the callers of a service, the flows alone are the answer.
  if (isEmpty(sources) || isEmpty(minus(sources, reaches.world.internet))) return undefined;
  const own = ownTargetsOf(reaches.world, to) ?? targetsOf(reaches.world, to) ?? [];
  const found = flowsTo(reaches, sources, to);
  const all = own.map(target => {
    const itself = itselfIn(reaches.world, target);
    const beside = targetsBeside(
      reaches.world,
      target,
      target.type === 'machine' ? [target.index] : [],
    );
    return { itself, ...joined([target, ...beside].flatMap(one => found(one) ?? [])) };
  });
  const known: { -readonly [part in keyof Reached]: string[] } = {
    wholly: [],
    partly: [],
    not: [],
  };
  for (const source of indexesIn(sources)) {
    const asked = all.filter(({ itself }) => itself !== source);
    if (asked.length === 0) continue;
    const isWhole = asked.every(({ whole }) => has(whole, source));
    const isSome = asked.some(({ some }) => has(some, source));
    known[isWhole ? 'wholly' : isSome ? 'partly' : 'not'].push(memberName(reaches.world, source));
  }
  // A caller of a service reaches targets to which the machine of the caller has no flow. In that
  // case, only the flows are the answer.
  return known.wholly.length + known.partly.length === 0 && flows.length > 0 ? undefined : known;
}

/** Sources that have all requested access to a target, and sources that may have some of it. */
interface Having {
  readonly whole: Bits;
  readonly some: Bits;
}

const joined = (all: readonly Having[]): Having => ({
  whole: all.map(({ whole }) => whole).reduce(or, noBits()),
  some: all.map(({ some }) => some).reduce(or, noBits()),
});

function flowsTo(
  reaches: Reaches,
  sources: Bits,
  to: Selector,
): (target: Target) => Having | undefined {
  const found = new Map<string, Having>();
  const targets = targetsOf(reaches.world, to) ?? [];
  for (const flow of flowsBetween(reaches, { sources, targets, traffic: to.traffic }))
    for (const target of flow.targets) {
      const known = found.get(nameOf(target)) ?? { whole: noBits(), some: noBits() };
      found.set(nameOf(target), known);
      const able = minus(flow.sources, flow.fail);
      orInto(known.some, able);
      const hasAll = !to.hasPorts || intervalsText(flow.granted) === intervalsText(to.traffic);
      if (hasAll) orInto(known.whole, certain(flow, able));
    }
  return target => found.get(nameOf(target));
}

const certain = ({ unknown }: Flow, able: Bits): Bits => minus(able, unknown);

const nameOf = (target: Target): string =>
  target.type === 'machine' ? `machine ${target.index}` : target.id;
