// Removes references to objects that no longer exist from the fields of an object, unless the
// object would grant more access without them.
import type { Kind, Shape } from '../../kinds/kind.ts';
import { refKey } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { pointer } from '../../model/text/pointer.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import { isParty } from '../waiting/parties.ts';

/** A reference to an object that no longer exists. */
export interface LostRef {
  readonly address: Address;
  readonly path: Path;
}

/** An object without its lost references. */
export interface Repaired {
  readonly object: Desired;
  readonly lost: readonly LostRef[];
  /**
   * A lost reference that cannot be left out. Without it, the object would be a different object,
   * or would grant more.
   */
  readonly stuck?: LostRef;
}

/**
 * The lost objects by address. `mayLive`: the object may still exist under another name, and may
 * still be a member of the set.
 */
export type LostObjects = ReadonlyMap<Address, { readonly mayLive: boolean }>;

/** The object without references to lost objects. */
export function repaired(kind: Kind, object: Desired, gone: LostObjects): Repaired {
  const repair = new Repair(kind, object, gone);
  const fields = repair.fields();
  const { lost, stuck } = repair;
  if (lost.length === 0) return { object, lost };
  return {
    object: { ...object, fields, spans: repair.spans(), whole: object.fields },
    lost,
    ...(stuck && { stuck }),
  };
}

class Repair {
  readonly lost: LostRef[] = [];
  stuck: LostRef | undefined;
  readonly #kind: Kind;
  readonly #object: Desired;
  readonly #gone: LostObjects;
  /** The positions that are left out of lists, by the pointer of the list. */
  readonly #removed = new Map<string, readonly number[]>();

  constructor(kind: Kind, object: Desired, gone: LostObjects) {
    this.#kind = kind;
    this.#object = object;
    this.#gone = gone;
  }

  fields(): Fields {
    const { fields } = this.#object;
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => {
        const shape = this.#kind.shape.fields.get(name)?.shape;
        return [name, shape ? this.#value(shape, value, [name]) : value];
      }),
    );
  }

  /** The places in the files of the remaining fields. */
  spans(): Desired['spans'] {
    const entries = Object.entries(this.#object.spans).flatMap(([place, span]) => {
      const moved = this.#moved(place);
      return moved === null ? [] : [[moved, span] as const];
    });
    return Object.fromEntries(entries);
  }

  #moved(place: string): string | null {
    for (const [list, removed] of this.#removed) {
      if (!place.startsWith(`${list}/`)) continue;
      const [position = '', ...inside] = place.slice(list.length + 1).split('/');
      if (removed.includes(Number(position))) return null;
      const before = removed.filter(one => one < Number(position)).length;
      return [list, Number(position) - before, ...inside].join('/');
    }
    return place;
  }

  #value(shape: Shape, value: Json, path: Path): Json {
    switch (shape.type) {
      case 'scalar':
        if (shape.ref) this.#single(shape.ref, value, path);
        return value;
      case 'choice':
        for (const [kind, key] of Object.entries(isObject(value) ? value : {}))
          this.#single(kind as KindName, key, [...path, kind]);
        return value;
      case 'list':
        return isList(value) ? this.#list(shape.items, value, path) : value;
      case 'dict':
        return this.#entries(value, (key, item) => {
          if (shape.keyRef) this.#single(shape.keyRef, key, [...path, key]);
          return this.#value(shape.values, item, [...path, key]);
        });
      case 'object':
        return this.#entries(value, (key, item) => {
          const inner = shape.fields.get(key)?.shape;
          return inner ? this.#value(inner, item, [...path, key]) : item;
        });
    }
  }

  #entries(value: Json, change: (key: string, item: Json) => Json): Json {
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(key, item)]));
  }

  #single(kind: KindName, value: Json, path: Path): void {
    const lost = this.#lostRef(kind, value, path);
    if (lost) this.#hold(lost);
  }

  #list(items: Shape, values: readonly Json[], path: Path): Json {
    if (items.type !== 'scalar' || items.ref === undefined)
      return values.map((item, i) => this.#value(items, item, [...path, String(i)]));
    const { ref } = items;
    const found = values.map((item, i) => this.#lostRef(ref, item, [...path, String(i)]));
    const lost = found.filter(one => one !== undefined);
    if (lost.length === 0) return [...values];
    const kept = values.filter((_, i) => found[i] === undefined);
    const held = lost.find(one => !this.#mayLeaveOut(one, kept.length === 0));
    for (const one of lost) if (one !== held) this.lost.push(one);
    if (held) this.#hold(held);
    this.#removed.set(
      pointer(path),
      found.flatMap((one, i) => (one === undefined ? [] : i)),
    );
    return kept;
  }

  // Whether a lost reference may be left out. From a shared set, it may, because the set keeps
  // undeclared members. Any other set is written as a whole. It must not become empty, because an
  // empty set may mean everything. It must also not lose an entry that restricts the object. The
  // fields in the `line` of the kind contain the parties to which an object grants access.
  #mayLeaveOut({ address, path }: LostRef, isEmptied: boolean): boolean {
    const [name = ''] = path;
    const isShared = path.length === 2 && this.#kind.shape.fields.get(name)?.shared === true;
    const mayLive = this.#gone.get(address)?.mayLive === true;
    if (isShared) return !(mayLive && this.#object.lifecycle.exact?.includes(name));
    return !isEmptied && !mayLive && isParty(this.#kind, path);
  }

  #hold(lost: LostRef): void {
    this.lost.push(lost);
    this.stuck ??= lost;
  }

  #lostRef(kind: KindName, value: Json, path: Path): LostRef | undefined {
    const key = refKey(value);
    if (key === null) return undefined;
    const address = addressOf(kind, key as Key);
    return this.#gone.has(address) ? { address, path } : undefined;
  }
}
