// Objects that cannot be created before the account has one of another kind: one that is there, and that serves them.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Fields } from '../../model/value.ts';
import { ownedFields, resultingFields } from '../pairing/planContext.ts';
import type { Pruning } from '../pruning/prune.ts';
import type { Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';

/** Errors for objects to be created that need one of another kind, where the account will have none, or none that serves. */
export function unmetPrerequisites(
  { pairs, bystanders, creates, unpaired }: Pairing,
  { deletes }: Pruning,
  context: PlanContext,
): Diagnostic[] {
  const needy = creates.filter(({ kind }) => context.kind(kind).needs.length > 0);
  if (needy.length === 0) return [];
  const gone = new Set(deletes.map(({ live }) => live));
  const after: Resulting[] = [
    ...creates.map(desired => declared(desired, undefined, context)),
    ...pairs.flatMap(({ desired, live }) =>
      gone.has(live) ? [] : [declared(desired, live, context)],
    ),
    ...[...unpaired, ...bystanders.map(({ live }) => live)]
      .filter(live => !gone.has(live))
      .map(live => ({ kind: live.kind, fields: context.fieldsOf(live) })),
  ];
  const there = Map.groupBy(after, ({ kind }) => kind);
  return needy.flatMap(desired =>
    context
      .kind(desired.kind)
      .needs.flatMap(name => unmetNeed(desired, context.kind(name), there.get(name) ?? [])),
  );
}

/** An object as it will be. */
interface Resulting {
  readonly kind: KindName;
  readonly fields: Fields;
}

function declared(desired: Desired, live: Live | undefined, context: PlanContext): Resulting {
  const kind = context.kind(desired.kind);
  const owned = ownedFields(desired, context);
  return { kind: kind.name, fields: resultingFields(kind, owned, live, context) };
}

function unmetNeed(
  desired: Desired,
  { plural, noun, at, servesWhile }: Kind,
  there: readonly Resulting[],
): Diagnostic[] {
  const serves = ({ fields }: Resulting) =>
    servesWhile === undefined || fields[servesWhile] === true;
  if (there.some(serves)) return [];
  const isOff = servesWhile !== undefined && there.length > 0;
  const lack = isOff
    ? `${quoted(servesWhile)} will be false for every ${noun}`
    : `the account will have no ${plural}`;
  const place = at.replaceAll('[]', '');
  return [
    {
      code: 'OBJECT_NEEDS',
      severity: 'error',
      message: `${addressOf(desired.kind, desired.key)} cannot be created: ${lack}`,
      at: desired.at,
      hint: isOff
        ? `set ${quoted(`${servesWhile}: true`)} for one of them under ${quoted(place)}`
        : `declare one under ${quoted(place)}`,
    },
  ];
}
