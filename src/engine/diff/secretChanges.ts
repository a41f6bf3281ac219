// Determines which secrets are sent, because secrets cannot be read and compared. A secret must be
// sent again if its source in the base, a fingerprint of the last sent value, or `--rotate` shows
// this.
import isEqual from 'fast-deep-equal';
import type { Kind } from '../../kinds/kind.ts';
import { keyedPath, valueAt } from '../../kinds/values/items.ts';
import type { FieldChange } from '../../model/change.ts';
import { isSecret, type SecretAtPath, secretsIn } from '../../model/secrets/secret.ts';
import type { Fields } from '../../model/value.ts';
import { overlaps } from './overlap.ts';

/** The inputs that determine whether an object's secrets are sent again. */
export interface SecretRules {
  /** The declaration in the base, in canonical form; undefined if the base does not contain the object. */
  readonly base: Fields | undefined;
  /** The object in the account, canonical. */
  readonly live: Fields;
  /** Whether the user asks to send all secrets of the object again. */
  readonly isRotated: boolean;
  /** Whether the account may have another value of a secret than the current one. */
  readonly isOther: (secret: SecretAtPath) => boolean;
}

/**
 * The changes for declared secrets that must be sent although no comparison finds a difference, and for values that replace a
 * secret of the base. Changes in `known` are left out.
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

// The changes for values that replace a secret of the base. They are sent because the account does
// not show whether it still has that secret.
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
