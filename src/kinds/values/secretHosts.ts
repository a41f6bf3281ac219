// The live objects whose addresses came from a source of secrets as a whole.
import { idKey } from '../../model/key.ts';
import type { Desired, Live } from '../../model/object.ts';
import { secretHostsOf, writtenHostsOf } from '../../model/secrets/secretHost.ts';
import type { Fields } from '../../model/value.ts';
import type { Kind, KindTable } from '../kind.ts';
import { hasHidden, hiddenPaths } from './hidden.ts';

/** Whether one of these addresses is in the fields of an object. */
export function holdsAddress(kind: Kind, fields: Fields, addresses: ReadonlySet<string>): boolean {
  if (addresses.size === 0 || !hasHidden(kind)) return false;
  return hiddenPaths(kind.shape, fields).some(({ text }) => addresses.has(text));
}

/**
 * Live objects, of which those with a secret host are called by their ids. As soon as a file takes a whole address from a
 * secret, every address that no file has written may be a former value of it.
 */
export function withSecretHosts(
  objects: readonly Live[],
  kinds: KindTable,
  declared: readonly Desired[],
): readonly Live[] {
  if (secretHostsOf(declared).size === 0) return objects;
  const written = writtenHostsOf(declared);
  return objects.map(live => {
    const isWritten = addressesIn(live, kinds).every(address => written.has(address));
    return isWritten ? live : { ...live, key: idKey(live.id), hasSecretHost: true };
  });
}

/** The addresses whose hosts are secret: of declared objects, and of live objects. */
export function allSecretHosts(
  declared: readonly Desired[],
  live: readonly Live[],
  kinds: KindTable,
): ReadonlySet<string> {
  const seen = live.filter(({ hasSecretHost }) => hasSecretHost);
  return secretHostsOf(declared).union(new Set(seen.flatMap(one => addressesIn(one, kinds))));
}

function addressesIn({ kind: name, fields }: Live, kinds: KindTable): readonly string[] {
  const kind = kinds.get(name);
  if (kind === undefined || !hasHidden(kind)) return [];
  return hiddenPaths(kind.shape, fields).map(({ text }) => text);
}
