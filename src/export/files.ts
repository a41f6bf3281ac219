// Turns the model of an export into the text of new files.
import { Document, isMap, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { jsonString, nameText, quoted } from '../model/text/visible.ts';
import type { Exported, ExportModel, LeftOut } from './model.ts';
import { keyText } from './yaml/edit.ts';
import { commentOf, documentText, isTall, objectNode } from './yaml/nodes.ts';
import { escapedTag } from './yaml/scalars.ts';

/** The path of the schema for editors, relative to the exported folder. */
export const SCHEMA_FILE = '.meshform/desired-state.schema.json';

const HEAD = ` yaml-language-server: $schema=${SCHEMA_FILE}`;

/** A file's text and its name. */
export interface ExportedFile {
  readonly file: string;
  readonly text: string;
}

/** The file of objects of a kind, and of their children: `groups.yaml` for `groups`. */
export function fileNameOf({ at }: Kind): string {
  return `${at.split('.')[0]?.replace('[]', '')}.yaml`;
}

/** The whole model as one text. Omitted objects are listed beside their kind, or at the end. */
export function oneFile(model: ExportModel, kinds: KindTable): string {
  const document = new Document(new YAMLMap(), { customTags: [escapedTag] });
  document.commentBefore = HEAD;
  const reported = new Set<LeftOut>();
  for (const [kind, objects] of Map.groupBy(model.objects, ({ kind }) => kind)) {
    const pair = addObjects(document, kind, objects, kinds);
    const isOwn = (one: LeftOut) =>
      one.kind === kind.name || kinds.get(one.kind)?.parent === kind.name;
    const left = model.leftOut.filter(isOwn);
    for (const one of left) reported.add(one);
    if (left.length > 0 && pair)
      pair.key.commentBefore = commentOf(left.map(one => leftOutText(one, kinds)));
  }
  const unreported = model.leftOut.filter(one => !reported.has(one));
  const comment = commentOf(unreported.map(one => leftOutText(one, kinds)));
  if (model.objects.length === 0) return `#${HEAD}\n${comment.replaceAll(/^/gm, '\n#')}\n`;
  if (unreported.length > 0) document.comment = comment;
  return documentText(document);
}

/** Why an object, or a field of it, is not in the file, in a sentence. */
export function leftOutText({ kind, name, id, field, because }: LeftOut, kinds: KindTable): string {
  const title = kinds.get(kind)?.noun ?? kind;
  const called = name === id ? nameText(id) : `${jsonString(name)} (${nameText(id)})`;
  const of = field === undefined ? '' : `${quoted(field)} of `;
  return `Left out: ${of}${title} ${called}: ${because}`;
}

/** Writes objects of one kind under their place, creates the place if necessary, and returns its key and value. */
export function addObjects(
  document: Document,
  kind: Kind,
  objects: readonly Exported[],
  kinds: KindTable,
): Pair<Scalar, Node> | undefined {
  let holder: unknown = document.contents;
  let found: Pair<Scalar, Node> | undefined;
  for (const step of kind.at.split('.')) {
    if (!isMap<Scalar, Node>(holder)) return undefined;
    const key = step.replace('[]', '');
    const at = holder.items.find(pair => keyText(pair) === key);
    found =
      at ?? new Pair<Scalar, Node>(new Scalar(key), key === step ? new YAMLMap() : new YAMLSeq());
    if (!at) {
      if (holder === document.contents && holder.items.length > 0) found.key.spaceBefore = true;
      holder.items.push(found);
    }
    holder = found.value;
  }
  const nodes = objects.map(object => objectNode(object, kinds));
  if (holder instanceof YAMLSeq) addItems(holder, nodes);
  else if (found && nodes[0]) found.value = nodes[0];
  return found;
}

/** Appends nodes to a list, with blank lines between long ones. */
export function addItems(list: YAMLSeq, nodes: readonly YAMLMap[]): void {
  const isSpaced = nodes.some(isTall);
  for (const node of nodes) {
    if (isSpaced && list.items.length > 0) node.spaceBefore = true;
    list.items.push(node);
  }
}
