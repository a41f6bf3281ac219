// Nameless objects that a plan creates although the account has a very similar object. The plan
// shows a hint, and never guesses (docs/design.md#pairing).
import { identityParts, isNameless } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { idInKey } from '../../model/key.ts';
import type { Desired, Live } from '../../model/object.ts';
import { nameText } from '../../model/text/visible.ts';
import { nameInYaml } from '../../model/text/yamlText.ts';
import type { Fields } from '../../model/value.ts';
import { parentKey } from '../pairing/naming.ts';
import { declaredFields } from '../pairing/planContext.ts';
import type { PlanContext } from '../types/planContext.ts';

/** The maximum number of hints. */
const FEW = 3;

/** Notes for a new object that looks like a live object. They contain the entry that would change the live object instead. */
export function bindingHints(
  desired: Desired,
  unpaired: readonly Live[],
  context: PlanContext,
): string[] {
  const kind = context.kind(desired.kind);
  if (!isNameless(kind)) return [];
  const fields = declaredFields(desired, context);
  const alike = unpaired.filter(
    live =>
      live.kind === kind.name &&
      live.reserved === undefined &&
      parentKey(kind, live, context.naming) === desired.parent &&
      isAlike(kind, fields, context.fieldsOf(live)),
  );
  if (alike.length === 0 || alike.length > FEW) return [];
  return alike
    .map(
      live =>
        `the account has ${context.addressOf(live)}: to change that object instead, bind it with lifecycle.id: ${nameText(live.id)}`,
    )
    .sort();
}

// Whether all identifying fields except one are equal.
function isAlike(kind: Kind, one: Fields, other: Fields): boolean {
  const own = identityParts(kind, one);
  const its = identityParts(kind, other);
  return own.filter((part, i) => part !== its[i]).length === 1;
}

/**
 * The lifecycle entry that binds a declared object to this live object: by its key, or by its id if the key is not
 * unique.
 */
export function formerBinding(live: Live, { keyOf }: PlanContext): string {
  const key = keyOf(live);
  return idInKey(key) === null ? `was: ${nameInYaml(key)}` : `id: ${nameInYaml(live.id)}`;
}
