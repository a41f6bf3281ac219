// Objects that require an object of another kind in the account which serves them.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { placesOver } from '../actions/relations.ts';
import type { AccountState, StateObject } from '../types/accountState.ts';
import type { PlanContext } from '../types/planContext.ts';

/**
 * Errors for objects to be created if the account will have no object of a required kind, or no object of that kind that serves.
 */
export function unmetPrerequisites(
  creates: readonly Desired[],
  state: AccountState,
  context: Pick<PlanContext, 'kind'>,
): Diagnostic[] {
  return [...unmetNeeds(creates, state, context), ...placeless(creates, state, context)];
}

function unmetNeeds(
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

// Objects whose name must be the name of another object, or a name below it, and is not.
function placeless(
  creates: readonly Desired[],
  { objects, unread }: AccountState,
  context: Pick<PlanContext, 'kind'>,
): Diagnostic[] {
  return creates.flatMap((desired): Diagnostic[] => {
    const kind = context.kind(desired.kind);
    const { identitySuffix } = kind;
    const text = identitySuffix && desired.fields[identitySuffix.field];
    if (
      !identitySuffix ||
      typeof text !== 'string' ||
      identitySuffix.kinds.some(name => unread.has(name))
    )
      return [];
    if (placesOver(kind, desired.fields).some(address => objects.has(address))) return [];
    const nouns = identitySuffix.kinds.map(name => context.kind(name).noun).join(' or ');
    return [
      {
        code: 'OBJECT_NEEDS',
        severity: 'error',
        message: `${addressOf(desired.kind, desired.key)} cannot be created: ${quoted(text)} is neither a ${nouns} of the account nor a name below one`,
        at: desired.at,
        hint: `choose a name below one, or declare one under ${quoted(context.kind(identitySuffix.kinds[0] ?? desired.kind).at.replaceAll('[]', ''))}`,
      },
    ];
  });
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
