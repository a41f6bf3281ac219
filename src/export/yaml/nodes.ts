// Values and objects as nodes of a YAML document, with a readable layout.
import {
  type Document,
  isCollection,
  isScalar,
  type Node,
  Pair,
  Scalar,
  YAMLMap,
  YAMLSeq,
} from 'yaml';
import type { KindTable } from '../../kinds/kind.ts';
import { visible } from '../../model/text/visible.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import type { Exported } from '../model.ts';
import { isEscaped, keyNode, scalarNode } from './scalars.ts';

// Lines are not folded.
const LAYOUT = { lineWidth: 0, flowCollectionPadding: true } as const;

/** Lists of short texts up to this length are on one line. */
const ONE_LINE = 72;

type Print = Parameters<YAMLSeq['toString']>;

/** A list without spaces inside its brackets: `[a, b]`. */
class Tight extends YAMLSeq {
  override toString(...[context, ...rest]: Print): string {
    return super.toString(context && padded(context, ''), ...rest);
  }
}

/** A mapping with spaces inside its braces: `{ a: b }`. */
class Roomy extends YAMLMap<Scalar, Node> {
  override toString(...[context, ...rest]: Print): string {
    return super.toString(context && padded(context, ' '), ...rest);
  }
}

/** A stringifying context with this much space inside brackets. */
export function padded<T extends { flowCollectionPadding: string }>(context: T, space: string): T {
  return { ...context, flowCollectionPadding: space };
}

/** A value as a node. */
export function valueNode(value: Json): Node {
  if (isList(value)) return listNode(value);
  if (!isObject(value)) return scalarNode(value);
  const map = new Roomy();
  for (const [key, item] of Object.entries(value))
    map.items.push(new Pair(keyNode(key), valueNode(item)));
  map.flow = isShort(Object.entries(value).flat());
  return map;
}

// A few short words are easier to read on one line, but not references.
function isShort(words: readonly Json[]): boolean {
  const texts = words.map(word => (typeof word === 'object' ? null : String(word)));
  return (
    texts.every(text => text !== null && !/\n|\$\{/.test(text)) &&
    texts.join(', ').length <= ONE_LINE
  );
}

function listNode(value: readonly Json[]): Node {
  const list = new Tight();
  for (const item of value) list.add(valueNode(item));
  list.flow = isShort(value);
  return list;
}

/** An object as a node: its comments, its fields, its children, its id binding. */
export function objectNode(object: Exported, kinds: KindTable): YAMLMap {
  const map = new YAMLMap<Scalar, Node>();
  for (const [name, value] of Object.entries(object.fields))
    map.add(new Pair(keyNode(name), valueNode(value)));
  for (const [name, children] of childLists(object, kinds))
    map.add(new Pair(new Scalar(name), childrenNode(children, kinds)));
  if (object.isBound) map.add(new Pair(new Scalar('lifecycle'), boundNode(object)));
  if (object.notes.length > 0) map.commentBefore = commentOf(object.notes);
  return map;
}

/** The children of an object, by key. */
export function childLists(
  { kind, children }: Exported,
  kinds: KindTable,
): readonly (readonly [string, readonly Exported[]])[] {
  const inside = [...kinds.values()].filter(({ parent }) => parent === kind.name);
  return inside.flatMap(child => {
    const own = children.filter(one => one.kind.name === child.name);
    return own.length === 0 ? [] : [[lastStep(child.at), own] as const];
  });
}

const lastStep = (at: string): string => at.split('.').at(-1)?.replace('[]', '') ?? '';

function childrenNode(children: readonly Exported[], kinds: KindTable): YAMLSeq {
  const list = new YAMLSeq();
  for (const child of children) list.add(objectNode(child, kinds));
  return list;
}

/** `lifecycle: { id: … }`. An id is text, whatever it looks like. */
function boundNode({ id }: Exported): YAMLMap {
  const map = new YAMLMap<Scalar, Scalar>();
  map.add(new Pair(new Scalar('id'), scalarNode(String(id))));
  map.flow = true;
  return map;
}

/** Whether a node has more than a line or two, so that a blank line separates it from the next. */
export function isTall(node: Node): boolean {
  if (!isCollection(node) || node.flow) return false;
  const inner = node.items.map(item => (item instanceof Pair ? item.value : item));
  return (
    inner.length > 2 ||
    inner.some(one => isCollection(one) && !one.flow && one.items.length > 0) ||
    inner.some(one => isScalar(one) && !isEscaped(one) && String(one.value).includes('\n'))
  );
}

/** The text of a document. */
export function documentText(document: Document, layout: object = {}): string {
  return document.toString({ ...LAYOUT, ...layout });
}

/** Sentences as the text of a comment, one on each line. */
export function commentOf(sentences: readonly string[]): string {
  return sentences.map(text => ` ${visible(text)}`).join('\n');
}
