// Converts the guards of a folder to the guards in its base, and back.
import type { GuardedAccess } from '../../model/access/accessGates.ts';
import type { AccessTest, WrittenSelector, WrittenTest } from '../../model/access/accessTest.ts';
import type { Span } from '../../model/diagnostic.ts';
import type { GrantLimits } from '../../model/grantLimits.ts';
import type { Guards, Thresholds } from '../../model/guards.ts';
import { BUILT_IN } from '../../model/limits.ts';
import type { RecordedGuards } from '../../model/recordedBase.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { joinedGuards } from './joined.ts';

/** The guards as a base records them, in an order that files do not decide. */
export function recordedGuards(guards: Guards): RecordedGuards {
  const { protect, guarded, thresholds, accessThresholds, accessTests, grants, allow } = guards;
  const isSome = (value: object) => Object.keys(value).length > 0;
  return {
    ...(isSome(protect) && { protect: [...new Set(protect)].sort(compareTexts) }),
    ...(isSome(guarded) && { guarded: sorted(guarded.map(recordedEntry)) }),
    ...(isSome(thresholds) && { thresholds: inKeyOrder(limitsInOrder(thresholds)) }),
    ...(isSome(accessThresholds) && { access_thresholds: inKeyOrder(accessThresholds) }),
    ...(isSome(accessTests) && { access_tests: sorted(accessTests.map(writtenTest)) }),
    ...(isSome(grants) && { grants: sorted(grants.map(recordedLimits)) }),
    ...(isSome(allow) && { allow: [...new Set(allow)].sort(compareTexts) }),
  };
}

const recordedEntry = ({ from, to }: GuardedAccess): GuardedAccess => ({
  ...(from !== undefined && { from }),
  to,
});

const recordedLimits = ({ max, from, to }: GrantLimits): GrantLimits => ({
  ...(max !== undefined && { max }),
  ...(from && { from: from.toSorted(compareTexts) }),
  ...(to && { to: to.toSorted(compareTexts) }),
});

const inKeyOrder = <T extends object>(fields: T): T =>
  Object.fromEntries(
    Object.entries(fields).sort(([one], [other]) => compareTexts(one, other)),
  ) as T;

const limitsInOrder = (thresholds: Thresholds): Thresholds =>
  Object.fromEntries(
    Object.entries(thresholds).map(([place, limit]) => [place, inKeyOrder(limit)]),
  );

// The items in an order that files do not decide, each once.
function sorted<T>(items: readonly T[]): readonly T[] {
  const texts = new Map(items.map(item => [JSON.stringify(item), item] as const));
  return [...texts].sort(([one], [other]) => compareTexts(one, other)).map(([, item]) => item);
}

function writtenTest(test: AccessTest): WrittenTest {
  const { name, from, to, allow, deny, onlyFrom, except, facts, passesPosture } = test;
  const texts = (list: readonly WrittenSelector[]) =>
    list.map(({ text }) => text).sort(compareTexts);
  return {
    name,
    ...(from && { from: from.text }),
    ...(to && { to: to.text }),
    ...(allow.length > 0 && { allow: texts(allow) }),
    ...(deny.length > 0 && { deny: texts(deny) }),
    ...(onlyFrom.length > 0 && { only_from: texts(onlyFrom) }),
    ...(except.length > 0 && { except: texts(except) }),
    ...(facts && { with: inKeyOrder(facts) }),
    ...(passesPosture && { posture: 'pass' }),
  };
}

/** The guards in a base. `at` is the place of the base itself, because a base does not record where the files had them. */
export function guardsInBase(recorded: RecordedGuards, at: Span): Guards {
  return {
    protect: recorded.protect ?? [],
    guarded: recorded.guarded ?? [],
    thresholds: recorded.thresholds ?? {},
    accessThresholds: recorded.access_thresholds ?? {},
    accessTests: (recorded.access_tests ?? []).map(test => readTest(test, at)),
    grants: (recorded.grants ?? []).map(limits => ({ ...limits, at })),
    allow: recorded.allow ?? [],
    places: new Map(),
  };
}

function readTest(test: WrittenTest, at: Span): AccessTest {
  const { name, from, to, with: facts, posture } = test;
  const one = (text: string): WrittenSelector => ({ text, at });
  const { allow = [], deny = [], only_from: onlyFrom = [], except = [] } = test;
  return {
    name,
    at,
    ...(from !== undefined && { from: one(from) }),
    ...(to !== undefined && { to: one(to) }),
    allow: allow.map(one),
    deny: deny.map(one),
    onlyFrom: onlyFrom.map(one),
    except: except.map(one),
    ...(facts && { facts }),
    passesPosture: posture === 'pass',
  };
}

/** Joins the guards of two bases into those of one; a base that an earlier version recorded may have none. */
export function withGuardsOf(
  one: RecordedGuards | undefined,
  other: RecordedGuards | undefined,
  at: Span,
): RecordedGuards | undefined {
  const found = [one, other].flatMap(guards => (guards ? guardsInBase(guards, at) : []));
  const both = joinedGuards(found);
  return both && recordedGuards(both);
}

/** The stricter of the guards of a base and of the files, as the next base records them. */
export function strictestGuards(base: Guards, files: Guards): RecordedGuards {
  const { thresholds, ...both } = joinedGuards([base, files]) ?? files;
  const { default: limit, ...limits } = thresholds;
  // The limit that applies to files without a limit is not recorded.
  const isBuiltIn = limit?.share === BUILT_IN.share && limit?.deletes === undefined;
  return recordedGuards({ ...both, thresholds: isBuiltIn ? limits : thresholds });
}
