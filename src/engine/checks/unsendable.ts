// Unknown secrets that a write must contain. The account does not show them, and the files do not
// declare them.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { holdsUnknownSecret, isSecret } from '../../model/secrets/secret.ts';
import { quoted } from '../../model/text/visible.ts';
import { lackedFields } from '../diff/replacement.ts';
import { resultingFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/**
 * Errors for objects whose write needs an unknown secret. A field that contains only the secret can
 * be left out, and the server keeps the secret. A secret inside a larger value cannot be left out.
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
    // For a replacement, another check reports the missing field.
    const lacked = isReplaced ? lackedFields(kind, change.after ?? {}, live, context) : [];
    const unknown = Object.entries(fields).filter(
      ([name, value]) => !isSecret(value) && holdsUnknownSecret(value) && !lacked.includes(name),
    );
    return unknown.map(([name]): Diagnostic => {
      return {
        code: 'SECRET_UNDEFINED',
        severity: 'error',
        message: `${quoted(name)} of ${change.address} contains a secret that the server does not return, so it cannot be written again`,
        at: desired.at,
        hint: `declare ${quoted(name)} with the secret in it`,
      };
    });
  });
}
