// The declarations as one text without templates, `for_each`, layers and variables, and the position where each value is written.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { literalKey, literally } from '../../model/text/literalText.ts';
import { pointer } from '../../model/text/pointer.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import { ACCESS_TESTS } from '../objects/accessTests.ts';
import type { EmptyList, Located } from '../objects/locate.ts';
import { hasSecretReference } from '../values/reference.ts';
import type { SourceNode } from '../yaml/node.ts';
import { maskOf } from './masks.ts';

/** Everything that files declare. */
export interface Rendered {
  /** A file of desired state that declares the same objects. */
  readonly value: Json;
  /** By JSON pointer into `value`, the position where a value is written. */
  readonly origins: ReadonlyMap<string, Span>;
  /** Findings about the masked values. */
  readonly masked: readonly Diagnostic[];
}

/** An object with its fields, in which variables are filled in and secrets are as written. */
export interface RenderedObject {
  readonly located: Located;
  readonly fields: Fields;
}

/** The declarations of files, in parts. */
export interface RenderedParts {
  /** Objects, parents before their children. */
  readonly objects: readonly RenderedObject[];
  /** Lists that are written without objects. */
  readonly emptyLists: readonly EmptyList[];
  readonly tests: readonly SourceNode[];
}

/** Renders objects, empty lists and access tests. */
export function render({ objects, emptyLists, tests }: RenderedParts, kinds: KindTable): Rendered {
  const root: Branch = new Map();
  const homes = new Map<Located, Branch>();
  const work: Work = { origins: new Map(), masked: [] };
  for (const { located, fields } of objects) {
    const { kind, parent, node } = located;
    const holder = parent ? homes.get(parent) : root;
    if (!holder) continue;
    const branch: Branch = new Map();
    homes.set(located, branch);
    put(holder, stepsTo(kind, parent), branch);
    for (const key of inOrder(kind, fields))
      branch.set(key, leafOf(located, [key], fields[key] ?? null));
    branch.set(PLACE, { value: null, at: node.at([]) });
  }
  for (const { kind: name, listAt, parent } of emptyLists) {
    const kind = kinds.get(name);
    const holder = parent ? homes.get(parent) : root;
    if (kind && holder) putEmpty(holder, stepsTo(kind, parent), { value: [], at: listAt });
  }
  if (tests.length > 0)
    root.set(
      ACCESS_TESTS,
      tests.map(node => rawLeaf(node, [], node.value)),
    );
  return { value: asJson(inOrderOfKinds(root, kinds), [], work), ...work };
}

/** A mapping with the values of an object or a file. A leaf is a scalar with its position. */
type Branch = Map<string, Part>;
type Part = Branch | Part[] | Leaf;
interface Leaf {
  readonly value: Json;
  readonly at: Span;
  readonly masked?: Diagnostic;
}

interface Work {
  readonly origins: Map<string, Span>;
  readonly masked: Diagnostic[];
}

// The entry for the position of a mapping itself. No key of a file has this text.
const PLACE = '\0';

// The order of the files must not affect the text: in every mapping that contains objects, the keys
// are in the order of the kinds.
function inOrderOfKinds(root: Branch, kinds: KindTable): Branch {
  const places = [...kinds.values()].map(({ at }) => `${at.replaceAll('[]', '')}.`);
  const rank = (place: string): number => places.findIndex(one => one.startsWith(place));
  const sorted = (branch: Branch, at: string): Branch => {
    const ranked = [...branch].map(([key, part]) => ({ key, part, place: `${at}${key}.` }));
    const objects = ranked
      .filter(({ place }) => rank(place) >= 0)
      .sort((one, other) => rank(one.place) - rank(other.place))
      .map(({ key, part, place }): [string, Part] => [key, inside(part, place)]);
    const others = ranked.flatMap(({ key, part, place }): [string, Part][] =>
      rank(place) < 0 ? [[key, part]] : [],
    );
    // The fields of an object come before its children, and access tests after all objects.
    return new Map(at === '' ? [...objects, ...others] : [...others, ...objects]);
  };
  const inside = (part: Part, at: string): Part => {
    if (Array.isArray(part)) return part.map(one => inside(one, at));
    return part instanceof Map ? sorted(part, at) : part;
  };
  return sorted(root, '');
}

const stepsTo = ({ at }: Kind, parent: Located | undefined): readonly string[] =>
  parent ? at.split('.').slice(-1) : at.split('.');

// Adds an empty list. Objects of the kind in another file are kept.
function putEmpty(holder: Branch, [step = '', ...rest]: readonly string[], list: Leaf): void {
  const key = step.replace('[]', '');
  const known = holder.get(key);
  if (rest.length === 0) {
    if (known === undefined) holder.set(key, list);
    return;
  }
  const branch: Branch = known instanceof Map ? known : new Map();
  holder.set(key, branch);
  putEmpty(branch, rest, list);
}

function put(holder: Branch, steps: readonly string[], object: Branch): void {
  const [step = '', ...rest] = steps;
  const key = step.replace('[]', '');
  if (rest.length > 0) {
    const inner = holder.get(key);
    const branch: Branch = inner instanceof Map ? inner : new Map();
    holder.set(key, branch);
    put(branch, rest, object);
  } else if (key === step) holder.set(key, object);
  else {
    const list = holder.get(key);
    if (Array.isArray(list)) list.push(object);
    else holder.set(key, [object]);
  }
}

// Identifying fields come first, and the lifecycle last.
function inOrder(kind: Kind, fields: Fields): string[] {
  const naming = kind.identity.flat().map(path => path.split('.')[0] ?? path);
  const rank = (key: string): number => {
    const place = naming.indexOf(key);
    if (place >= 0) return place - naming.length;
    return kind.shape.fields.has(key) ? 0 : 1;
  };
  return Object.keys(fields).sort((a, b) => rank(a) - rank(b));
}

function leafOf(located: Located, path: Path, value: Json): Part {
  const { kind, node } = located;
  if (isList(value) && value.length > 0)
    return value.map((item, i) => leafOf(located, [...path, String(i)], item));
  if (isObject(value) && Object.keys(value).length > 0) {
    const parts = Object.entries(value).map(([key, item]): [string, Part] => [
      literalKey(key),
      leafOf(located, [...path, key], item),
    ]);
    return new Map([...parts, [PLACE, { value: null, at: node.at(path) }]]);
  }
  const at = node.at(path);
  if (typeof value !== 'string') return { value, at };
  const isReference = hasSecretReference(value) && isAsWritten(node, path, value);
  const mask = maskOf({ kind, node, path, text: value, isReference });
  if (mask) return { value: mask.text, at, masked: mask.finding };
  return { value: isReference ? value : literally(value), at };
}

// A reference to a secret is equal to the text in the file; any other text has its variables filled in.
const isAsWritten = (node: SourceNode, path: Path, text: string): boolean =>
  node.inside(path).value === text;

// Access tests contain no references to fill in.
function rawLeaf(node: SourceNode, path: Path, value: Json): Part {
  if (isList(value) && value.length > 0)
    return value.map((item, i) => rawLeaf(node, [...path, String(i)], item));
  if (isObject(value) && Object.keys(value).length > 0)
    return new Map(
      Object.entries(value).map(([key, item]) => [key, rawLeaf(node, [...path, key], item)]),
    );
  return { value, at: node.at(path) };
}

function asJson(part: Part, path: Path, work: Work): Json {
  if (Array.isArray(part)) return part.map((item, i) => asJson(item, [...path, String(i)], work));
  if (!(part instanceof Map)) {
    work.origins.set(pointer(path), part.at);
    if (part.masked) work.masked.push(part.masked);
    return part.value;
  }
  const entries = [...part].flatMap(([key, item]): [string, Json][] => {
    if (key !== PLACE) return [[key, asJson(item, [...path, key], work)]];
    if (!(item instanceof Map) && !Array.isArray(item)) work.origins.set(pointer(path), item.at);
    return [];
  });
  return Object.fromEntries(entries);
}
