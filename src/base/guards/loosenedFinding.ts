// What a plan says about guards that its files loosen.
import { isTakenAway, LOOSENS_GUARDS } from '../../model/acceptedGuards.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type GuardType, type LoosenedGuard, loosenedText } from '../../model/guards.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';

const ORDER: readonly GuardType[] = [
  'protect',
  'lifecycle.protect',
  'guarded',
  'access_tests',
  'access_thresholds',
  'thresholds',
  'grants',
  'allow',
];

/** The loosened guards in an order that files do not decide. */
export function sortedGuards(guards: readonly LoosenedGuard[]): readonly LoosenedGuard[] {
  return guards.toSorted(
    (one, other) =>
      ORDER.indexOf(one.guard) - ORDER.indexOf(other.guard) ||
      compareTexts(`${one.name} ${one.change}`, `${other.name} ${other.change}`),
  );
}

/** The finding about loosened guards, and warnings for flags that name no loosened guard. */
export function loosenedFindings(
  guards: readonly LoosenedGuard[],
  byFlag: readonly Allowance[],
): readonly Diagnostic[] {
  return [...(guards.length > 0 ? [finding(guards)] : []), ...unknownGuards(guards, byFlag)];
}

function finding(guards: readonly LoosenedGuard[]): Diagnostic {
  const left = guards.filter(({ allowed_by }) => allowed_by === undefined);
  const taken = guards.filter(({ allowed_by }) => allowed_by !== undefined);
  const parts = [
    ...(left.length > 0 ? [`which still count in this plan: ${listText(left)}`] : []),
    ...(taken.length > 0
      ? [`which --allow ${LOOSENS_GUARDS} takes away in this plan: ${listText(taken)}`]
      : []),
  ];
  return {
    code: 'GUARDS_LOOSENED',
    severity: 'warning',
    message: `the files loosen guards that were applied, ${parts.join('; ')}`,
    ...(left.length > 0 && {
      hint: `first apply the change of the guards alone, without --kinds, --only and --except, and then the changes that the former guards forbid; or add --allow ${LOOSENS_GUARDS}=NAME`,
    }),
  };
}

const listText = (guards: readonly LoosenedGuard[]): string => guards.map(loosenedText).join('; ');

function unknownGuards(
  guards: readonly LoosenedGuard[],
  byFlag: readonly Allowance[],
): readonly Diagnostic[] {
  const names = guards.map(({ name }) => name);
  return byFlag.flatMap(({ code, object }): Diagnostic[] => {
    if (code !== LOOSENS_GUARDS || object === undefined) return [];
    if (names.some(name => isTakenAway(name, [{ code, object }]))) return [];
    const known = names.length === 0 ? 'the files loosen no guard' : names.join(', ');
    return [
      {
        code: 'OBJECT_UNKNOWN',
        severity: 'warning',
        message: `${quoted(object)}, which --allow ${code} names, is not a guard that the files loosen`,
        hint: didYouMean(object, names) ?? `loosened guards: ${known}`,
        named: object,
      },
    ];
  });
}
