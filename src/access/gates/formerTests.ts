// Finds lines of access tests that the last apply had and the files no longer contain.
import type { AccessTest, WrittenSelector } from '../../model/access/accessTest.ts';
import { stableText } from '../../model/text/stableText.ts';
import { checkedSelector, type Selector } from '../ask/selector.ts';
import type { States } from './movedAccess.ts';
import { isWithin, standsFor } from './sameObject.ts';

/**
 * The tests of the last apply, reduced to the lines that no declared test contains any more. Tests
 * without such lines are omitted.
 */
export function removedLines(
  applied: readonly AccessTest[],
  declared: readonly AccessTest[],
  states: States | undefined,
): readonly AccessTest[] {
  // Most tests are unchanged, so equal tests are skipped first.
  const same = new Set(declared.map(textOf));
  const isKept = keptBy(declared, states);
  return distinct(applied).flatMap(test => {
    if (same.has(textOf(test))) return [];
    const left: AccessTest = {
      ...test,
      allow: test.allow.filter(allow => !isKept(test, { allow })),
      deny: test.deny.filter(deny => !isKept(test, { deny })),
      onlyFrom: test.onlyFrom.length > 0 && !isKept(test, {}) ? test.onlyFrom : [],
      former: true,
    };
    return left.allow.length + left.deny.length + left.onlyFrom.length > 0 ? [left] : [];
  });
}

/** A line of `allow` or `deny`. For a line of `only_from`, both are absent. */
interface Line {
  readonly allow?: WrittenSelector;
  readonly deny?: WrittenSelector;
}

function keptBy(
  declared: readonly AccessTest[],
  states: States | undefined,
): (was: AccessTest, line: Line) => boolean {
  type Compare = (is: Selector, was: Selector, states: States | undefined) => boolean;
  const by = (compare: Compare) => (is: WrittenSelector, was: WrittenSelector) =>
    is.text === was.text || compare(checkedSelector(is.text), checkedSelector(was.text), states);
  const stands = by(standsFor);
  const isInside = by(isWithin);
  const isSubject = (is: WrittenSelector | undefined, was: WrittenSelector | undefined) =>
    is === undefined || was === undefined ? is === was : stands(is, was);
  const areAmong = (list: readonly WrittenSelector[], others: readonly WrittenSelector[]) =>
    list.every(is => others.some(was => isInside(is, was)));
  return (was, { allow, deny }) =>
    declared.some(is => {
      const isSame = isSubject(is.from, was.from) && isSubject(is.to, was.to);
      if (!isSame || assumptionOf(is) !== assumptionOf(was)) return false;
      if (allow) return is.allow.some(line => stands(line, allow));
      if (!areAmong(is.except, was.except)) return false;
      if (deny) return is.deny.some(line => stands(line, deny));
      return is.onlyFrom.length > 0 && areAmong(is.onlyFrom, was.onlyFrom);
    });
}

const assumptionOf = ({ facts, passesPosture }: AccessTest): string =>
  `${passesPosture} ${stableText({ ...facts })}`;

// Several bases of one run usually contain the same tests.
function distinct(tests: readonly AccessTest[]): readonly AccessTest[] {
  return [...new Map(tests.map(test => [textOf(test), test])).values()];
}

function textOf(test: AccessTest): string {
  const { name, from, to, allow, deny, onlyFrom, except } = test;
  const lists = [allow, deny, onlyFrom, except].map(list => list.map(({ text }) => text).sort());
  return JSON.stringify([name, from?.text, to?.text, ...lists, assumptionOf(test)]);
}

/** The lines of a test in words: `deny group/databases`. */
export function linesText({ allow, deny, onlyFrom, to }: AccessTest): string {
  return [
    ...allow.map(({ text }) => `allow ${text}`),
    ...deny.map(({ text }) => `deny ${text}`),
    ...(onlyFrom.length > 0 ? [`only_from for ${to?.text ?? ''}`] : []),
  ].join(', ');
}
