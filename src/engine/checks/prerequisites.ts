// Objects that need an object of another kind in the account. That object must be in service.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { AccountState, StateObject } from '../types/accountState.ts';
import type { PlanContext } from '../types/planContext.ts';

/**
 * Errors for objects to be created, if the account will have no object of the required kind, or
 * none in service.
 */
export function unmetPrerequisites(
  creates: readonly Desired[],
  { objects }: AccountState,
  context: Pick<PlanContext, 'kind'>,
): Diagnostic[] {
  const needy = creates.filter(({ kind }) => context.kind(kind).requires.length > 0);
  if (needy.length === 0) return [];
  const there = Map.groupBy(objects.values(), ({ kind }) => kind);
  return needy.flatMap(desired =>
    context
      .kind(desired.kind)
      .requires.flatMap(name => unmetNeed(desired, context.kind(name), there.get(name) ?? [])),
  );
}

function unmetNeed(
  desired: Desired,
  { plural, noun, at, servesWhile }: Kind,
  there: readonly StateObject[],
): Diagnostic[] {
  const serves = ({ fields }: StateObject) =>
    servesWhile === undefined || fields[servesWhile] === true;
  if (there.some(serves)) return [];
  const isOff = servesWhile !== undefined && there.length > 0;
  const lack = isOff
    ? `${quoted(servesWhile)} will be false for every ${noun}`
    : `the account will have no ${plural}`;
  const section = at.replaceAll('[]', '');
  return [
    {
      code: 'OBJECT_NEEDS',
      severity: 'error',
      message: `${addressOf(desired.kind, desired.key)} cannot be created: ${lack}`,
      at: desired.at,
      hint: isOff
        ? `set ${quoted(`${servesWhile}: true`)} for one of them under ${quoted(section)}`
        : `declare one under ${quoted(section)}`,
    },
  ];
}
