// Joins parts into one declared object: an account may keep each list item in a separate object, but files declare the items
// together.
import isEqual from 'fast-deep-equal';
import { livePart } from '../engine/scope/droppedParts.ts';
import { identityName, namingFields } from '../kinds/identity/identity.ts';
import { partsIn, wholeName } from '../kinds/identity/parts.ts';
import type { Kind, KindTable, Parts } from '../kinds/kind.ts';
import type { Dialect } from '../kinds/traits.ts';
import { canonicalFields } from '../kinds/values/canonical.ts';
import { present } from '../model/errors.ts';
import { idInKey } from '../model/key.ts';
import type { Desired, Live } from '../model/object.ts';
import { literally } from '../model/text/literalText.ts';
import { type Fields, isList, type Json } from '../model/value.ts';
import type { Exported } from './model.ts';

/** The inputs of joining: objects without a parent, in an account of a dialect. */
export interface Joining {
  readonly kinds: KindTable;
  readonly live: readonly Live[];
  readonly dialect: Dialect;
  /** The declarations in files: nothing is joined to an object with the name of another declaration. */
  readonly declared?: readonly Desired[];
}

/**
 * The objects with parts joined. Parts are at least two objects that are named after a common prefix and their items and are
 * equal in all other fields; no other object may have the prefix as its name.
 */
export function withPartsJoined(
  objects: readonly Exported[],
  joining: Joining,
): readonly Exported[] {
  const found = new Parted(joining);
  const byWhole = Map.groupBy(objects, object => found.wholeOf(object));
  const wholes = new Map<Exported, Exported>();
  const gone = new Set<Exported>();
  for (const [whole, parts] of byWhole) {
    const [first, ...others] = parts;
    if (whole === undefined || !first || others.length === 0 || !agree(parts)) continue;
    wholes.set(first, join(parts, whole.slice(whole.indexOf(' ') + 1)));
    for (const other of others) gone.add(other);
  }
  return objects.flatMap(object => (gone.has(object) ? [] : [wholes.get(object) ?? object]));
}

/** Whether parts differ only in their name and their item. */
export function agree(parts: readonly Exported[]): boolean {
  const [first, ...others] = parts.map(({ kind, fields }) => shared(kind, fields));
  return others.every(other => isEqual(other, first));
}

/** One declaration of all these parts, called `name`. */
export function join(parts: readonly Exported[], name: string): Exported {
  const first = present(parts[0], 'a part');
  const { kind, fields } = first;
  const { list = '' } = kind.parts ?? {};
  const items = parts.flatMap((part): readonly Json[] => {
    const held = part.fields[list];
    return isList(held) ? held : [];
  });
  return {
    ...first,
    name,
    isBound: false,
    fields: { ...fields, [nameField(kind)]: literally(name), [list]: items },
    notes: [...new Set(parts.flatMap(({ notes }) => notes))],
    joined: parts,
  };
}

/** The live objects of an exported object: its parts, or itself. */
export const partsOf = (object: Exported): readonly Exported[] => object.joined ?? [object];

const nameField = (kind: Kind): string => namingFields(kind)[0] ?? '';

function shared(kind: Kind, fields: Fields): Fields {
  const own = new Set([nameField(kind), kind.parts?.list]);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !own.has(name)));
}

/** Tells which object an exported object is a part of. */
export class Parted {
  readonly #joining: Joining;
  readonly #byId: ReadonlyMap<string, Live>;
  readonly #names: ReadonlySet<string>;

  constructor(joining: Joining) {
    const { kinds, live, declared = [] } = joining;
    this.#joining = joining;
    this.#byId = new Map(live.map(one => [`${one.kind} ${one.id}`, one]));
    this.#names = new Set([
      ...declared.map(({ kind, key, part }) => `${kind} ${part?.whole ?? key}`),
      ...live.flatMap(one => {
        const kind = kinds.get(one.kind);
        return kind?.parts
          ? [`${kind.name} ${identityName(kind, canonicalFields(kind.shape, one.fields, 'live'))}`]
          : [];
      }),
    ]);
  }

  /** The kind and name of the objects that `object` can be joined with; undefined if there are none. */
  wholeOf(object: Exported): string | undefined {
    const name = this.nameOfWhole(object);
    const whole = `${object.kind.name} ${name}`;
    return name === undefined || this.#names.has(whole) ? undefined : whole;
  }

  /** The name of `object` before the name of its item; undefined if there is none. */
  nameOfWhole(object: Exported): string | undefined {
    const { kind, id, isBound } = object;
    const parts: Parts | undefined = partsIn(kind, this.#joining.dialect);
    const live = this.#byId.get(`${kind.name} ${id}`);
    const part = parts && live && !isBound ? livePart(kind, live) : null;
    if (!parts || !part || part.item === '') return undefined;
    const name = wholeName(parts, part.name, part.item);
    return name === undefined || idInKey(name) !== null ? undefined : name;
  }
}
