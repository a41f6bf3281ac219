// The address by which git reaches a remote, if it cannot use the name of the remote: git pushes elsewhere than it fetches from, or the
// address has a password.
import { quoted } from '../../model/text/visible.ts';
import type { ServerUser } from './netrc.ts';
import type { Setting } from './programKeys.ts';
import type { RemoteAddress } from './remoteAddress.ts';
import { type Addresses, isElsewhere } from './remoteInCheckout.ts';
import { signInAt } from './signIn.ts';
import { UnusableRemote } from './unusableRemote.ts';

/** A remote that may be reached: it is not in the checkout, and no settings come from a file of the checkout. */
export interface Reached {
  readonly remote: string;
  readonly addresses: Addresses;
  /** The settings that determine how the server of the remote is reached. They are read once. */
  readonly ways: () => Promise<readonly Setting[]>;
  /** Whether git finds the password of a user in an address by other means; see `findsByUser`. Read once. */
  readonly isFoundByUser: () => Promise<boolean>;
  /** See `aheadOfNetrc`. */
  readonly aheadOfNetrc: (at: ServerUser) => Promise<readonly Setting[]>;
}

/**
 * The address and the settings with which a command reaches a remote, in place of the remote’s
 * name.
 */
export interface Way {
  /** In place of the name of the remote. */
  readonly asked: string;
  readonly settings: readonly Setting[];
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * How a command reaches a remote; null if it uses the name of the remote. Throws if a push has several addresses, one of which has
 * credentials, and for a command before a push if it has several addresses.
 */
export async function wayTo(
  { remote, addresses, ways, isFoundByUser: asked, aheadOfNetrc }: Reached,
  { isPush, isPushed }: { readonly isPush: boolean; readonly isPushed: boolean },
): Promise<Way | null> {
  const isFoundByUser = hasUserAlone(addresses) && (await asked());
  const address = isPush
    ? addressToPush(remote, addresses, isFoundByUser)
    : (isPushed && pushedAddress(remote, addresses)) || addresses.fetch?.[0];
  if (address === undefined) return null;
  const signIn = signInAt(address, isFoundByUser);
  const isOther = isPushed && !isPush && isElsewhere(addresses);
  if (signIn === null && !isOther) return null;
  // git replaces a configured address for reading, too. An address that is already the result of a replacement must not be replaced
  // again, so an address that no other setting has is mapped to it.
  const name = `meshform-remote:${remote}`;
  return {
    asked: name,
    settings: [
      [`url.${signIn?.address ?? address.forGit}.insteadOf`, name],
      ...(await ways()).map(([key, value]) => [`remote.${name}.${key}`, value] as const),
      ...(signIn === null ? [] : await aheadOfNetrc(signIn.at)),
      ...(signIn?.settings ?? []),
    ],
    variables: signIn?.variables ?? {},
  };
}

/** The one address that git pushes a remote to, if it is another than git fetches from; otherwise null. Throws for several addresses. */
export function pushedAddress(remote: string, addresses: Addresses): RemoteAddress | null {
  if (!isElsewhere(addresses)) return null;
  const [push, second] = different(addresses.push);
  if (second !== undefined) throw new UnusableRemote(severalText(remote), ONE_ADDRESS);
  return push ?? null;
}

// A push to several addresses needs the name of the remote, so none of them may have credentials.
function addressToPush(
  remote: string,
  { push }: Addresses,
  isFoundByUser: boolean,
): RemoteAddress | undefined {
  const [first, ...others] = different(push);
  if (others.length === 0) return first;
  if (push?.some(address => signInAt(address, isFoundByUser) !== null))
    throw new UnusableRemote(passwordText(remote), ONE_ADDRESS);
  return undefined;
}

const hasUserAlone = ({ fetch, push }: Addresses): boolean =>
  [fetch ?? [], push ?? []].flat().some(address => address.hasUserAlone);

// The addresses, each once.
const different = (addresses: readonly RemoteAddress[] | null): readonly RemoteAddress[] =>
  (addresses ?? []).filter(
    ({ forGit }, i, all) => all.findIndex(other => other.forGit === forGit) === i,
  );

const severalText = (remote: string): string =>
  `git pushes to several addresses of the remote ${quoted(remote)}, so a lock there is not one lock`;
const passwordText = (remote: string): string =>
  `git pushes to several addresses of the remote ${quoted(remote)}, and one has a password, which other users of the machine could read among the arguments of git`;
const ONE_ADDRESS = 'name one of them as a remote of its own, as `lock_remote` in meshform.yaml';
