// Runs `graph`: reads the state, and draws its policies and networks in the requested language.
import { SELECTOR_TYPES, selectorOf } from '../../access/ask/selector.ts';
import { NAMED_GROUPINGS } from '../../access/picture/groupings.ts';
import { accessOutline } from '../../access/picture/picture.ts';
import { accessName } from '../../model/access/accessName.ts';
import { withIdLabels } from '../../model/idLabels.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { readableNames } from '../../report/access/readableNames.ts';
import { accessGraph } from '../../report/graph/accessGraph.ts';
import { DOT_MARK, dotText } from '../../report/graph/dot.ts';
import { foldedFrames } from '../../report/graph/foldedFrames.ts';
import type { AccessGraph } from '../../report/graph/graph.ts';
import { framedBy } from '../../report/graph/grouping.ts';
import { mergedGraph } from '../../report/graph/mergedGraph.ts';
import { MERMAID_MARK, mermaidText } from '../../report/graph/mermaid.ts';
import { partAround } from '../../report/graph/partAround.ts';
import { type Signs, signsOf } from '../../report/graph/signs.ts';
import { SVG_MARK, svgDocument } from '../../report/graph/svg.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { type Output, outputAt, refuseForceAlone } from '../output.ts';
import { Stop } from '../stop.ts';
import type { GraphFlags } from './graphFlags.ts';
import { judgedState } from './questionState.ts';

const MARKS = [MERMAID_MARK, DOT_MARK, SVG_MARK];

const DRAWING = {
  name: 'the drawing',
  ours: 'a drawing',
  isOurs: (text: string) => MARKS.some(mark => text.startsWith(`${mark}\n`)),
};

/** Draws the graph; returns the exit code. */
export async function drawGraph(
  path: string | undefined,
  flags: GraphFlags,
  io: Io,
): Promise<number> {
  refuseForceAlone(flags);
  if (path !== undefined && (flags.live || flags.state !== undefined))
    throw new Stop(
      EXIT.usage,
      `${quoted(path)} is not drawn: the state comes from ${flags.live ? '--live' : '--state'}`,
      'remove one of the two',
    );
  if (flags.by === 'folder' && (flags.live || flags.state !== undefined))
    throw new Stop(
      EXIT.usage,
      `--by folder needs files: an account does not know which file declares an object`,
      'draw the files, or group by network or label',
    );
  const output = await outputOf(flags, io);
  const { state, judged, called = [], folders } = await judgedState(path, flags, io);
  const outline = withIdLabels(called)(accessOutline(state));
  for (const text of outline.unread)
    say(io.stderr, `Not read: ${text}. The drawing does not show it.`);
  const graph = partOf(accessGraph(outline), flags, judged);
  const by = flags.by && NAMED_GROUPINGS[flags.by];
  const framed = by === undefined ? graph : framedBy(graph, by, folders);
  const { kinds } = loadSchemas();
  const merged = mergedGraph(framed);
  const folded = by === 'place' ? foldedFrames(merged) : merged;
  const shown = readableNames(kinds)(folded);
  await output.write(drawn(shown, flags, { judged, signs: signsOf(kinds) }));
  return EXIT.done;
}

async function outputOf({ out, force }: GraphFlags, io: Io): Promise<Output> {
  if (out === undefined || out === '-') return { write: async text => void io.stdout.write(text) };
  return outputAt(out, { kind: DRAWING, force: force === true }, io);
}

/** The part of a graph that `--only` selects. */
function partOf(graph: AccessGraph, { only }: GraphFlags, judged: string): AccessGraph {
  if (only === undefined) return graph;
  const selector = selectorOf(only);
  if ('fault' in selector) throw new Stop(EXIT.usage, selector.fault, ONLY_USAGE);
  if (selector.hasPorts)
    throw new Stop(EXIT.usage, `${quoted(only)} of --only has ports`, ONLY_USAGE);
  const part = partAround(graph, accessName(selector.type, selector.name));
  if (part !== undefined) return part;
  const names = graph.nodes.flatMap(({ selectors }) => selectors);
  const message = `${quoted(only)} matches nothing that a policy or a network of ${judged} names`;
  throw new Stop(EXIT.invalid, message, didYouMean(only, [...new Set(names)]) ?? ONLY_USAGE);
}

const ONLY_USAGE = `graph --only ${SELECTOR_TYPES.filter(type => type !== 'user')
  .map(type => `${type}/NAME`)
  .join(' | ')}`;

function drawn(
  graph: AccessGraph,
  { format }: GraphFlags,
  { judged, signs }: { readonly judged: string; readonly signs: Signs },
): string {
  switch (format) {
    case 'dot':
      return dotText(graph);
    case 'svg':
      return svgDocument(graph, { title: `Policies and networks of ${judged}`, signs });
    case 'mermaid':
      return mermaidText(graph);
  }
}
