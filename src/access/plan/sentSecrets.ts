// Secrets that a plan sends although nothing shows that the account already has them. The account
// never shows a secret. When an object changes, its declared secret replaces the secret in the
// account.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { exposureOf, isReached } from '../../kinds/values/exposure.ts';
import { keyedPath } from '../../kinds/values/items.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { type Secret, secretsIn } from '../../model/secrets/secret.ts';
import { isInFiles } from '../../model/secrets/secretFiles.ts';
import type { Fields, Path } from '../../model/value.ts';
import { areNested } from './sentElsewhere.ts';

/** The paths of secrets that may differ from the secrets in the account, by object. Paths contain the keys of list items. */
export type SentSecrets = ReadonlyMap<Address, readonly Path[]>;

/**
 * The secrets that the updates of a plan send, without those that the account already has. The
 * account has a secret if the base contains the same source, and the change that the plan applies
 * cannot have changed that file. With `areValuesCompared`, the account also has a secret whose
 * value was last sent.
 */
export function sentSecrets(
  kinds: KindTable,
  { changes, actions }: Pick<Plan, 'changes' | 'actions'>,
  areValuesCompared: boolean,
): SentSecrets {
  const written = new Map(
    actions.flatMap(one => (one.verb === 'delete' ? [] : [[one.address, one.fields] as const])),
  );
  return new Map(
    changes.flatMap((change): [Address, Path[]][] => {
      const { type, kind, address } = change;
      const fields = type === 'update' || type === 'replace' ? written.get(address) : undefined;
      if (fields === undefined) return [];
      const isBased = isInBase(change);
      const paths = secretsIn(fields)
        .filter(({ secret }) => secret.$secret !== '')
        .map(({ path, secret }) => ({
          path: keyedPath(kinds.get(kind)?.shape, fields, path),
          isKnown: areValuesCompared || (isBased && isSourceTelling(secret)),
        }))
        .filter(
          ({ path, isKnown }) => !isKnown || change.fields.some(one => areNested(one.path, path)),
        )
        .map(({ path }) => path);
      return paths.length === 0 ? [] : [[address, paths]];
    }),
  );
}

// Whether an equal source shows an equal value. A reference to a file does not, because the content
// of the file may change. For an address, the value itself is compared.
const isSourceTelling = (secret: Secret): boolean => isHosted(secret) || !isInFiles(secret);

/** The secrets in `sent` that open an object to outside callers, each with the path of its lock. */
export function sentLocks(
  { exposes, shape }: Pick<Kind, 'exposes' | 'shape'>,
  { before, after }: { readonly before?: Fields | undefined; readonly after?: Fields | undefined },
  secrets: readonly Path[],
): readonly { readonly path: Path; readonly lock: string }[] {
  if (exposes === undefined || after === undefined || secrets.length === 0) return [];
  const { keys, isInside } = exposureOf(exposes, shape, after);
  if (isInside) return [];
  // If the object was open without a lock before, the new secret admits nobody new.
  const former = before && exposureOf(exposes, shape, before);
  if (former && isReached(former) && former.keys.size === 0) return [];
  const closed = new Set([...keys.keys()].map(flag => flag.slice(0, flag.lastIndexOf('.'))));
  return secrets
    .map(path => ({ path, lock: path.slice(0, -1).join('.') }))
    .filter(({ lock }) => closed.has(lock));
}

// Whether the base declares the object. If so, each change of the object says which side made it.
const isInBase = ({ since, fields }: ShownChange): boolean =>
  since !== undefined || fields.some(one => one.since !== undefined);
