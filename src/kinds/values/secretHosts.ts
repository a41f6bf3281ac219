// Finds the live objects whose addresses come as a whole from a source of secrets.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { idKey } from '../../model/key.ts';
import type { Desired, Live } from '../../model/object.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import type { Secret } from '../../model/secrets/secret.ts';
import {
  hasSecretHost,
  isHostSecret,
  secretHostsOf,
  writtenHostsOf,
} from '../../model/secrets/secretHost.ts';
import type { Fields } from '../../model/value.ts';
import type { Kind, KindTable } from '../kind.ts';
import { hasHidden, hiddenPaths, secretsAtHidden } from './hidden.ts';
import { hostText } from './hostText.ts';

/** Whether one of these addresses is in the fields of an object. */
export function holdsAddress(kind: Kind, fields: Fields, addresses: ReadonlySet<string>): boolean {
  if (addresses.size === 0 || !hasHidden(kind)) return false;
  return hiddenPaths(kind.shape, fields).some(({ text }) => addresses.has(text));
}

/**
 * The live objects. Those with a secret host have their ids as keys. If a file or a base takes a
 * whole address from a secret, every live address that no file contains may be that address or a
 * former one. `isIncomplete`: some declarations could not be read.
 */
export function withSecretHosts(
  objects: readonly Live[],
  kinds: KindTable,
  declared: readonly Desired[],
  { isIncomplete = false } = {},
): readonly Live[] {
  if (!isIncomplete && !declared.some(object => isSecretAsAWhole(object, kinds))) return objects;
  const written = writtenHostsOf(declared);
  return objects.map(live => {
    const isWritten = addressesIn(live, kinds).every(address => written.has(address));
    return isWritten ? live : withSecretHost(live);
  });
}

const withSecretHost = (live: Live): Live => ({
  ...live,
  key: idKey(live.id),
  hasSecretHost: true,
});

/** A live object whose hosts may be shown, and these hosts. */
interface OpenHosts extends Pick<Live, 'kind' | 'id'> {
  readonly hosts: readonly string[];
}

/** The live objects whose hosts may be shown. An address that is not a web address has no host apart from the address itself. */
export const openHostsIn = (objects: readonly Live[], kinds: KindTable): readonly OpenHosts[] =>
  objects.flatMap(live => {
    const { kind, id, hasSecretHost: isSecret } = live;
    const addresses = addressesIn(live, kinds);
    const hosts = addresses.map(hostText).filter((host, at) => host !== addresses[at]);
    return isSecret || hosts.length < Math.max(addresses.length, 1) ? [] : { kind, id, hosts };
  });

/**
 * Live objects; those with another host than `open` has for them have their ids as keys. Nothing is known about a host that an
 * object got since.
 */
export function withOpenHostsOnly(
  objects: readonly Live[],
  kinds: KindTable,
  open: readonly OpenHosts[],
): readonly Live[] {
  const known = new Map(open.map(({ kind, id, hosts }) => [`${kind} ${id}`, hosts]));
  return objects.map(live => {
    const own = known.get(`${live.kind} ${live.id}`) ?? [];
    const isOpen = addressesIn(live, kinds).every(address => own.includes(hostText(address)));
    return isOpen ? live : withSecretHost(live);
  });
}

/** A note for each kind whose objects have ids as keys because this run does not know the value of a declared address. */
export function unknownHostNotes(
  objects: readonly Live[],
  kinds: KindTable,
  declared: readonly Desired[],
): readonly Diagnostic[] {
  const concerned = new Set(objects.flatMap(live => (live.hasSecretHost ? live.kind : [])));
  return [...concerned].flatMap((name): Diagnostic[] => {
    const unknown = declared.find(
      one => one.kind === name && isSecretAsAWhole(one, kinds) && isUnread(one, kinds),
    );
    const plural = kinds.get(name)?.plural;
    if (unknown === undefined || plural === undefined) return [];
    return [
      {
        code: 'HOST_NOT_SHOWN',
        severity: 'note',
        at: unknown.at,
        message: `the hosts of ${plural} that no file declares are not shown: this whole address is secret and unknown in this run, and one of these hosts may be its host`,
        hint: 'they are shown by their ids',
      },
    ];
  });
}

// Whether the whole address of an object is secret. Until it is read, such an address is a secret in the fields. In a base, it
// has no host; in a base of an earlier version, it has a source.
function isSecretAsAWhole(object: Desired, kinds: KindTable): boolean {
  if (hasSecretHost(object)) return true;
  return unreadIn(object, kinds).some(secret => isHosted(secret) && isHostSecret(secret));
}

const isUnread = (object: Desired, kinds: KindTable): boolean => unreadIn(object, kinds).length > 0;

function unreadIn({ kind: name, fields }: Desired, kinds: KindTable): readonly Secret[] {
  const kind = kinds.get(name);
  if (kind === undefined || !hasHidden(kind)) return [];
  return secretsAtHidden(kind.shape, fields).map(({ secret }) => secret);
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
