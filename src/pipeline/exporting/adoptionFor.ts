// Finds the objects of an account that an apply of files would adopt.

import type { FetchedAccount } from '../../api/account/fetch.ts';
import type { PlanSettings } from '../../engine/types/settings.ts';
import { objectDiffersByDialect } from '../../kinds/dialect/dialects.ts';
import { registerHidden } from '../../kinds/values/hidden.ts';
import { withSecretHosts } from '../../kinds/values/secretHosts.ts';
import type { Adoption } from '../../model/adoption.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { declaredIn, incompleteIn } from '../../model/otherFolder.ts';
import type { DesiredState } from '../loading/desiredState.ts';
import type { Schemas } from '../schemas.ts';
import type { UnreadAccount } from '../unreadAccount.ts';
import type { ExportRequest } from './exportAccount.ts';

/**
 * A result, with the findings about the server's dialect. If a finding is an error, the rest must
 * not be used.
 */
type Found<T> = T & { readonly findings: readonly Diagnostic[] };

/** The files of a folder, and what other declarations for the account show about names. */
type AdoptingFiles = Pick<DesiredState, 'desired' | 'folder' | 'base' | 'recorded' | 'others'>;

/**
 * Reads the part of the account that the desired state needs. Reports which objects an apply would
 * adopt.
 */
export async function adoptionFor(
  files: AdoptingFiles,
  { kinds, transport }: UnreadAccount,
  request: Omit<ExportRequest, 'selection'> & Pick<PlanSettings, 'mark'>,
): Promise<Found<{ readonly adoption?: Adoption }>> {
  const { folder, desired: written } = files;
  const { now, mark } = request;
  const [{ readScope }, { fetchAccount }, { adoptionOf }, { allowsAllNotes }, { stateOfLive }] =
    await Promise.all([
      import('../../engine/scope/readScope.ts'),
      import('../../api/account/fetch.ts'),
      import('../../export/adoption/adoption.ts'),
      import('../../access/state/allowsAll.ts'),
      import('../../access/state/stateOfLive.ts'),
    ]);
  const scope = readScope(kinds, written, [], 'none');
  const isDialectDeclared = written.some(one => objectDiffersByDialect(kinds, one));
  const account = await fetchAccount(transport, kinds, scope, { ...request, isDialectDeclared });
  registerHidden(kinds, account.objects, request.onHidden);
  const { dialect, findings } = account;
  if (hasErrors(findings)) return { findings };
  const { desired, objects } = await withStandInsFor(files, account, { kinds, mark });
  const snapshot = { ...account, objects };
  const notes = allowsAllNotes(stateOfLive(objects, account.unavailable));
  return {
    findings: [...findings, ...notes],
    adoption: adoptionOf({ kinds, desired, folder, snapshot, dialect, now }),
  };
}

// Gives the files and the account the same names. A secret address to which a reference points is
// replaced by a placeholder.
async function withStandInsFor(
  { desired: written, base, recorded, others = [] }: AdoptingFiles,
  account: FetchedAccount,
  { kinds, mark }: Pick<Schemas, 'kinds'> & { readonly mark: PlanSettings['mark'] | undefined },
): Promise<Pick<FetchedAccount, 'objects'> & Pick<AdoptingFiles, 'desired'>> {
  const { withAddressPlaceholders } = await import('../../base/addressPlaceholders.ts');
  const former = [...base, ...(recorded?.objects ?? [])];
  const withPlaceholders = withAddressPlaceholders({
    kinds,
    live: account.objects,
    desired: written,
    elsewhere: others.flatMap(({ files }) => files),
    former: [...former, ...others.flatMap(other => other.base)],
    mark,
  });
  const desired = withPlaceholders(written);
  const elsewhere = others.map(other => ({ ...other, files: withPlaceholders(other.files) }));
  const declared = [...desired, ...former, ...declaredIn(elsewhere)];
  const objects = withSecretHosts(account.objects, kinds, declared, incompleteIn(others));
  return { desired, objects };
}
