// The places of nodes in a text. The nodes of an edited document have the places of the text that was parsed; new nodes have none.
import { type Document, isMap, isNode, isSeq, type Node, visit } from 'yaml';

/** A text that identifies a node by its place; empty if it has none. */
export function placeOf(node: unknown): string {
  if (!isNode(node) || !node.range) return '';
  const [from, to] = node.range;
  return `${isMap(node) ? 'map' : isSeq(node) ? 'list' : 'value'} ${from} ${to}`;
}

/**
 * Gives the nodes of edited documents the comments of a text without the removed items. `before`: the documents of the text with
 * these items, `cut`: those of the text without them. Lists that got new items keep the comments that they have. Returns whether the
 * documents without the removed items correspond; if not, nothing is changed.
 */
export function withCommentsOf(
  edited: readonly Document[],
  {
    before,
    cut,
    removed,
  }: { before: readonly Document[]; cut: readonly Document[]; removed: ReadonlySet<string> },
): boolean {
  const now = new Map<string, Node>();
  const isSame =
    before.length === cut.length &&
    before.every((document, at) => pairUp(document.contents, cut[at]?.contents, { now, removed }));
  if (!isSame) return false;
  for (const [at, document] of edited.entries()) {
    const own = cut[at];
    document.comment = own?.comment ?? null;
    document.commentBefore = own?.commentBefore ?? null;
    const settled = settledIn(document);
    visit(document, {
      Node: (_, node) => {
        const like = settled.has(node) ? undefined : now.get(placeOf(node));
        if (like === undefined) return;
        node.comment = like.comment ?? null;
        node.commentBefore = like.commentBefore ?? null;
        node.spaceBefore = like.spaceBefore ?? false;
      },
    });
  }
  return true;
}

interface PairedUp {
  readonly now: Map<string, Node>;
  readonly removed: ReadonlySet<string>;
}

// Finds for each node the same one in the documents without the removed items. Returns whether all have one.
function pairUp(one: unknown, other: unknown, paired: PairedUp): boolean {
  if (!isNode(one) || !isNode(other)) return !isNode(one) === !isNode(other);
  paired.now.set(placeOf(one), other);
  if (isMap(one))
    return (
      isMap(other) &&
      one.items.length === other.items.length &&
      one.items.every(({ key, value }, at) => {
        const same = other.items[at];
        return pairUp(key, same?.key, paired) && pairUp(value, same?.value, paired);
      })
    );
  if (!isSeq(one)) return !isMap(other) && !isSeq(other);
  const left = one.items.filter(item => !paired.removed.has(placeOf(item)));
  return (
    isSeq(other) &&
    left.length === other.items.length &&
    left.every((item, at) => pairUp(item, other.items[at], paired))
  );
}

/** The lists that got new items, and their items. */
function settledIn(document: Document): ReadonlySet<unknown> {
  const settled = new Set<unknown>();
  visit(document, {
    Seq: (_, list) => {
      if (list.items.every(item => placeOf(item) !== '')) return;
      settled.add(list);
      for (const item of list.items) settled.add(item);
    },
  });
  return settled;
}
