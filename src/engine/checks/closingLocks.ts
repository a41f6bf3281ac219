// Locks that a plan closes without a secret. The server never shows secrets, and it accepts a lock
// without a secret. Nobody could open such a lock.
import { hasLocks, type LockWithoutSecret, locksWithoutSecret } from '../../kinds/values/locks.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { pathName } from '../../model/text/pathName.ts';
import { pointer } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import { declaredFields } from '../pairing/planContext.ts';
import type { Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';

/** Errors for declared locks that a plan closes, if their secret is not declared. */
export function closingLocks(
  { pairs, creates }: Pick<Pairing, 'pairs' | 'creates'>,
  context: PlanContext,
): Diagnostic[] {
  const all = [
    ...pairs.map(({ desired, live }) => ({ desired, held: context.fieldsOf(live) })),
    ...creates.map(desired => ({ desired, held: {} })),
  ];
  return all.flatMap(({ desired, held }) => {
    const { shape } = context.kind(desired.kind);
    if (!hasLocks(shape)) return [];
    const owned = declaredFields(desired, context);
    return locksWithoutSecret(shape, owned, held).map(lack => faultOf(desired, lack));
  });
}

function faultOf(desired: Desired, { path, opens }: LockWithoutSecret): Diagnostic {
  const name = quoted(pathName(path));
  return {
    code: 'SECRET_UNDEFINED',
    severity: 'error',
    message: `${name} of ${addressOf(desired.kind, desired.key)} is not enabled in the account, and the files declare no ${quoted(opens)} for it: nobody could use it`,
    at: desired.spans[pointer(path.slice(0, 2))] ?? desired.at,
    hint: `declare its ${quoted(opens)}, such as \${env:NAME}`,
  };
}
