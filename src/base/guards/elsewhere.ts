// The guards of other folders of the account. What guards an account is a property of the account, whichever folder is applied.
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Guards, GuardsElsewhere } from '../../model/guards.ts';
import { strictestOfAccess } from '../../model/limits.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { quoted } from '../../model/text/visible.ts';
import { joinedGuards } from './joined.ts';

/** Whether the selectors of a guard can be read. */
export type IsReadable = (guards: Partial<Pick<Guards, 'guarded' | 'accessTests'>>) => boolean;

/**
 * The guards of other folders; undefined without any. A guard that cannot be read has no effect here: the run of its own folder
 * reports it.
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
    accessTests: distinct(joined?.accessTests ?? [], testLines)
      .filter(one => isReadable({ accessTests: [one] }))
      .map(one => ({ ...one, folder: name })),
  };
}

const protectedName = ({ kind, key, lifecycle }: Desired): readonly string[] =>
  lifecycle.protect === true ? [`${kind}/${key}`] : [];

// The base and the files usually have the same guards: the places in the files are those that a person can open.
function distinct<T>(guards: readonly T[], contentOf: (guard: T) => unknown): readonly T[] {
  return [...new Map(guards.map(one => [JSON.stringify(contentOf(one)), one])).values()];
}

const testLines = ({ at: _, ...test }: AccessTest): unknown =>
  Object.values(test).map(value =>
    JSON.stringify(value, (key, part) => (key === 'at' ? undefined : part)),
  );

const hasSome = ({ protect, guarded, accessThresholds, accessTests }: GuardsElsewhere): boolean =>
  protect.size + guarded.length + Object.keys(accessThresholds).length + accessTests.length > 0;

/** The note about guards of other folders; none without any. */
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
