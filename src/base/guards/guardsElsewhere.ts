// The guards of other folders of the account. Guards apply to the whole account, whichever folder is applied.
import type { AccessTest, WrittenSelector } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Guards, GuardsElsewhere } from '../../model/guards.ts';
import { strictestOfAccess } from '../../model/limits.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { stableText } from '../../model/text/stableText.ts';
import { quoted } from '../../model/text/visible.ts';
import { joinedGuards } from './joined.ts';

/** Whether the selectors of a guard can be read. */
export type IsReadable = (guards: Partial<Pick<Guards, 'guarded' | 'accessTests'>>) => boolean;

/**
 * The guards of other folders; undefined if there are none. A guard that cannot be read has no effect here, because the run of
 * its own folder reports it.
 */
export function guardsElsewhere(
  others: readonly OtherFolder[],
  isReadable: IsReadable,
): GuardsElsewhere | undefined {
  const each = others.map(other => guardsOfFolder(other, isReadable)).filter(hasSome);
  if (each.length === 0) return undefined;
  return {
    protect: new Map(each.flatMap(({ protect }) => [...protect])),
    guarded: each.flatMap(({ guarded }) => guarded),
    accessThresholds: each
      .map(({ accessThresholds }) => accessThresholds)
      .reduce((one, other) => strictestOfAccess(one, other) ?? {}),
    accessTests: each.flatMap(({ accessTests }) => accessTests),
  };
}

function guardsOfFolder(
  { name, files, base, guards = [] }: OtherFolder,
  isReadable: IsReadable,
): GuardsElsewhere {
  const joined = joinedGuards(guards);
  const protect = [...(joined?.protect ?? []), ...[...base, ...files].flatMap(protectedName)];
  return {
    protect: new Map(protect.map(entry => [entry, name])),
    guarded: distinct(joined?.guarded ?? [], ({ from, to }) => [from, to])
      .filter(one => isReadable({ guarded: [one] }))
      .map(one => ({ ...one, folder: name })),
    accessThresholds: joined?.accessThresholds ?? {},
    accessTests: withoutRepeatedLines(joined?.accessTests ?? [])
      .filter(one => isReadable({ accessTests: [one] }))
      .map(one => ({ ...one, folder: name })),
  };
}

const protectedName = ({ kind, key, lifecycle }: Desired): readonly string[] =>
  lifecycle.protect === true ? [`${kind}/${key}`] : [];

// Removes duplicates, because the base and the files usually contain the same guards. Of two equal guards, the one in the files
// is kept, because a person can open its position.
function distinct<T>(guards: readonly T[], contentOf: (guard: T) => unknown): readonly T[] {
  return [...new Map(guards.map(one => [JSON.stringify(contentOf(one)), one])).values()];
}

// Removes repeated lines of tests rather than whole tests, because the files may have changed some lines of a test since.
function withoutRepeatedLines(tests: readonly AccessTest[]): readonly AccessTest[] {
  const seen = new Set<string>();
  const isFirst = (line: readonly unknown[]) => {
    const text = JSON.stringify(line);
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  };
  const left = tests.toReversed().flatMap((test): AccessTest[] => {
    const { from, to, allow, deny, onlyFrom, except, facts, passesPosture } = test;
    const about = [from?.text, to?.text, stableText({ ...facts }), passesPosture];
    const exceptions = textsOf(except);
    const lines = {
      allow: allow.filter(({ text }) => isFirst([about, 'allow', text])),
      deny: deny.filter(({ text }) => isFirst([about, 'deny', exceptions, text])),
      onlyFrom:
        onlyFrom.length > 0 && isFirst([about, 'only_from', exceptions, textsOf(onlyFrom)])
          ? onlyFrom
          : [],
    };
    return Object.values(lines).some(some => some.length > 0) ? [{ ...test, ...lines }] : [];
  });
  return left.toReversed();
}

const textsOf = (selectors: readonly WrittenSelector[]): readonly string[] =>
  selectors.map(({ text }) => text).sort(compareTexts);

const hasSome = ({ protect, guarded, accessThresholds, accessTests }: GuardsElsewhere): boolean =>
  protect.size + guarded.length + Object.keys(accessThresholds).length + accessTests.length > 0;

/** The note about guards of other folders; none if they have no guards. */
export function elsewhereFindings(
  others: readonly OtherFolder[],
  isReadable: IsReadable,
): readonly Diagnostic[] {
  const found = others.flatMap(other => {
    const guards = guardsOfFolder(other, isReadable);
    return hasSome(guards) ? [`${quoted(other.name)} (${contentText(guards)})`] : [];
  });
  if (found.length === 0) return [];
  return [
    {
      code: 'GUARDS_ELSEWHERE',
      severity: 'note',
      message: `the guards of other folders of the account count too: ${found.join(', ')}`,
    },
  ];
}

function contentText({ protect, guarded, accessThresholds, accessTests }: GuardsElsewhere): string {
  const limits = Object.entries(accessThresholds).map(([side, limit]) => `${side} ${limit}`);
  return [
    protect.size > 0 ? `protect ${protect.size}` : [],
    guarded.length > 0 ? `guarded ${guarded.length}` : [],
    limits.length > 0 ? `access_thresholds ${limits.join(' and ')}` : [],
    accessTests.length > 0 ? `access_tests ${accessTests.length}` : [],
  ]
    .flat()
    .join(', ');
}
