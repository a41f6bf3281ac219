// The same desired state, written as layers: each object whole in one of them, added to in a later one, or changed there. The way is drawn,
// not only the objects.

import { namedItems } from '../../../src/kinds/identity/namedItems.ts';
import type { Sections } from '../../../src/kinds/identity/sections.ts';
import { sectionsUnder } from '../../../src/kinds/identity/sections.ts';
import type { Kind } from '../../../src/kinds/kind.ts';
import type { Desired } from '../../../src/model/object.ts';
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { KINDS } from '../../support/files.ts';
import { fileText } from './fileText.ts';
import type { RandomSource } from './randomSource.ts';

type Fields = Record<string, Json>;

/** Texts of layers that declare together what `desired` declares. */
export function layersOf(desired: readonly Desired[], random: RandomSource): readonly string[] {
  const layers: Fields[] = [{}, {}, {}];
  divide(JSON.parse(fileText(desired)), sectionsUnder(KINDS), layers, random);
  junk(layers, random);
  return layers.map(layer =>
    JSON.stringify(Object.fromEntries(random.shuffled(Object.entries(layer)))),
  );
}

function divide(
  holder: JsonObject,
  sections: Sections,
  layers: readonly Fields[],
  random: RandomSource,
): void {
  for (const [key, { kind, list, inside }] of sections) {
    const value = holder[key];
    if (value === undefined) continue;
    const places = layers.map(layer => () => {
      layer[key] ??= list ? [] : {};
      return layer[key];
    });
    if (!kind) {
      const below = layers.map(() => ({}));
      divide(value as JsonObject, inside, below, random);
      below.forEach((one, i) => {
        if (Object.keys(one).length > 0) (layers[i] ?? {})[key] = one;
      });
    } else if (list)
      for (const object of value as JsonObject[])
        written(object, kind, random).forEach((one, i) => {
          const place = one ? places[i]?.() : undefined;
          if (one && isList(place)) (place as Json[]).push(one);
        });
    else
      written(value as JsonObject, kind, random).forEach((one, i) => {
        if (one && layers[i]) layers[i][key] = one;
      });
  }
}

// By layer, what it says of one object.
function written(object: JsonObject, kind: Kind, random: RandomSource): (JsonObject | null)[] {
  const first = random.below(3);
  const later = first + 1 + random.below(2 - first);
  const way = first === 2 ? 'whole' : random.pick(['whole', 'added', 'changed']);
  const [base, over] =
    way === 'whole'
      ? [object, null]
      : way === 'added'
        ? added(object, kind, random)
        : changed(object, kind, random);
  return [0, 1, 2].map(i => (i === first ? base : i === later ? over : null));
}

const naming = (kind: Kind): ReadonlySet<string> =>
  new Set(kind.identity.flat().map(path => path.split('.')[0] ?? path));

// A later layer has some of the members and of the children.
function added(
  object: JsonObject,
  kind: Kind,
  random: RandomSource,
): [JsonObject, JsonObject | null] {
  const children = sectionsUnder(KINDS, kind.name);
  const base: Fields = {};
  const more: Fields = {};
  for (const [key, value] of Object.entries(object)) {
    const isShared = kind.shape.fields.get(key)?.shared === true;
    const { lifecycle } = object;
    const isExact = isObject(lifecycle);
    if (naming(kind).has(key)) more[key] = value;
    if (isList(value) && value.length > 1 && (children.has(key) || (isShared && !isExact))) {
      const cut = 1 + random.below(value.length - 1);
      base[key] = value.slice(0, cut);
      more[key] = value.slice(cut);
    } else base[key] = value;
  }
  const isMore = Object.keys(more).some(key => !naming(kind).has(key));
  return [base, isMore ? more : null];
}

// An earlier layer has other values, and more of them.
function changed(object: JsonObject, kind: Kind, random: RandomSource): [JsonObject, JsonObject] {
  const base: Fields = {};
  const over: Fields = {};
  const children = sectionsUnder(KINDS, kind.name);
  for (const [key, value] of Object.entries(object)) {
    const isName = naming(kind).has(key);
    const isSame = isName || children.has(key) || key === 'lifecycle' || random.chance(0.4);
    if (isSame) base[key] = value;
    if (isName) over[key] = value;
    if (isSame) continue;
    const list = keyed(kind, key);
    if (list && isList(value)) {
      const items = value.map(item => changedItem(item as JsonObject, list, random));
      base[key] = [
        ...items.map(([one]) => one),
        ...(list.length === 1 ? [{ [list[0] ?? '']: 'of base' }] : []),
      ];
      over[key] = [
        ...items.map(([, one]) => one),
        ...(list.length === 1 ? [{ [list[0] ?? '']: 'of base', omit: true }] : []),
      ];
    } else {
      if (random.chance(0.5))
        base[key] = random.pick<Json>(['of base', 7, ['of base'], { of: 'base' }]);
      // A mapping would merge with that of the base.
      if (isObject(base[key]) && isObject(value)) base[key] = 'of base';
      over[key] = value;
    }
  }
  if (random.chance(0.3)) {
    const unused = [...kind.shape.fields.keys()].find(
      name => !(name in object) && !naming(kind).has(name),
    );
    if (unused !== undefined) {
      base[unused] = 'of base';
      over[unused] = null;
    }
  }
  return [base, { ...over, lifecycle: { override: true } }];
}

const keyed = (kind: Kind, key: string): readonly string[] | undefined => {
  const name = namedItems(kind, key);
  return name === undefined ? undefined : [name];
};

function changedItem(
  item: JsonObject,
  by: readonly string[],
  random: RandomSource,
): [JsonObject, JsonObject] {
  const base: Fields = {};
  const over: Fields = {};
  for (const [key, value] of Object.entries(item)) {
    const isName = by.includes(key);
    const isSame = isName || isObject(value) || random.chance(0.5);
    base[key] = isSame ? value : 'of base';
    if (!isSame || isName) over[key] = value;
  }
  return [base, over];
}

// Objects that a later layer takes out.
function junk(layers: readonly Fields[], random: RandomSource): void {
  const [base, , last] = layers;
  if (!base || !last || !random.chance(0.5)) return;
  base.groups = [...((base.groups ?? []) as Json[]), { name: 'only in the base', peers: 7 }];
  last.groups = [
    ...((last.groups ?? []) as Json[]),
    { name: 'only in the base', lifecycle: { omit: true } },
  ];
}
