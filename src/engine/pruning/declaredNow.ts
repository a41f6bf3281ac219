// The declarations of the other folders of the account, looked up by live objects.
import { exactName } from '../../base/recognisedAddresses.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { placeText } from '../../model/diagnostic.ts';
import type { Address, KindName, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { Fields } from '../../model/value.ts';
import { idText, textsOf } from './declaredElsewhere.ts';

/** The declarations of another folder. */
export interface Elsewhere {
  readonly folder: string;
  readonly object: Desired;
  /** The commit of the folder's base, if only the base declares the object. */
  readonly commit?: string;
  /** Whether the folder no longer has files. */
  readonly isGone?: boolean;
}

/** The place in another folder that declares an object, in words. */
export const placeOf = ({ object, commit }: Pick<Elsewhere, 'object' | 'commit'>): string =>
  commit === undefined ? `at ${placeText(object.at)}` : 'in its base';

/**
 * The declarations of other folders by the strings of `textsOf`. Declarations in files come before
 * declarations in bases.
 */
export class DeclaredNow {
  readonly #files: ReadonlyMap<string, readonly Elsewhere[]>;
  readonly #bases: ReadonlyMap<string, readonly Elsewhere[]>;

  constructor(others: readonly OtherFolder[], kinds: KindTable) {
    const byText = (all: readonly Elsewhere[]) => {
      const entries = all.flatMap(one => textsOf(one.object, kinds).map(text => ({ text, one })));
      const grouped = Map.groupBy(entries, ({ text }) => text);
      return new Map([...grouped].map(([text, list]) => [text, list.map(({ one }) => one)]));
    };
    this.#files = byText(
      others.flatMap(({ name, files }) => files.map(object => ({ folder: name, object }))),
    );
    this.#bases = byText(
      others.flatMap(({ name, base, commit = '', isGone = false }) =>
        base.map(object => ({ folder: name, object, commit, isGone })),
      ),
    );
  }

  inFiles(texts: readonly string[]): readonly Elsewhere[] {
    return texts.flatMap(text => this.#files.get(text) ?? []);
  }

  inBases(texts: readonly string[]): readonly Elsewhere[] {
    return texts.flatMap(text => this.#bases.get(text) ?? []);
  }
}

/** A live object by its names. */
interface NamedLive {
  readonly kind: KindName;
  readonly id: RemoteId | undefined;
  readonly addresses: readonly Address[];
  /** The fields of the object, if its name does not identify it. */
  readonly fields: Fields | undefined;
}

/** The strings of `textsOf` that identify a live object. */
export function liveTexts(
  { kind, id, addresses, fields }: NamedLive,
  kinds: KindTable,
): readonly string[] {
  const exact = fields && exactName({ kind, fields }, kinds, 'live');
  const names = exact === undefined ? addresses : [`${kind} ${exact}`];
  return [...new Set([...names, ...(id === undefined ? [] : [idText({ kind, id })])])];
}
