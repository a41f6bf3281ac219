// The changes of a plan that cause a line of an access test to fail: they give access that the line
// forbids, or remove access that the line requires.
import { flowText } from '../../model/access/accessFindings.ts';
import type { AccessTest, FailedLine } from '../../model/access/accessTest.ts';
import { membersOf, possiblyOf } from '../ask/members.ts';
import { checkedSelector } from '../ask/selector.ts';
import { and, type Bits, isEmpty, minus, noBits, or } from '../sets/bits.ts';
import type { World } from '../world/world.ts';
import type { Evaluation, StatesWhenReady } from './evaluation.ts';
import { movedAccess } from './movedAccess.ts';

/** The causes of a failed line; empty if the plan does not change the access that the line tests. */
export function testCauses(
  evaluation: Evaluation,
  test: AccessTest,
  failed: FailedLine,
): readonly string[] {
  if (failed.unknown) return [];
  const atOnce = causesIn(evaluation, test, failed);
  if (atOnce.length > 0 || failed.line === 'allow') return atOnce;
  const later = evaluation.whenReady();
  return later === undefined ? [] : causesIn(later, test, failed);
}

function causesIn(
  { states, causesOf }: StatesWhenReady,
  test: AccessTest,
  { line, selector }: FailedLine,
): readonly string[] {
  const what = line === 'allow' ? 'lost' : 'gained';
  const sides = { to: checkedSelector(selector) };
  const worlds = [states.before.world, states.after.world];
  const isExcepted = (where: string) =>
    test.except.some(({ text }) => text === where || text.startsWith(`${where} `));
  const causes = movedAccess(states, what, sides).flatMap(moved => {
    const sources = concerned(moved.sources, test, worlds);
    if (isEmpty(sources) || (line !== 'allow' && isExcepted(moved.where))) return [];
    return causesOf({ ...moved, sources }, what, part =>
      movedAccess(part, what, sides).some(one => flowText(one) === flowText(moved)),
    );
  });
  return [...new Set(causes)].sort();
}

/**
 * The sources of a test: the sources that it names or, for `only_from`, all sources that it does
 * not list.
 */
function concerned(sources: Bits, { from, onlyFrom }: AccessTest, worlds: readonly World[]): Bits {
  const among = (of: (world: World) => Bits | undefined) =>
    worlds.map(world => of(world) ?? noBits()).reduce(or);
  if (from !== undefined)
    return and(
      sources,
      among(world => possiblyOf(world, checkedSelector(from.text))),
    );
  return onlyFrom
    .map(({ text }) => among(world => membersOf(world, checkedSelector(text))))
    .reduce(minus, sources);
}
