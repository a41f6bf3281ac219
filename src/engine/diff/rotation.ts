// `--rotate`: an object gets a new secret. A declared secret is sent again; a secret that the server generates comes
// with a new object.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import { exactPattern } from '../../model/objectName.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Pair } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';

/** Why an object is replaced although none of its fields differs, in words; null if it is not replaced. */
export function rotation({ desired }: Pair, context: PlanContext): string | null {
  const { oneTimeSecret, replace } = context.kind(desired.kind);
  if (
    oneTimeSecret === undefined ||
    replace === 'refuse' ||
    !context.rotate.has(nameOf(desired, context))
  )
    return null;
  return `a new ${quoted(oneTimeSecret)} was requested`;
}

/** Errors for objects in `--rotate` that cannot be rotated. */
export function rotationFaults(desired: readonly Desired[], context: PlanContext): Diagnostic[] {
  const declared = new Map(desired.map(object => [nameOf(object, context), object]));
  return [...context.rotate].sort().flatMap((name): Diagnostic[] => {
    const object = declared.get(name);
    if (!object) {
      const known = desired.map(one => shownName(one, context));
      const hint = didYouMean(name, known) ?? 'write kind/name, as in the plan';
      return [fault(`no file declares ${quoted(name)}, which --rotate names`, hint)];
    }
    if (secretsIn(object.fields).length > 0) return [];
    const { oneTimeSecret, replace, noun } = context.kind(object.kind);
    if (oneTimeSecret !== undefined && replace !== 'refuse') return [];
    const hint =
      oneTimeSecret === undefined
        ? 'name an object that has a secret'
        : `the API cannot replace a ${noun}: renew the secret on the server`;
    const shown = quoted(shownName(object, context));
    return [{ ...fault(`${shown} has no secret that can be renewed`, hint), at: object.at }];
  });
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
