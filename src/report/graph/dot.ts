// A graph in the DOT language of Graphviz.
import { visible } from '../../model/text/visible.ts';
import type { AccessGraph, GraphNode, Layer } from './graph.ts';
import { shownNames } from './layout.ts';
import { inFrames } from './mergedGraph.ts';

/** The first line of the file, by which meshform recognises it. */
export const DOT_MARK = '// meshform graph';

const SHAPES: Readonly<Record<Layer, string>> = {
  source: 'box',
  rule: 'box, style=rounded',
  destination: 'box',
  resource: 'note',
  place: 'hexagon',
  router: 'house',
};

/** The graph, from left to right. */
export function dotText({ nodes, edges }: AccessGraph): string {
  const { framed, free } = inFrames(nodes);
  return [
    DOT_MARK,
    'digraph access {',
    '  rankdir=LR;',
    '  node [fontname="monospace", fontsize=11];',
    ...framed.flatMap(({ name, inside }, at) => [
      `  subgraph cluster_${at + 1} {`,
      `  label="${label(name)}";`,
      ...inside.map(nodeLine),
      '  }',
    ]),
    ...free.map(nodeLine),
    ...edges.map(({ from, to, isBoth, isOff }) => {
      const marks = [...(isBoth ? ['dir=both'] : []), ...(isOff ? ['style=dashed'] : [])];
      return `  ${from} -> ${to}${marks.length === 0 ? '' : ` [${marks.join(', ')}]`};`;
    }),
    '}',
    '',
  ].join('\n');
}

function nodeLine(node: GraphNode): string {
  const { id, layer, names, standsFor = names, note, isOff } = node;
  const lines = [...shownNames(node), ...(note === undefined ? [] : [note])];
  const isCut = standsFor.length > lines.length;
  const all = isCut ? `, tooltip="${standsFor.map(label).join(', ')}"` : '';
  const style = isOff ? `, style="${layer === 'rule' ? 'rounded,dashed' : 'dashed'}"` : '';
  const shape = isOff ? SHAPES[layer].replace(', style=rounded', '') : SHAPES[layer];
  return `  ${id} [label="${lines.map(label).join('\\n')}", shape=${shape}${style}${all}];`;
}

// Escapes a label, because Graphviz interprets escapes and HTML entities in labels.
const label = (text: string): string =>
  visible(text).replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"');
