// Secrets that a plan sends although nothing says that the account has them. The account never shows a secret: beside any other
// change of an object, the value of its declaration takes the place of the one that the account has.
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

/** The paths of the secrets that may be others than the account has, by object; items of lists by their keys. */
export type SentSecrets = ReadonlyMap<Address, readonly Path[]>;

/**
 * The secrets that the updates of a plan send, but for those that the account has: the base has their source, which is no file
 * that the plan's own change may have changed, or, if `areValuesCompared`, their values are those that were sent last.
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

// The same reference to a file stands for another value once the file is another one. The value of an address is compared itself.
const isSourceTelling = (secret: Secret): boolean => isHosted(secret) || !isInFiles(secret);

/** The secrets among these that open an object from outside of the account, with the path of the lock of each. */
export function sentLocks(
  { exposes, shape }: Pick<Kind, 'exposes' | 'shape'>,
  { before, after }: { readonly before?: Fields | undefined; readonly after?: Fields | undefined },
  secrets: readonly Path[],
): readonly { readonly path: Path; readonly lock: string }[] {
  if (exposes === undefined || after === undefined || secrets.length === 0) return [];
  const { keys, isInside } = exposureOf(exposes, shape, after);
  if (isInside) return [];
  // Whoever knows the secret was let in without it.
  const former = before && exposureOf(exposes, shape, before);
  if (former && isReached(former) && former.keys.size === 0) return [];
  const closed = new Set([...keys.keys()].map(flag => flag.slice(0, flag.lastIndexOf('.'))));
  return secrets
    .map(path => ({ path, lock: path.slice(0, -1).join('.') }))
    .filter(({ lock }) => closed.has(lock));
}

// A base that declares the object says of each change since when it is.
const isInBase = ({ since, fields }: ShownChange): boolean =>
  since !== undefined || fields.some(one => one.since !== undefined);

const areNested = (one: Path, other: Path): boolean =>
  one.slice(0, other.length).every((step, at) => step === other[at]);
