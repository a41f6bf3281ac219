// The account that a perfect server would hold after an apply, made without one: for laws that need no network.
import { canonicalFields } from '../../src/kinds/canonical.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { present } from '../../src/model/errors.ts';
import { type KindName, remoteId } from '../../src/model/names.ts';
import type { Desired, Snapshot } from '../../src/model/object.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { decodeAccount, type ReadObject } from '../../src/wire/account.ts';
import { encodeCreate } from '../../src/wire/encode.ts';
import type { Resolve } from '../../src/wire/encodeValue.ts';
import { KINDS } from '../support/files.ts';
import { ENROLLED } from './drawn.ts';
import type { Tape } from './tape.ts';

/** What is read of an account that holds `desired`, what was enrolled, and what every account has; in any order. */
export function snapshotOf(desired: readonly Desired[], tape: Tape): Snapshot {
  const given = [...KINDS.values()].flatMap(givenObjects);
  const objects: ReadObject[] = [
    ...given,
    ...desired.map(({ kind: name, key, parent, fields }): ReadObject => {
      const kind = present(KINDS.get(name), `the kind ${name}`);
      const home = kind.parent && parent !== undefined ? idOf(kind.parent, parent) : undefined;
      const id = idOf(name, key);
      const body = {
        ...encodeCreate(kind, canonicalFields(kind.shape, fields, 'desired'), RESOLVE),
        id,
        type: 'host',
      };
      return {
        kind: name,
        id,
        body: { ...body, ...typeOf(fields) },
        ...(home && { parentId: home }),
      };
    }),
  ];
  return {
    objects: decodeAccount(KINDS, tape.shuffled(objects)),
    unavailable: new Map(),
    requests: 0,
  };
}

// What nobody has to declare: objects that no file can make, and those that are reserved by name.
function givenObjects(kind: Kind): ReadObject[] {
  const reserved = kind.reserved.flatMap(({ field, equals }) =>
    field === 'name' ? (equals ?? []) : [],
  );
  const names = kind.verbs.has('create') ? reserved : ENROLLED;
  return names.map(name => ({
    kind: kind.name,
    id: idOf(kind.name, name),
    body: { id: idOf(kind.name, name), name },
  }));
}

const idOf = (kind: KindName, key: string) => remoteId(`${kind}-${key.replaceAll(/\W/g, '_')}`);

const RESOLVE: Resolve = {
  idOf,
  fieldOf: () => 'host',
  open: () => 'a secret',
  refuse: ({ message }) => {
    throw new Error(message);
  },
};

const typeOf = ({ type }: JsonObject): JsonObject => (type === undefined ? {} : { type });
