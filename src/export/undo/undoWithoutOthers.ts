// The undo of a run without the objects that another folder of the account now declares. These objects stay as they are.
import {
  DeclaredNow,
  type Elsewhere,
  liveTexts,
  placeOf,
} from '../../engine/pruning/declaredNow.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import { remoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList } from '../../model/value.ts';
import type { UndoAccount } from './undoAccount.ts';

/** The declarations of an undo, and the base to plan it with. */
interface Declarations {
  readonly desired: readonly Desired[];
  readonly base: readonly Desired[];
}

/** The remaining undo, and what it leaves unchanged. */
export interface RemainingUndo extends Declarations {
  /** Sentences on what stays. */
  readonly stays: readonly string[];
  /** The declarations of other folders because of which it stays. */
  readonly kept: readonly Elsewhere[];
}

/**
 * The undo without what these folders declare: it deletes and renames none of their objects, and removes none of their members.
 */
export function undoWithoutOthers(
  { desired, base }: Declarations,
  others: readonly OtherFolder[],
  account: UndoAccount,
): RemainingUndo {
  const search = new Search(others, account);
  const left = new Set(desired.filter(object => search.keeps(object)));
  const isLeft = new Set([...left].map(({ kind, key }) => addressOf(kind, key)));
  const rest = desired.filter(object => !left.has(object));
  return {
    desired: rest,
    base: base
      .filter(({ kind, key }) => !isLeft.has(addressOf(kind, key)))
      .map(former => search.withoutMembers(former, rest)),
    stays: search.stays,
    kept: search.kept,
  };
}

class Search {
  readonly stays: string[] = [];
  readonly kept: Elsewhere[] = [];
  readonly #account: UndoAccount;
  readonly #declared: DeclaredNow;
  readonly #unread: readonly OtherFolder[];

  constructor(others: readonly OtherFolder[], account: UndoAccount) {
    this.#account = account;
    this.#declared = new DeclaredNow(others, account.kinds);
    this.#unread = others.filter(({ unreadable }) => unreadable !== undefined);
  }

  /** Whether an object stays as it is. */
  keeps(object: Desired): boolean {
    const live = this.#live(object);
    if (live === undefined) return false;
    const texts = this.#texts(live);
    const files = this.#declared.inFiles(texts);
    const address = addressOf(live.kind, this.#account.shownKey(live));
    if (object.lifecycle.delete !== true) {
      const isRenamed = object.key !== this.#account.shownKey(live);
      const owner = isRenamed ? files.find(one => one.object.key !== object.key) : undefined;
      return owner !== undefined && this.#stay(`${address} stays as it is`, owner);
    }
    const bases = this.#declared.inBases(texts).filter(({ isGone }) => !isGone);
    const owner = files[0] ?? bases[0];
    if (owner) return this.#stay(`${address} stays`, owner);
    const [doubt] = this.#unread;
    if (doubt === undefined) return false;
    this.stays.push(
      `${address} stays: the files of ${quoted(doubt.name)} cannot be read, so it is unknown whether they declare it`,
    );
    return true;
  }

  /** The members that the undo takes out of an object, without those that another folder declares there. */
  withoutMembers(former: Desired, desired: readonly Desired[]): Desired {
    const now = desired.find(({ kind, key }) => kind === former.kind && key === former.key);
    const live = now && this.#live(now);
    if (live === undefined) return former;
    const texts = this.#texts(live);
    const owners = [...this.#declared.inFiles(texts), ...this.#declared.inBases(texts)];
    if (owners.length === 0) return former;
    const address = addressOf(live.kind, this.#account.shownKey(live));
    const { shape } = this.#account.kind(former.kind);
    const fields = Object.entries(former.fields).map(([field, value]) => {
      if (!shape.fields.get(field)?.shared) return [field, value] as const;
      const members = isList(value) ? value.map(String) : [];
      const taken = members.filter(member => {
        const name = this.#account.memberName(former.kind, field, member);
        const owner = owners.find(({ object }) => {
          const theirs = object.fields[field];
          return isList(theirs) && theirs.some(one => one === name || one === member);
        });
        return (
          !owner || !this.#stay(`${quoted(name)} stays in ${quoted(field)} of ${address}`, owner)
        );
      });
      return [field, taken] as const;
    });
    return { ...former, fields: Object.fromEntries(fields.filter(([, left]) => !isEmpty(left))) };
  }

  #stay(what: string, owner: Elsewhere): true {
    this.stays.push(`${what}: ${quoted(owner.folder)} declares it now, ${placeOf(owner)}`);
    this.kept.push(owner);
    return true;
  }

  #live({ kind, lifecycle: { id } }: Desired): Live | undefined {
    return id === undefined ? undefined : this.#account.live(kind, remoteId(id));
  }

  #texts(live: Live): readonly string[] {
    const { kind, id, key, fields } = live;
    const keys = [key, this.#account.shownKey(live)];
    const addresses = keys.filter(one => idInKey(one) === null).map(one => addressOf(kind, one));
    return liveTexts({ kind, id, addresses, fields }, this.#account.kinds);
  }
}
