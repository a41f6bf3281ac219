// The values that the server did not store, according to the recorded base of a folder. They are needed for a report that is not
// compared with that base.
import { baseRef } from '../../base/refName.ts';
import type { UnstoredValue } from '../../model/recordedBase.ts';
import type { ProgramHost } from '../environment.ts';
import { folderOf, realOf } from '../files/projectFilesAbove.ts';
import { storedBase } from './storedBases.ts';
import { pathInRepository } from './workRevision.ts';

/** The values that the server did not store; empty without a readable recorded base. */
export async function recordedUnstored({
  path,
  host,
  account,
  name,
}: {
  readonly path: string;
  readonly host: ProgramHost;
  readonly account: string | undefined;
  readonly name: string | undefined;
}): Promise<readonly UnstoredValue[]> {
  if (account === undefined) return [];
  try {
    const ref = baseRef(account, {
      folder: pathInRepository(path),
      ...(name !== undefined && { name }),
    });
    const stored = await storedBase({ folder: folderOf(realOf(path)), host }, ref);
    return stored === null || 'why' in stored ? [] : (stored.base.unstored ?? []);
  } catch {
    return [];
  }
}
