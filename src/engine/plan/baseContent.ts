// The base after a plan is applied. A plan contains it, so that an apply records exactly what was approved.

import { handedOverMembers } from '../../base/handedOverMembers.ts';
import {
  type BaseBefore,
  baseContent,
  type ContentRules,
  type Declarations,
} from '../../base/nextBase.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { Plan } from '../../model/plan.ts';
import type { UnstoredValue } from '../../model/recordedBase.ts';
import { handedOver, handedParts } from '../pruning/declaredElsewhere.ts';
import { inParts } from '../scope/parts.ts';
import { othersInParts } from '../scope/partsElsewhere.ts';
import { isLimited, namedBy, selected } from '../scope/selection.ts';
import type { PlanSettings } from '../types/settings.ts';

/** The declarations, and the content of the previous base. */
interface Content extends Declarations, Pick<ContentRules, 'isUnknown'> {
  readonly before: BaseBefore | undefined;
  readonly others: readonly OtherFolder[];
  /**
   * The values that the server does not store: all values that the previous base records, and the
   * values that are still not stored.
   */
  readonly unstored: readonly UnstoredValue[];
  readonly held: readonly UnstoredValue[];
}

interface ContentContext extends Pick<ContentRules, 'idOf' | 'ids'> {
  readonly kinds: KindTable;
  readonly settings: PlanSettings;
}

/** The plan with the content of the next base, if it can be recorded. */
export function withContent(
  plan: Plan,
  { before, isUnknown, others, unstored, held, ...declarations }: Content,
  { kinds, settings, idOf, ids }: ContentContext,
): Plan {
  if (before === undefined || plan.base === undefined) return plan;
  const { select = {} } = settings;
  const isSelected = selected(select, kinds);
  const left = unstored.filter(one => held.includes(one) || !isSelected(one));
  const asKept = (objects: readonly Desired[]) => inParts(objects, kinds, settings.dialect);
  const content = baseContent(declarations, before, {
    kinds,
    mark: settings.mark,
    dialect: settings.dialect,
    isUnknown,
    handedOver: handedOver(declarations.bases, others, kinds),
    handedParts: handedParts(
      { former: asKept(declarations.bases), desired: asKept(declarations.desired) },
      othersInParts(others, kinds, settings.dialect),
      kinds,
    ),
    handedMembers: handedOverMembers({ base: declarations.bases, others, ids, kinds }),
    idOf,
    ids,
    isLimited: isLimited(select),
    isSelected,
    isForgotten: namedBy(settings.forget ?? [], kinds),
  });
  const recorded = { ...content, ...(left.length > 0 && { unstored: left }) };
  return { ...plan, base: { ...plan.base, content: recorded } };
}
