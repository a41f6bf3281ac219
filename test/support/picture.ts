// Everything an account holds, as a value in name space, and readable names for the ids that a server makes up.
import { fetchAccount } from '../../src/api/account/fetch.ts';
import { readTransport } from '../../src/api/transport/transport.ts';
import { childKey, identityName } from '../../src/kinds/identity/identity.ts';
import { kindsIn } from '../../src/kinds/schema/table.ts';
import { canonicalFields } from '../../src/kinds/values/canonical.ts';
import { present } from '../../src/model/errors.ts';
import { idInKey } from '../../src/model/key.ts';
import type { Key } from '../../src/model/names.ts';
import type { Live } from '../../src/model/object.ts';
import type { Fields } from '../../src/model/value.ts';
import type { TestAccount } from './account.ts';
import { KINDS } from './files.ts';

/** One object of an account, identified by its name and not by its id. */
export interface Pictured {
  /** `kind.key`, numbered where several objects of the kind are called the same. */
  readonly name: string;
  readonly live: Live;
  /** Its kind and id: ids alone are one kind's. */
  readonly uid: string;
  /** Its writable fields in canonical form, pointers as keys. */
  readonly fields: Fields;
  /** The same with pointers as ids. */
  readonly idFields: Fields;
}

/** All objects of all kinds, whoever made them. */
export async function pictureOf(account: TestAccount): Promise<readonly Pictured[]> {
  const parents = new Map([...KINDS.keys()].map(name => [name, 'all' as const]));
  const scope = { kinds: new Set(KINDS.keys()), parents };
  const options = { concurrency: 1 };
  const kinds = kindsIn(KINDS, account.server.dialect);
  const { objects } = await fetchAccount(readTransport(account.transport), kinds, scope, options);
  const keys = new Map<string, Key>();
  const called = [...KINDS.values()].flatMap(kind =>
    objects
      .filter(live => live.kind === kind.name)
      .map(live => {
        const fields = canonicalFields(kind.shape, live.fields, 'live');
        const parent =
          kind.parent &&
          live.parentId &&
          (keys.get(`${kind.parent} ${live.parentId}`) ?? (live.parentId as string as Key));
        const own = identityName(kind, fields) ?? '(nameless)';
        const key = idInKey(live.key) === null ? live.key : childKey(parent, own);
        keys.set(uidOf(live), key);
        return { call: `${kind.name}.${key}`, live, fields };
      }),
  );
  return called.map(({ call, live, fields }) => {
    const namesakes = called.filter(other => other.call === call).map(({ live: { id } }) => id);
    const number = namesakes.length > 1 ? `#${namesakes.sort().indexOf(live.id) + 1}` : '';
    const { shape } = present(KINDS.get(live.kind), `the kind ${live.kind}`);
    const idFields = canonicalFields(shape, live.idFields, 'live');
    return { name: `${call}${number}`, live, uid: uidOf(live), fields, idFields };
  });
}

const uidOf = ({ kind, id }: Live): string => `${kind} ${id}`;

/** Turns ids into `<kind.key>` and back, so that texts with ids in them can be written, read and kept. */
export class Symbols {
  readonly #symbols = new Map<string, Symbol>();

  /** Names every id that has no name yet; the first name of an id stays. */
  learn(picture: readonly Pictured[]): void {
    for (const { name, live, uid } of picture) {
      const path = KINDS.get(live.kind)?.path ?? '';
      if (!this.#symbols.has(uid))
        this.#symbols.set(uid, { id: live.id, name: `<${name}>`, path: `${path}/` });
    }
  }

  /** `text` with every known id replaced by its name. A number is only taken for an id in a path. */
  hide(text: string): string {
    return [...this.#symbols.values()].reduce(
      (hidden, { id, name, path }) =>
        /^\d+$/.test(id)
          ? hidden.replaceAll(RegExp(`${path}${id}\\b`, 'g'), path + name)
          : hidden.replaceAll(id, name),
      text,
    );
  }

  /** `text` with every known name replaced by its id. */
  fill(text: string): string {
    return [...this.#symbols.values()].reduce(
      (filled, { id, name }) => filled.replaceAll(name, id),
      text,
    );
  }
}

interface Symbol {
  readonly id: string;
  readonly name: string;
  /** What stands before an id in a path. */
  readonly path: string;
}
