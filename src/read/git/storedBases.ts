// The bases in a repository: commits at refs, each with the document of the base and its signature (docs/design.md#the-base).
import { baseOfText } from '../../base/baseDocument.ts';
import { declaredObject } from '../../base/recordedObjects.ts';
import { baseRef, baseRefsOf, isBaseRef } from '../../base/refName.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Desired } from '../../model/object.ts';
import type { RecordedBase } from '../../model/recordedBase.ts';
import { quoted } from '../../model/text/visible.ts';
import type { UndoneDeclaration } from '../../model/undoneDeclaration.ts';
import { localBases } from './localRefs.ts';
import { contentsOf } from './objectContents.ts';
import { commitOf } from './revision.ts';
import type { GitPlace } from './runGit.ts';

/** The files in the commit of a base. */
export const BASE_FILES = { document: 'base.json', signature: 'base.json.hmac' } as const;

/** A base in the repository. */
export interface StoredBase {
  readonly ref: string;
  readonly commit: string;
  /** The text of the document, which the signature covers. */
  readonly text: string;
  /** Empty if there is none. */
  readonly signature: string;
  readonly base: RecordedBase;
}

/** A ref that should contain a base, and why the base cannot be read. */
export interface UnreadableBase {
  readonly ref: string;
  readonly why: string;
  readonly hint?: string;
}

/** The base at a ref or in a commit; null if there is no such ref. Throws if git fails. */
export async function storedBase(
  place: GitPlace,
  ref: string,
): Promise<StoredBase | UnreadableBase | null> {
  const found = await commitOf(place, ref);
  if (!('commit' in found)) return null;
  return baseIn(place, { ref, commit: found.commit });
}

/** The base in the commit of a ref. Throws if git fails. */
export async function baseIn(
  place: GitPlace,
  at: { readonly ref: string; readonly commit: string },
): Promise<StoredBase | UnreadableBase | null> {
  const [read] = await readBases(place, [at]);
  return read ?? null;
}

/** All bases of an account in this repository. Throws if git fails. */
export async function storedBases(
  place: GitPlace,
  account: string,
): Promise<readonly (StoredBase | UnreadableBase)[]> {
  const prefix = baseRefsOf(account);
  const all = place.host.shared?.refs ?? (await localBases(place, account));
  const refs = [...all].flatMap(([ref, commit]) => (ref.startsWith(prefix) ? { ref, commit } : []));
  return readBases(place, refs);
}

async function readBases(
  place: GitPlace,
  refs: readonly { readonly ref: string; readonly commit: string }[],
): Promise<(StoredBase | UnreadableBase)[]> {
  const { document, signature } = BASE_FILES;
  const contents = await contentsOf(
    place,
    refs.flatMap(({ commit }) => [`${commit}:${document}`, `${commit}:${signature}`]),
  );
  return refs.map(({ ref, commit }, i) => {
    const text = contents[2 * i]?.toString('utf8');
    if (text === undefined) return { ref, why: 'its commit holds no base' };
    const base = baseOfText(text);
    if ('why' in base) return { ref, why: base.why };
    if (isBaseRef(ref) && ref !== baseRef(base.account, base)) return misplaced(ref, base);
    return {
      ref,
      commit,
      text,
      base,
      signature: contents[2 * i + 1]?.toString('utf8').trim() ?? '',
    };
  });
}

// The fault of a base at the wrong ref. A document is signed for one folder of one account, but anybody who can push can put the
// base at another ref.
function misplaced(ref: string, { folder, account }: RecordedBase): UnreadableBase {
  return {
    ref,
    why: `it is the base of ${quoted(folder)} of the account ${quoted(account)}, which has another ref`,
    hint: 'somebody put it there: restore the ref, or remove it with `meshform base forget NAME FOLDER`',
  };
}

/** The declarations of a base that undos have replaced, without objects of unknown kinds. */
export function undoneIn(
  { ref, base }: StoredBase,
  kinds: KindTable,
): readonly UndoneDeclaration[] {
  const at = { file: ref, line: 1, column: 1 };
  return (base.undone ?? []).flatMap(({ applied, ...undone }): UndoneDeclaration[] => {
    const kind = kinds.get(undone.kind);
    if (kind === undefined) return [];
    return [{ ...undone, ...(applied && { applied: declaredObject(applied, kind, at) }) }];
  });
}

/** The objects that a base declares, without objects of unknown kinds. */
export function objectsOf({ ref, base }: StoredBase, kinds: KindTable): readonly Desired[] {
  const at = { file: ref, line: 1, column: 1 };
  return base.objects.flatMap(object => {
    const kind = kinds.get(object.kind);
    return kind ? [declaredObject(object, kind, at)] : [];
  });
}
