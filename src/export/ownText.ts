// Writes the differences from the account into the own text of an object, and nothing else. Values from layers, templates and
// variables are not copied, so that later changes of these still take effect.
import { isMap, isSeq, Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { namedItems } from '../kinds/identity/namedItems.ts';
import type { Kind, Shape } from '../kinds/kind.ts';
import { itemKey, keyedPath, keyFields } from '../kinds/values/items.ts';
import { shapeAt } from '../kinds/values/shapeAt.ts';
import type { Span } from '../model/diagnostic.ts';
import type { Desired } from '../model/object.ts';
import { literally } from '../model/text/literalText.ts';
import { pointer } from '../model/text/pointer.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../model/value.ts';
import { isExtending, takenOut } from '../source/inherited.ts';
import { addFresh, insert, isImplied, keyText, plain, setField, styleOf } from './yaml/edit.ts';
import { valueNode } from './yaml/nodes.ts';
import { keyNode } from './yaml/scalars.ts';

/** An object, its own text, and the differences from the account. */
export interface OwnText {
  readonly home: Desired;
  readonly kind: Kind;
  readonly map: YAMLMap;
  readonly mapAt: (span: Span) => YAMLMap | undefined;
  /** Whether the value at this path differs, or a value inside or above it. Items of keyed lists are named by their keys. */
  readonly isDifferent: (path: Path) => boolean;
  /** Whether a template or a layer has a field at this path too, so that the field would keep a value without the own text. */
  readonly isInherited: (path: Path) => boolean;
}

/** A difference that cannot be written into the object's own text. */
export interface InexpressibleDifference {
  readonly name: string;
  /** The field of the object that differs, or in which something does. */
  readonly field: string;
  readonly at: Span;
  readonly why: 'anchored' | 'template' | 'layer' | 'entry';
}

/** The result for the text. */
export interface Edited {
  readonly isChanged: boolean;
  readonly inexpressible: readonly InexpressibleDifference[];
  /** The fields that are no longer in the text; items of keyed lists by their keys. */
  readonly removed: readonly Path[];
}

/** Sets fields of an object; one without a value is removed. */
export function editOwnText(text: OwnText, values: ReadonlyMap<string, Json | undefined>): Edited {
  const edit = new Edit(text);
  for (const [name, value] of values) edit.field(text.map, [name], value);
  return { isChanged: edit.isChanged, inexpressible: edit.inexpressible, removed: edit.removed };
}

/** The members of a keyed list that files declare, and how they are merged. */
interface Items {
  readonly path: Path;
  readonly list: YAMLSeq;
  readonly by: readonly string[];
  /** The field by which layers merge the items; undefined if they replace the list. */
  readonly name: string | undefined;
}

class Edit {
  isChanged = false;
  readonly inexpressible: InexpressibleDifference[] = [];
  readonly removed: Path[] = [];
  readonly #text: OwnText;
  readonly #declared: Fields;

  constructor(text: OwnText) {
    this.#text = text;
    this.#declared = text.home.whole ?? text.home.fields;
  }

  /** Sets the field at `path`, whose last step is its key in `map`. */
  field(map: YAMLMap, path: Path, value: Json | undefined): void {
    const key = path.at(-1) ?? '';
    const own = map.items.find(pair => keyText(pair) === key)?.value;
    const declared = this.#declaredAt(path);
    if (isMap(own) && isObject(value) && isObject(declared)) this.#inside(own, path, value);
    else if (isSeq(own) && isList(value) && isList(declared) && this.#by(path))
      this.#items(own, path, value);
    else if (own !== undefined && value === undefined) this.#remove(map, path);
    else if (own !== undefined || declared === undefined) this.#set(map, path, value);
    else this.#inherited(map, path, value);
  }

  #set(map: YAMLMap, path: Path, value: Json | undefined): void {
    const name = path.at(-1) ?? '';
    const field = { name, order: this.#order(path), shape: this.#shape(path) };
    const became = setField(map, field, value);
    if (became === 'set') this.isChanged = true;
    else if (became === 'anchored') this.#leave(path, 'anchored');
  }

  // Removes a field. If the object also inherits the field, such as from a template, null is written in its place.
  #remove(map: YAMLMap, path: Path): void {
    const keyed = this.#keyed(path);
    if (this.#text.isInherited(keyed)) this.#set(map, path, null);
    else {
      this.#set(map, path, undefined);
      this.removed.push(keyed);
    }
  }

  // Edits a mapping. Parts that do not differ are skipped.
  #inside(map: YAMLMap, path: Path, value: Fields): void {
    const found = this.#declaredAt(path);
    const declared = isObject(found) ? found : {};
    const keys = [...map.items.map(keyText), ...Object.keys(declared)];
    for (const key of new Set([...keys, ...Object.keys(value)])) {
      const inside = [...path, key];
      const own = map.items.find(pair => keyText(pair) === key)?.value;
      // A part that only another text has must be removed by null, if it says something there.
      const written = own === undefined ? declared[key] : plain(own);
      const isSilent = value[key] === undefined && isImplied(this.#shape(path), key, written);
      if (!isSilent && this.#isDifferent(inside)) this.field(map, inside, value[key]);
    }
  }

  // Edits a value that another text has: the own text gets the difference, and null where a value is removed.
  #inherited(map: YAMLMap, path: Path, value: Json | undefined): void {
    const declared = this.#declaredAt(path);
    if (isObject(value) && isObject(declared)) {
      const fresh = valueNode({}) as YAMLMap;
      this.#inside(fresh, path, value);
      if (fresh.items.length > 0) this.#insert(map, path, fresh);
    } else if (isList(value) && value.some(isObject)) {
      const list = valueNode([]) as YAMLSeq;
      // A list that replaces the inherited one would repeat everything that the inherited entries have.
      if (isExtending(map)) this.#leave(path, 'template');
      else if (!this.#name(path)) this.#leave(path, 'layer');
      else this.#items(list, path, value);
      if (list.items.length > 0) this.#insert(map, path, list);
    } else this.#set(map, path, value ?? null);
  }

  #insert(map: YAMLMap, path: Path, node: YAMLMap | YAMLSeq): void {
    insert(map, new Pair(keyNode(path.at(-1) ?? ''), node), this.#order(path));
  }

  #items(list: YAMLSeq, path: Path, value: readonly Json[]): void {
    const items: Items = { path, list, by: this.#by(path) ?? [], name: this.#name(path) };
    const declared = this.#declaredAt(path);
    const wanted = new Map(value.map(item => [itemKey(item, items.by), item]));
    const fresh: YAMLMap[] = [];
    const style = styleOf(list);
    for (const [i, item] of (isList(declared) ? declared : []).entries()) {
      const key = itemKey(item, items.by);
      const now = wanted.get(key);
      wanted.delete(key);
      const node = this.#item({ ...items, path: [...path, String(i)] }, item, now);
      if (node) fresh.push(node);
    }
    for (const item of wanted.values()) fresh.push(valueNode(item) as YAMLMap);
    if (fresh.length > 0) this.isChanged = true;
    addFresh(list, fresh, style);
  }

  // Changes a declared item; returns the mapping that is added to the own list for it, if any.
  #item(items: Items, declared: Json, now: Json | undefined): YAMLMap | undefined {
    const { path, list, name } = items;
    if (now !== undefined && !this.#isDifferent(path)) return undefined;
    const span = this.#text.home.spans[pointer(path)] ?? this.#text.home.at;
    const own = this.#text.mapAt(span);
    const isOwn = own !== undefined && list.items.includes(own);
    if (isOwn && span.use === undefined) {
      this.#ownItem(own, items, { declared, now });
      return undefined;
    }
    const isElsewhere = span.use !== undefined || span.file !== this.#text.home.at.file;
    if (isOwn || name === undefined || !isElsewhere) {
      this.#leave(path, 'entry');
      return undefined;
    }
    const said = this.#nameIn(declared, [...path, name]);
    if (now === undefined) return valueNode(takenOut({ [name]: said })) as YAMLMap;
    const fresh = valueNode({ [name]: said }) as YAMLMap;
    if (isObject(now)) this.#inside(fresh, path, now);
    return fresh.items.length > 1 ? fresh : undefined;
  }

  // The name as the earlier layer writes it, because layers merge items by this name.
  #nameIn(declared: Json, path: Path): Json {
    const name = isObject(declared) ? declared[path.at(-1) ?? ''] : undefined;
    const written = this.#text.home.writtenNames?.get(pointer(path));
    return written ?? (typeof name === 'string' ? literally(name) : null);
  }

  #ownItem(
    own: YAMLMap,
    { path, list, name }: Items,
    { declared, now }: { readonly declared: Json; readonly now: Json | undefined },
  ): void {
    if (isObject(now)) {
      this.#inside(own, path, now);
      return;
    }
    this.isChanged = true;
    const isPartly =
      isObject(declared) && Object.keys(declared).some(key => !own.items.some(isPair(key)));
    // If the object's own text has only a part of an item, an earlier layer has the rest. The item is then marked as omitted,
    // because removing this text would leave the rest.
    if (name !== undefined && isPartly) {
      own.items = own.items.filter(isPair(name));
      for (const [key, mark] of Object.entries(takenOut({})))
        own.items.push(new Pair(keyNode(key), valueNode(mark)));
    } else list.items = list.items.filter(item => item !== own);
    if (list.items.length === 0) list.flow = true;
  }

  #leave(path: Path, why: InexpressibleDifference['why']): void {
    const { home } = this.#text;
    this.inexpressible.push({
      name: path.at(-1) ?? '',
      field: path[0] ?? '',
      at: home.spans[pointer(path)] ?? home.at,
      why,
    });
  }

  #isDifferent(path: Path): boolean {
    return this.#text.isDifferent(this.#keyed(path));
  }

  #keyed(path: Path): Path {
    return keyedPath(this.#text.kind.shape, this.#declared, path);
  }

  #declaredAt(path: Path): Json | undefined {
    return path.reduce<Json | undefined>(
      (value, step) =>
        isList(value) ? value[Number(step)] : isObject(value) ? value[step] : undefined,
      this.#declared,
    );
  }

  // The keys of the fields beside the last step of `path`.
  #order(path: Path): readonly string[] {
    const holder = this.#shape(path.slice(0, -1));
    return holder?.type === 'object' ? [...holder.fields.keys()] : [];
  }

  #shape(path: Path): Shape | undefined {
    return shapeAt(this.#text.kind.shape, path);
  }

  #by(path: Path): readonly string[] | undefined {
    return keyFields(this.#shape(path));
  }

  #name(path: Path): string | undefined {
    return path.length === 1 ? namedItems(this.#text.kind, path[0] ?? '') : undefined;
  }
}

const isPair =
  (key: string) =>
  (pair: Pair): boolean =>
    keyText(pair) === key;
