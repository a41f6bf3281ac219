// Reads the recorded bases of an account for an export, because they show which texts of the account are secrets.
import { isRefusal } from '../../apply/refusal.ts';
import { SIGNING_KEY, signerOf } from '../../apply/signing/signer.ts';
import type { KnownBase } from '../../export/declarations.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { folderOf, realOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { objectsOf, storedBases } from '../../read/git/storedBases.ts';
import type { Io } from '../io.ts';
import { NOBODY } from '../machine.ts';

/** The place of the bases, and their account. */
interface BasesOfAccount {
  readonly path: string;
  readonly account: string | undefined;
  readonly kinds: KindTable;
  /** The API token, from which a key is derived if no key is set. */
  readonly token: string;
}

/** The bases of the account at the remote or in the clone; none outside a repository, or if git fails. */
export async function knownBases(
  { path, account, kinds, token }: BasesOfAccount,
  io: Io,
): Promise<readonly KnownBase[]> {
  const folder = folderOf(realOf(path));
  if (account === undefined || repositoryOf(folder) === null) return [];
  const onSecret = (key: string) => io.secrets.add(key);
  const made = signerOf({ signingKey: io.env[SIGNING_KEY], token, onSecret });
  const signer = isRefusal(made) ? NOBODY : made;
  await io.openShared?.();
  const found = await storedBases({ folder, host: io }, account).catch(() => []);
  return found.flatMap((stored): KnownBase[] => {
    if ('why' in stored) return [];
    const isVerified = signer.isSigned('base', stored.text, stored.signature);
    return [{ objects: objectsOf(stored, kinds), ids: stored.base.ids ?? [], isVerified }];
  });
}
