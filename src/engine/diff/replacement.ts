// The object that replaces a live object: the declared fields, and the fields that are copied from the live object.
import type { Field, Kind } from '../../kinds/kind.ts';
import { missingOrForbidden } from '../../kinds/requirements.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Live } from '../../model/object.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Fields, Json } from '../../model/value.ts';
import { resultingFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import { heldByServer } from './references.ts';

/**
 * The fields of the new object. Undeclared fields keep their values, with three exceptions: values
 * that apply only to the old object (such as a revocation), values that cannot be read, and values
 * that the kind's schema forbids together with the declared fields.
 */
export function replacementFields(
  kind: Kind,
  owned: Fields,
  live: Live,
  context: PlanContext,
): Fields {
  const whole = Object.entries(resultingFields(kind, owned, live, context)).filter(
    ([name, value]) => name in owned || mayCarryOver(kind.shape.fields.get(name), value),
  );
  const telling = whole.filter(
    ([name, value]) => name in owned || !(isEmpty(value) || value === 0),
  );
  const { forbidden } = missingOrForbidden(kind, Object.fromEntries(telling));
  const isLeft = (name: string) => name in owned || !forbidden.includes(name);
  return Object.fromEntries(whole.filter(([name]) => isLeft(name)));
}

function mayCarryOver(field: Field | undefined, value: Json): boolean {
  // A live object shows only that it has a secret, not the secret itself.
  if (!field || field.inputOnly || secretsIn(value).length > 0) return false;
  // An irreversible flag would make the new object unusable at once.
  return !(field.irreversible && value === true);
}

/** The required fields that the replacement of `live` would lack. */
export function lackedFields(
  kind: Kind,
  owned: Fields,
  live: Live,
  context: PlanContext,
): readonly string[] {
  const fields = replacementFields(kind, owned, live, context);
  // An empty string that is copied from the old object counts as missing.
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  return missingOrForbidden(kind, Object.fromEntries(given)).missing;
}

/** Errors for replacements that would lack a required field. */
export function replacementFaults(
  objects: readonly ObjectChange[],
  context: PlanContext,
): Diagnostic[] {
  return objects.flatMap(({ change, desired, live }): Diagnostic[] => {
    if (change.type !== 'replace' || !desired || !live) return [];
    const kind = context.kind(change.kind);
    const missing = lackedFields(kind, change.after ?? {}, live, context);
    if (missing.length === 0) return [];
    const names = missing.map(name => quoted(name)).join(', ');
    const isIgnored = missing.some(name => desired.lifecycle.ignore?.includes(name));
    return [
      {
        code: 'REPLACE_INCOMPLETE',
        severity: 'error',
        message: `${change.address} must be replaced, and the new ${kind.noun} would lack ${names}, which the API requires`,
        at: desired.at,
        hint: isIgnored
          ? `the account has no value to carry over: remove ${names} from lifecycle.ignore`
          : `declare ${names}`,
      },
    ];
  });
}

/**
 * Errors for replacements whose old object cannot be deleted, because another live object refers to it in a read-only field that
 * no write can change.
 */
export function blockedReplacements(
  objects: readonly ObjectChange[],
  live: readonly Live[],
  context: PlanContext,
): Diagnostic[] {
  const replaced = new Map(
    objects.flatMap(({ change }) =>
      change.type === 'replace' ? [[change.address, change] as const] : [],
    ),
  );
  if (replaced.size === 0) return [];
  const going = new Set(
    objects.flatMap(({ change, live: one }) =>
      change.type === 'delete' || change.type === 'replace' ? (one ?? []) : [],
    ),
  );
  return live
    .filter(one => !going.has(one))
    .flatMap(one => {
      const { pointsAt } = heldByServer(context.kind(one.kind), one, new Set(), context);
      return [...pointsAt].flatMap((address): Diagnostic[] => {
        const change = replaced.get(address);
        if (!change) return [];
        return [
          {
            code: 'OBJECT_POINTED_AT',
            severity: 'error',
            message: `${address} must be replaced, but the server does not delete it while ${context.addressOf(one)} uses it`,
            ...(change.at && { at: change.at }),
            hint: 'delete that object first, or do not change this object',
          },
        ];
      });
    });
}
