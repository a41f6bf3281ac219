// One object of any kind on a server, from its making to its end: single actions, and what the server says afterwards.
import { onTestFinished } from 'vitest';
import type { ObjectId } from '../../../src/api/account/objectClient.ts';
import { listObjects, readObject } from '../../../src/api/account/objectClient.ts';
import { accountPort } from '../../../src/api/account/port.ts';
import { writeTransport } from '../../../src/api/transport/transport.ts';
import type { AccountPort } from '../../../src/apply/port.ts';
import { runPlan } from '../../../src/apply/run/run.ts';
import { isServedIn } from '../../../src/kinds/dialect/dialects.ts';
import { childKey, identityName } from '../../../src/kinds/identity/identity.ts';
import type { Kind } from '../../../src/kinds/kind.ts';
import { kindsIn } from '../../../src/kinds/schema/table.ts';
import type { Dialect } from '../../../src/kinds/traits.ts';
import { canonicalFields } from '../../../src/kinds/values/canonical.ts';
import { refsOf } from '../../../src/kinds/values/refs.ts';
import { present } from '../../../src/model/errors.ts';
import { idKey } from '../../../src/model/key.ts';
import { type Key, type KindName, type RemoteId, remoteId } from '../../../src/model/names.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { Action, Pin } from '../../../src/model/plan.ts';
import type { Fields, JsonObject } from '../../../src/model/value.ts';
import { decodeFields } from '../../../src/wire/decode.ts';
import { createOf, deleteOf, planOf, updateOf } from '../../apply/plans.ts';
import { nameBelow, placedAlone } from '../../properties/generators/accounts.ts';
import { RandomSource } from '../../properties/generators/randomSource.ts';
import { drawFields } from '../../properties/generators/values.ts';
import { startAccount } from '../account.ts';
import { KINDS } from '../files.ts';
import { appear } from './appear.ts';

/** What secrets open to here. */
export const HUSH = 'hush-hush';

/** An account in which every kind that others speak of has an object. */
export interface World {
  /** Fields that the schema of a kind admits; null where it would have to point at what is not there. */
  readonly draw: (kind: Kind, random: RandomSource) => Fields | null;
  readonly create: (kind: Kind, fields: Fields) => Promise<Outcome>;
  readonly update: (kind: Kind, id: RemoteId, fields: Fields) => Promise<Outcome>;
  readonly remove: (kind: Kind, id: RemoteId) => Promise<Outcome>;
  /** The body of one object, by itself or as its list has it. */
  readonly read: (kind: Kind, id: RemoteId) => Promise<JsonObject>;
  readonly listed: (kind: Kind, id: RemoteId) => Promise<JsonObject | undefined>;
  /** A body in canonical form, its pointers as names. */
  readonly canonical: (kind: Kind, body: JsonObject) => Fields;
}

const PEERS = ['ada', 'bob'];

/** Starts such an account for a test of one kind; it ends with the test. Every body that is sent is shown to `onSend` first. */
export async function startWorld(
  dialect: Dialect,
  tested: Kind,
  onSend: (kind: Kind, verb: 'create' | 'update', body: JsonObject) => void,
): Promise<World> {
  const account = await startAccount({ dialect });
  onTestFinished(() => account.close());
  const transport = writeTransport(account.transport);
  const port = watched(accountPort(transport, KINDS), onSend);
  const kinds = kindsIn(KINDS, dialect);
  const pins: Pin[] = [];
  const pinned = (kind: KindName) => pins.filter(pin => pin.kind === kind);
  const home = (kind: Kind) => (kind.parent ? pinned(kind.parent)[0] : undefined);
  const placeOf = (kind: Kind, id: RemoteId): ObjectId => {
    const parent = home(kind);
    return { id, ...(parent && { parentId: parent.id }) };
  };
  const more = (kind: Kind) => {
    const parent = home(kind);
    return parent ? { parent: parent.key, parentId: parent.id } : {};
  };
  const perform = async (action: Action): Promise<Outcome> => {
    const options = {
      kinds,
      port,
      openSecret: () => HUSH,
      now: () => 0,
      planReadAt: 0,
      concurrency: 1,
    };
    const { outcomes } = await runPlan(planOf([action], pins), options);
    return present(outcomes[0], 'an outcome');
  };
  const read = (kind: Kind, id: RemoteId) => readObject(transport, kind, placeOf(kind, id));
  const keyOf = (kind: Kind, fields: Fields): Key =>
    childKey(
      home(kind)?.key,
      identityName(kind, canonicalFields(kind.shape, fields, 'desired')) ?? '',
    );
  const world: World = {
    draw: (kind, random) => {
      const keys = (name: KindName) => pinned(name).map(({ key }) => key);
      const fixed = { ...nameFor(kind), ...nameBelow(kind, random, home(kind)?.key) };
      const fields = drawFields(kind, fixed, { random, dialect, keys });
      return fields && placedAlone(kind, fields);
    },
    create: (kind, fields) => {
      const declared = canonicalFields(kind.shape, fields, 'desired');
      return perform(createOf(kind.name, keyOf(kind, fields), declared, more(kind)));
    },
    update: async (kind, id, fields) =>
      perform(updateOf(kind.name, idKey(id), await read(kind, id), fields, more(kind))),
    remove: async (kind, id) =>
      perform(deleteOf(kind.name, idKey(id), await read(kind, id), more(kind))),
    read,
    listed: async (kind, id) => {
      const list = await listObjects(transport, kind, home(kind)?.id);
      return list.find(item => item.id === id)?.body;
    },
    canonical: (kind, body) => {
      const named = (name: KindName, id: string): string =>
        pinned(name).find(pin => pin.id === id)?.key ?? idKey(remoteId(id));
      return canonicalFields(kind.shape, decodeFields(kind.shape, body, named), 'live');
    },
  };
  const pin = (kind: Kind, key: Key, id: RemoteId, serverFields: JsonObject): void => {
    pins.push({ kind: kind.name, key, id, serverFields });
  };
  for (const kind of kinds.values()) {
    if (!isServedIn(kind, dialect)) continue;
    if (!isSpokenOf(kind) && !tested.requires.includes(kind.name)) continue;
    if (!kind.verbs.has('create'))
      for (const name of PEERS) {
        const body = await appear(account.control, kind, name);
        pin(kind, name as Key, remoteId(String(body.id)), body);
      }
    else {
      const fields = { ...world.draw(kind, new RandomSource([])), name: 'relationsOf' };
      const made = await world.create(kind, fields);
      const id = made.status === 'done' ? made.remoteId : remoteId('');
      pin(kind, keyOf(kind, fields), id, await read(kind, id));
    }
  }
  return world;
}

// Objects with a name of their own are called one thing here, so that two of them contend for it.
function nameFor(kind: Kind): Fields {
  return kind.identity.join() === 'name' ? { name: 'generated' } : {};
}

function isSpokenOf({ name }: Kind): boolean {
  return [...KINDS.values()].some(kind => kind.parent === name || refsOf(kind).has(name));
}

function watched(
  port: AccountPort,
  onSend: (kind: Kind, verb: 'create' | 'update', body: JsonObject) => void,
): AccountPort {
  return {
    ...port,
    create: (kind, body, parentId) => {
      onSend(kind, 'create', body);
      return port.create(kind, body, parentId);
    },
    update: (kind, at, body) => {
      onSend(kind, 'update', body);
      return port.update(kind, at, body);
    },
  };
}
