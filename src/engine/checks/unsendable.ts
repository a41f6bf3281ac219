// Secrets that a write would have to repeat and that nobody knows: the account does not show them, the files do not hold them.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { holdsUnknownSecret, isSecret } from '../../model/secrets/secret.ts';
import { quoted } from '../../model/text/visible.ts';
import { lackedFields } from '../diff/replacement.ts';
import { resultingFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/**
 * Errors for objects whose write would need such a secret. A secret that is a field of its own is left out of a write, and
 * the server keeps it; inside a larger value it cannot be left out.
 */
export function unsendableSecrets(
  objects: readonly ObjectChange[],
  context: PlanContext,
): Diagnostic[] {
  return objects.flatMap(({ change, live, desired }) => {
    const kind = context.kind(change.kind);
    const isReplaced = change.type === 'replace';
    const isWhole = isReplaced || kind.updateMode !== 'partial';
    if (!live || !desired || change.type === 'delete' || !isWhole) return [];
    const fields = resultingFields(kind, change.after ?? {}, live, context);
    // What a replacement cannot do without is reported as that.
    const lacked = isReplaced ? lackedFields(kind, change.after ?? {}, live, context) : [];
    const unknown = Object.entries(fields).filter(
      ([name, value]) => !isSecret(value) && holdsUnknownSecret(value) && !lacked.includes(name),
    );
    return unknown.map(([name]): Diagnostic => {
      return {
        code: 'SECRET_UNDEFINED',
        severity: 'error',
        message: `${quoted(name)} of ${change.address} holds a secret that the account does not show, so it cannot be written again`,
        at: desired.at,
        hint: `declare ${quoted(name)} with the secret in it`,
      };
    });
  });
}
