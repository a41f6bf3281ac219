// Objects that somebody renamed in the account and that several folders declare. An export into one folder does not rename them,
// because the other folders would create them again under the old name.
import { addressOf } from '../model/key.ts';
import type { Address, Key } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type { OtherFolder } from '../model/otherFolder.ts';
import type { Comparison } from './adoption/compare.ts';

/** A renamed object, and where other folders declare it under the old name. */
export interface RenamedShared {
  readonly desired: Desired;
  readonly address: Address;
  readonly now: Key;
  readonly elsewhere: readonly { readonly folder: string; readonly object: Desired }[];
}

/** The declarations of renamed objects that the files of other folders have too. */
export function renamedShared(
  { renamed, pairs }: Pick<Comparison, 'renamed' | 'pairs'>,
  others: readonly OtherFolder[],
): readonly RenamedShared[] {
  if (renamed.size === 0 || others.length === 0) return [];
  return pairs.flatMap(({ desired }): RenamedShared[] => {
    const address = addressOf(desired.kind, desired.key);
    const now = renamed.get(address);
    const elsewhere = others.flatMap(({ name, files }) =>
      files
        .filter(object => addressOf(object.kind, object.key) === address)
        .map(object => ({ folder: name, object })),
    );
    return now === undefined || elsewhere.length === 0
      ? []
      : [{ desired, address, now, elsewhere }];
  });
}
