// The contract's document as a frozen value, with lookups of names and references in it. The source is schemas/openapi.yaml. This
// file reads a copy in JSON, because parsing YAML takes a hundred times as long; a test keeps the copy up to date. This file
// knows JSON pointers, but nothing about operations.
import { shippedText } from '../shipped.ts';

/** Any part of the document: a JSON value, not to be changed. */
export type Node = null | boolean | number | string | readonly Node[] | NodeObject;

export interface NodeObject {
  readonly [name: string]: Node;
}

/** A part of the document with its JSON pointer. */
export interface DocumentNode {
  readonly pointer: string;
  readonly node: Node;
}

/** Reads and freezes the document. Throws if the text is not a JSON object. */
export function readDocument(): NodeObject {
  const document = deepFreeze(JSON.parse(shippedText('schemas/openapi.json')) as Node);
  if (!isNodeObject(document)) throw new Error('openapi.json is not an object');
  return document;
}

/** Whether a part of the document is an object, not a list or a scalar. */
export function isNodeObject(node: Node | undefined): node is NodeObject {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

/** The part named `name` within `parent`, with `$ref` resolved; undefined if there is none. */
export function child(
  document: NodeObject,
  parent: DocumentNode,
  name: string | number,
): DocumentNode | undefined {
  const node = step(parent.node, String(name));
  if (node === undefined) return undefined;
  return follow(document, { pointer: `${parent.pointer}/${escapeToken(String(name))}`, node });
}

/** The part at a JSON pointer, with `$ref` resolved on the way; undefined if there is none. */
export function nodeAt(document: NodeObject, pointer: string): DocumentNode | undefined {
  let found: DocumentNode | undefined = { pointer: '', node: document };
  for (const token of pointer.split('/').slice(1))
    found = found && child(document, found, token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return found;
}

/** Every named part of a mapping, or every member of a list, within `parent`. */
export function children(
  document: NodeObject,
  parent: DocumentNode,
): readonly (readonly [string, DocumentNode])[] {
  const { node } = parent;
  if (typeof node !== 'object' || node === null) return [];
  return Object.keys(node).flatMap(name => {
    const found = child(document, parent, name);
    return found === undefined ? [] : [[name, found] as const];
  });
}

/** The text at `name` within `parent`; empty if there is none. */
export function textAt(parent: DocumentNode, name: string): string {
  const node = step(parent.node, name);
  return typeof node === 'string' ? node.trim() : '';
}

/** Whether `name` within `parent` is true. */
export function flagAt(parent: DocumentNode, name: string): boolean {
  return step(parent.node, name) === true;
}

function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function follow(document: NodeObject, parent: DocumentNode): DocumentNode {
  const reference = isNodeObject(parent.node) ? parent.node.$ref : undefined;
  if (typeof reference !== 'string') return parent;
  if (!reference.startsWith('#/')) throw new Error(`openapi.json: ${reference} leads outside`);
  const found = nodeAt(document, reference.slice(1));
  if (found === undefined) throw new Error(`openapi.json: ${reference} leads nowhere`);
  return found;
}

function step(node: Node, name: string): Node | undefined {
  if (isNodeList(node)) return node[Number(name)];
  return isNodeObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
}

function isNodeList(node: Node): node is readonly Node[] {
  return Array.isArray(node);
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
