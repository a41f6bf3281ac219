// Secrets cannot be read back. A changed secret is detected by its source in the base, by a fingerprint of the value
// sent last, or by `--rotate`.
import isEqual from 'fast-deep-equal';
import type { Kind } from '../../kinds/kind.ts';
import { keyedPath, valueAt } from '../../kinds/values/items.ts';
import type { FieldChange } from '../../model/change.ts';
import { isSecret, type SecretAtPath, secretsIn } from '../../model/secrets/secret.ts';
import type { Fields } from '../../model/value.ts';
import { overlaps } from './overlap.ts';

/** What decides whether the secrets of an object are sent again. */
export interface SecretRules {
  /** The declaration in the base, canonical; undefined without one. */
  readonly base: Fields | undefined;
  /** The object in the account, canonical. */
  readonly live: Fields;
  /** Whether a person asks to send all of them again. */
  readonly isRotated: boolean;
  /** Whether the account is not known to hold the value that a secret has now. */
  readonly isOther: (secret: SecretAtPath) => boolean;
}

/**
 * The declared secrets that are sent although no comparison finds a difference, and the values that replace a secret of the
 * base, without those in `known`.
 */
export function secretChanges(
  kind: Kind,
  declared: Fields,
  rules: SecretRules,
  known: readonly FieldChange[],
): FieldChange[] {
  const changes = [...sentAgain(kind, declared, rules), ...written(kind, declared, rules)];
  return changes.filter(({ path }) => !known.some(change => overlaps(change.path, path)));
}

// The account hides whether it still has the secret.
function written(kind: Kind, declared: Fields, { base = {}, live }: SecretRules): FieldChange[] {
  return secretsIn(base).flatMap(({ path, secret }): FieldChange[] => {
    const keyed = keyedPath(kind.shape, base, path);
    const after = valueAt(kind.shape, declared, keyed);
    const isKnown = !isSecret(valueAt(kind.shape, live, keyed));
    if (after === undefined || isSecret(after) || isKnown) return [];
    return [{ type: 'value', path: keyed, before: secret, after, since: 'pending' }];
  });
}

function sentAgain(
  kind: Kind,
  declared: Fields,
  { base, isRotated, isOther }: SecretRules,
): FieldChange[] {
  const names = [...kind.shape.fields.keys()].filter(name => declared[name] !== undefined);
  return names
    .flatMap(name => secretsIn(declared[name] ?? null, [name]))
    .map(placed => ({ ...placed, keyed: keyedPath(kind.shape, declared, placed.path) }))
    .flatMap(({ path, secret, keyed }): FieldChange[] => {
      const former = base && valueAt(kind.shape, base, keyed);
      const isMoved = base !== undefined && !isEqual(former, secret);
      if (!isMoved && !isRotated && !isOther({ path, secret })) return [];
      return [
        {
          type: 'value',
          path: keyed,
          before: isSecret(former) ? former : secret,
          after: secret,
          ...(base !== undefined && { since: 'pending' }),
        },
      ];
    });
}
