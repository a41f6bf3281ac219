// `--rotate` gives an object a new secret. A declared secret is sent again. For a secret that the
// server generates, the API may offer a request; otherwise, the object is replaced.
import type { Kind } from '../../kinds/kind.ts';
import { isSecretRenewable } from '../../kinds/secretRenewal.ts';
import type { SecretRenewal } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { MissingObject } from '../../model/missingObjects.ts';
import type { Desired } from '../../model/object.ts';
import { exactPattern } from '../../model/objectName.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { Pair } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';

/** Why an object gets a new secret although no field differs, in words; null if it gets none. */
export function rotation({ desired }: Pair, context: PlanContext): string | null {
  const kind = context.kind(desired.kind);
  if (!isSecretRenewable(kind) || !context.rotate.has(nameOf(desired, context))) return null;
  return `a new ${quoted(kind.oneTimeSecret ?? '')} was requested`;
}

/**
 * The new secret of an object that is not replaced; null if only a new object gets a new secret.
 */
export function secretRenewal({ fields }: Desired, kind: Kind): SecretRenewal | null {
  const { oneTimeSecret: secret, renewedBy } = kind;
  if (secret === undefined || renewedBy === undefined) return null;
  const sends = Object.entries(fields).filter(([name]) => renewedBy.sends.includes(name));
  return { secret, ...(sends.length > 0 && { sends: Object.fromEntries(sends) }) };
}

/**
 * Errors for objects in `--rotate` that cannot be rotated. `missing`: the declared objects that the
 * plan leaves out.
 */
export function rotationFaults(
  desired: readonly Desired[],
  missing: readonly MissingObject[],
  context: PlanContext,
): Diagnostic[] {
  const several = new Map(
    missing.flatMap(one =>
      one.isAmbiguous ? [[`${one.kind}/${one.key}` as string, one] as const] : [],
    ),
  );
  const declared = new Map(desired.map(object => [nameOf(object, context), object]));
  return [...context.rotate].sort().flatMap((name): Diagnostic[] => {
    const object = declared.get(name);
    const ambiguous = several.get(name);
    if (ambiguous) return [ambiguousFault(ambiguous, context)];
    if (!object) {
      const known = desired.map(one => shownName(one, context));
      const hint = didYouMean(name, known) ?? 'write kind/name, as in the plan';
      return [fault(`no file declares ${quoted(name)}, which --rotate names`, hint)];
    }
    if (secretsIn(object.fields).length > 0) return [];
    const kind = context.kind(object.kind);
    const { oneTimeSecret, noun } = kind;
    if (isSecretRenewable(kind)) return [];
    const hint =
      oneTimeSecret === undefined
        ? 'name an object that has a secret'
        : `the API cannot replace a ${noun}: renew the secret on the server`;
    const shown = quoted(shownName(object, context));
    return [{ ...fault(`${shown} has no secret that can be renewed`, hint), at: object.at }];
  });
}

function ambiguousFault({ kind, key, namesakes = [] }: MissingObject, context: PlanContext) {
  const shown = exactPattern({ kind, key }, context.kind(kind).depth);
  return fault(
    `the account has several objects called ${quoted(shown)}, and it is unknown which one --rotate means`,
    `bind it with lifecycle.id: ${[...namesakes].sort().map(nameText).join(', ')}`,
  );
}

const shownName = (desired: Desired, { kind, wholeOf }: PlanContext): string => {
  const key = wholeOf(desired) ?? desired.key;
  return exactPattern({ kind: desired.kind, key }, kind(desired.kind).depth);
};

const nameOf = (desired: Desired, { wholeOf }: PlanContext): string =>
  `${desired.kind}/${wholeOf(desired) ?? desired.key}`;

const fault = (message: string, hint: string): Diagnostic => ({
  code: 'ROTATE_UNKNOWN',
  severity: 'error',
  message,
  hint,
});
