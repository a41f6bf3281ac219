// The ids that the keys in a plan denoted when the plan was made. The run writes these ids, even if
// somebody renames the objects in the meantime.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { isNamedById } from '../../kinds/lookup.ts';
import { fieldsSentBy, refsIn } from '../../kinds/values/refs.ts';
import { type Key, type KindName, type RemoteId, remoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Action, Pin } from '../../model/plan.ts';
import type { Fields, Json } from '../../model/value.ts';
import { plannedMembers } from '../diff/digest.ts';
import type { Naming } from '../types/naming.ts';

/** Live objects by their keys in the plan. */
export interface LiveByKey {
  readonly id: (kind: KindName, key: string) => RemoteId | undefined;
  readonly live: (kind: KindName, key: string) => Live | undefined;
}

/** Looks up live objects by the keys of `naming`. */
export function liveByKey(objects: readonly Live[], naming: Naming): LiveByKey {
  const byKey = new Map(
    objects.map(live => [`${live.kind} ${naming.keyOfId(live.kind, live.id)}`, live]),
  );
  const live = (kind: KindName, key: string) => byKey.get(`${kind} ${key}`);
  return { live, id: (kind, key) => live(kind, key)?.id };
}

/**
 * The pins of all live objects to which actions refer or whose children actions change, ordered by
 * kind and key. A replaced object has no pin, because its new id is known only after its create.
 */
export function pinsOf(actions: readonly Action[], kinds: KindTable, byKey: LiveByKey): Pin[] {
  const made = new Set(
    actions.flatMap(({ verb, kind, key }) => (verb === 'create' ? [`${kind} ${key}`] : [])),
  );
  const pins = new Map<string, Pin>();
  const pin = (name: KindName | undefined, key: string): void => {
    const live = name && byKey.live(name, key);
    const referent = name && kinds.get(name);
    // If the id of an object is its name, the id is known even if the object is deleted.
    if (!live && referent && isNamedById(referent))
      pins.set(`${name} ${key}`, { kind: referent.name, key: key as Key, id: remoteId(key) });
    if (!live || made.has(`${name} ${key}`)) return;
    const serverFields = pick(live.serverFields, fieldsSentBy(kinds, live.kind));
    const { kind, id } = live;
    pins.set(`${kind} ${key}`, {
      kind,
      key: key as Key,
      id,
      ...(serverFields && { serverFields }),
    });
  };
  for (const action of actions) {
    const kind = kinds.get(action.kind);
    if (action.parent !== undefined) pin(kind?.parent, action.parent);
    for (const ref of kind ? sentRefs(kind, action) : []) pin(ref.kind, ref.key);
  }
  return [...pins.values()].sort((a, b) => (`${a.kind} ${a.key}` < `${b.kind} ${b.key}` ? -1 : 1));
}

/** The references that an action sends, including members of shared sets. */
export function sentRefs(kind: Kind, action: Action) {
  if (action.verb === 'delete') return [];
  const sets = action.verb === 'update' ? Object.entries(action.members) : [];
  const planned = sets.map(([name, members]): [string, Json] => [name, plannedMembers(members)]);
  return refsIn(kind.shape, { ...action.fields, ...Object.fromEntries(planned) });
}

function pick(fields: Fields, names: ReadonlySet<string>): Fields | undefined {
  const entries = Object.entries(fields).filter(([name]) => names.has(name));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
