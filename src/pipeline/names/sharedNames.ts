// Gives the web addresses in declarations and in the account the same names. If a base contains
// only the mark of an address, the mark identifies the address. An address to which a reference
// points is replaced by a placeholder.

import type { FetchedAccount } from '../../api/account/fetch.ts';
import { withAddressPlaceholders } from '../../base/addressPlaceholders.ts';
import { recognised } from '../../base/recognisedAddresses.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { withSecretHosts } from '../../kinds/values/secretHosts.ts';
import type { Desired } from '../../model/object.ts';
import { declaredIn, incompleteIn } from '../../model/otherFolder.ts';
import type { Mark } from '../../model/secrets/hostedSecret.ts';
import { calledByDigest } from '../../model/secrets/secretHost.ts';
import type { Declarations } from './declarations.ts';

/** The declarations and the account, with the same names. */
export interface SharedNames
  extends Pick<Declarations, 'written' | 'desired' | 'base' | 'recorded' | 'others'> {
  /** Objects of the bases whose addresses match no mark. */
  readonly unrecognised: readonly Desired[];
  readonly snapshot: FetchedAccount;
  /** Marks the objects of the account whose hosts are secret. For objects that are read later. */
  readonly marked: (objects: FetchedAccount['objects']) => FetchedAccount['objects'];
  /** Whether the address of a recorded object is unknown, because it was marked with another key. */
  readonly isUnknown: (object: Pick<Desired, 'kind' | 'fields'>) => boolean;
}

/** Gives declarations and an account the same names. */
export function inSharedNames(
  declarations: Declarations & {
    /** The objects that unfinished applies replaced; see `NamesOfApplies`. */
    readonly replacements: readonly Desired[];
  },
  account: FetchedAccount,
  { kinds, mark }: { readonly kinds: KindTable; readonly mark?: Mark | undefined },
): SharedNames {
  const { former, replacements } = declarations;
  const live = account.objects;
  const known = { kinds, live, desired: declarations.written, mark };
  const { withAddresses, isUnknown } = recognised(known);
  const base = withAddresses(calledByDigest([...declarations.base, ...replacements], mark));
  const recorded = declarations.recorded && {
    ...declarations.recorded,
    objects: withAddresses(declarations.recorded.objects),
  };
  const opened = declarations.others.map(other => ({ ...other, base: withAddresses(other.base) }));
  const withPlaceholders = withAddressPlaceholders({
    ...known,
    elsewhere: opened.flatMap(({ files }) => files),
    former: [...former, ...declarations.others.flatMap(other => other.base)],
  });
  const written = withPlaceholders(declarations.written);
  const others = opened.map(other => ({ ...other, files: withPlaceholders(other.files) }));
  const elsewhere = declarations.others.map((other, i) => ({
    ...other,
    files: others[i]?.files ?? [],
  }));
  const declared = [...written, ...base, ...(recorded?.objects ?? []), ...former];
  const everywhere = [...declared, ...declaredIn(elsewhere)];
  const marked = (objects: typeof live) =>
    withSecretHosts(objects, kinds, everywhere, incompleteIn(declarations.others));
  return {
    written,
    desired: withPlaceholders(declarations.desired),
    base,
    recorded,
    others,
    unrecognised: former.filter(isUnknown),
    snapshot: { ...account, objects: marked(live) },
    marked,
    isUnknown,
  };
}
