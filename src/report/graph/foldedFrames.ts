// Draws frames with the same content once: twenty offices that differ only in their name are one frame, with a list of their names.
import { partsOfAccessName } from '../../model/access/accessName.ts';
import { present } from '../../model/errors.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { nameText } from '../../model/text/visible.ts';
import { renaming } from '../text/renaming.ts';
import { counted } from '../text/summary.ts';
import { commonStart, shortAddress, widthIn, withoutAddress } from './addressParts.ts';
import type { AccessGraph, GraphNode } from './graph.ts';
import { joinedBy } from './mergedGraph.ts';

/** The minimum number of frames that are drawn once: two frames are easier to read than one with a list. */
const FEWEST = 3;

/** The number of steps from a source to a router, over which neighbours are compared. */
const STEPS = 6;

/**
 * The graph in which frames that differ only in names and addresses are one. Its frame also contains what belongs to these frames
 * alone: `‹network› staff` stands for `hamburg staff`, `riga staff` and so on, each of which leads to its own network.
 */
export function foldedFrames(graph: AccessGraph): AccessGraph {
  const owners = ownersIn(graph);
  const forms = formsOf(graph, owners);
  const owned = Map.groupBy(
    graph.nodes.filter(({ id }) => owners.has(id)),
    ({ id }) => present(owners.get(id), id),
  );
  const families = Map.groupBy(owned, ([, nodes]) => familyOf(nodes, forms));
  const folds = new Map<string, Fold>();
  for (const [family, alike] of families) {
    if (family === undefined || alike.length < FEWEST) continue;
    const fold = foldOf(family, new Map(alike));
    for (const [frame] of alike) folds.set(frame, fold);
  }
  if (folds.size === 0) return graph;
  const likeness = ({ id }: GraphNode) => {
    const fold = folds.get(owners.get(id) ?? '');
    return fold === undefined ? id : `${fold.family} ${forms.get(id)}`;
  };
  return joinedBy(graph, likeness, (first, all) => {
    const fold = present(folds.get(owners.get(first.id) ?? ''), first.id);
    const frames = all.map(({ id }) => owners.get(id) ?? '');
    return foldedNode(first, all, { ...fold, frames });
  });
}

/**
 * The frame to which each node belongs: its own, or that of everything it leads to. A router belongs to the frame of everything
 * that leads to it. Nodes that belong to several frames or to none are left out.
 */
function ownersIn({ nodes, edges }: AccessGraph): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { id, frame } of nodes) if (frame !== undefined) owners.set(id, frame);
  const leaving = Map.groupBy(edges, ({ from }) => from);
  const arriving = Map.groupBy(edges, ({ to }) => to);
  const ownerOf = ({ id, layer }: GraphNode): string | undefined => {
    const near =
      layer === 'router'
        ? (arriving.get(id) ?? []).map(({ from }) => from)
        : (leaving.get(id) ?? []).map(({ to }) => to);
    const found = new Set(near.map(one => owners.get(one)));
    return found.size === 1 ? found.values().next().value : undefined;
  };
  for (let size = -1; size < owners.size; ) {
    size = owners.size;
    for (const node of nodes) {
      const owner = owners.has(node.id) ? undefined : ownerOf(node);
      if (owner !== undefined) owners.set(node.id, owner);
    }
  }
  return owners;
}

/**
 * A number for each node that belongs to a frame. The numbers of two nodes in different frames are equal if the nodes, and
 * everything around them in their frames, differ only in the names of the frames and in addresses.
 */
function formsOf(
  { nodes, edges }: AccessGraph,
  owners: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  let forms: ReadonlyMap<string, number> = numbered(
    nodes.map(node => [node.id, jsonLine(ownForm(node, owners.get(node.id)))]),
  );
  const ends = Map.groupBy(
    edges.flatMap(({ from, to, access, ...edge }) => {
      const how = jsonLine([access?.kind, access?.ports, Object.values(edge)]);
      return [
        { id: from, other: to, how: `to ${how}` },
        { id: to, other: from, how: `from ${how}` },
      ];
    }),
    ({ id }) => id,
  );
  for (let step = 0; step < STEPS; step++) {
    const known = forms;
    forms = numbered(
      nodes.map(({ id }) => {
        const near = (ends.get(id) ?? []).map(({ other, how }) =>
          owners.get(other) === owners.get(id) ? `${how} ${known.get(other)}` : `${how} ${other}`,
        );
        return [id, `${known.get(id)}\n${near.sort().join('\n')}`];
      }),
    );
  }
  return forms;
}

function numbered(texts: readonly (readonly [string, string])[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  return new Map(
    texts.map(([id, text]) => {
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return [id, number];
    }),
  );
}

/** What a node is, apart from the name of its frame and its addresses. */
function ownForm(node: GraphNode, owner: string | undefined) {
  const { id, layer, frame, isOff, note, change, names } = node;
  if (owner === undefined) return id;
  const rename = renamedIn(owner);
  const texts = names.map(text => [rename(withoutAddress(node, text)), widthIn(node, text)]);
  const around = node.around?.length ?? 0;
  return [layer, frame !== undefined, isOff, `${note}`, `${change}`, around, texts];
}

/** The forms of the nodes of a frame; undefined if two are equal, because then it is unclear which stands for which. */
function familyOf(
  nodes: readonly GraphNode[],
  forms: ReadonlyMap<string, number>,
): string | undefined {
  const own = nodes.map(({ id }) => forms.get(id) ?? 0).sort((one, other) => one - other);
  return new Set(own).size === own.length ? own.join() : undefined;
}

/** Frames that are drawn once. */
interface Fold {
  readonly family: string;
  readonly name: string;
  /** The beginning that all addresses in a frame share, by frame. */
  readonly starts: ReadonlyMap<string, string>;
}

function foldOf(family: string, alike: ReadonlyMap<string, readonly GraphNode[]>): Fold {
  const starts = new Map([...alike].map(([frame, nodes]) => [frame, commonStart(nodes)] as const));
  const [frame = ''] = alike.keys();
  return { family, name: `${counted(alike.size, nounOf(frame))} of the same form`, starts };
}

const nounOf = (frame: string): string => partsOfAccessName(frame)?.type ?? 'frame';

const ownNameOf = (frame: string): string => partsOfAccessName(frame)?.key ?? frame;

const renamedIn = (frame: string) => renaming(ownNameOf(frame), `‹${nounOf(frame)}›`);

interface Folded extends Fold {
  /** The frame of each node. */
  readonly frames: readonly string[];
}

function foldedNode(
  first: GraphNode,
  all: readonly GraphNode[],
  { name, frames, starts }: Folded,
): GraphNode {
  const [frame = ''] = frames;
  const standsFor = all.flatMap(({ names }) => names);
  const startOf = (at: string) => starts.get(at) ?? '';
  if (first.layer === 'place') {
    const names = frames.map(one => [nameText(ownNameOf(one)), startOf(one)].join(' ').trim());
    return { ...first, frame: name, names, standsFor, isList: true };
  }
  const rename = renamedIn(frame);
  const names = first.names.map((text, at) => {
    const shown = all.map((node, which) =>
      shortAddress(node, node.names[at] ?? '', startOf(frames[which] ?? '')),
    );
    const isSame = shown.every(one => one === shown[0]);
    return rename(withoutAddress(first, text)) + (isSame ? (shown[0] ?? '') : '');
  });
  return { ...first, frame: name, names, standsFor, selectors: first.selectors.map(rename) };
}
