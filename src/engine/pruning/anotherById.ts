// Finds objects whose name only the base declares, but with another id: somebody deleted the
// declared object and created a new object with its name. When files no longer declare an object,
// only the object that they created may be deleted.
import { hasIdInBase } from '../../kinds/identity/identity.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Live } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Meant, RecordedIds } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';

/** The known ids of objects: from the base, and from later runs. */
interface KnownIds {
  readonly meant: Meant | undefined;
  readonly recordedIds: RecordedIds | undefined;
}

/**
 * Whether the base has the name of a live object with another id, and no later run bound the name
 * to this live object.
 */
export function isAnotherById(
  live: Live,
  { meant, recordedIds }: KnownIds,
  context: PlanContext,
): boolean {
  const address = context.addressOf(live);
  const former = context.base.get(address);
  if (former === undefined || !hasIdInBase(context.kind(live.kind))) return false;
  const written = addressOf(live.kind, context.formerNames.get(address) ?? former.key);
  const id = recordedIds?.get(written);
  return id !== undefined && id !== live.id && meant?.get(written) !== live.id;
}

/** The warning that such an object stays. */
export const anotherWarning = (live: Live, { addressOf: nameOf }: PlanContext): Diagnostic => ({
  code: 'REMOVED_BEFORE',
  severity: 'warning',
  message: `the files no longer declare ${nameOf(live)}, which is gone already: the object of that name in the account, ${quoted(live.id)}, is a different object that was created since, and it stays`,
  hint: 'delete it in the account; or declare it again, apply, and remove the declaration afterwards',
});
