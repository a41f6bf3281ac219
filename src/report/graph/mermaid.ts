// A graph as Mermaid text, for Markdown viewers that draw it.
import { visible } from '../../model/text/visible.ts';
import type { AccessGraph, GraphNode, Layer } from './graph.ts';
import { shownNames } from './layout.ts';
import { inFrames } from './mergedGraph.ts';

/** The first line of the file, by which meshform recognises it. */
export const MERMAID_MARK = '%% meshform graph';

const SHAPES: Readonly<Record<Layer, readonly [string, string]>> = {
  source: ['[', ']'],
  rule: ['(', ')'],
  destination: ['[', ']'],
  resource: ['[', ']'],
  place: ['{{', '}}'],
  router: ['([', '])'],
};

/** The graph as a flowchart from left to right. */
export function mermaidText({ nodes, edges }: AccessGraph): string {
  const { framed, free } = inFrames(nodes);
  const off = nodes.filter(({ isOff }) => isOff).map(({ id }) => id);
  return [
    MERMAID_MARK,
    'flowchart LR',
    ...framed.flatMap(({ name, inside }, at) => [
      `  subgraph f${at + 1}["${label(name)}"]`,
      ...inside.map(nodeLine),
      '  end',
    ]),
    ...free.map(nodeLine),
    ...edges.map(({ from, to, isBoth, isOff }) => {
      const start = isBoth ? '<' : '';
      return `  ${from} ${isOff ? `${start}-.->` : `${start}-->`} ${to}`;
    }),
    ...(off.length === 0
      ? []
      : ['  classDef off stroke-dasharray: 5 3', `  class ${off.join(',')} off`]),
    '',
  ].join('\n');
}

function nodeLine(node: GraphNode): string {
  const { id, layer, note } = node;
  const lines = [...shownNames(node), ...(note === undefined ? [] : [note])];
  const [start, end] = SHAPES[layer];
  return `  ${id}${start}"${lines.map(label).join('<br/>')}"${end}`;
}

// All characters that are not clearly part of a word are written as numeric entities, so that no name can end a label, begin a
// directive, or be read as Markdown.
const MARKS = /[^\p{L}\p{N} /.,_-]|(?<![\p{L}\p{N}])[_-]|[_-](?![\p{L}\p{N}])|(?<=^\d+)\.(?= )/gu;

// Texts that Mermaid interprets, even as numeric entities, as a line break, a formula or an icon; each with a replacement that
// looks similar.
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/\\/g, '∖'],
  [/\$/g, '＄'],
  [/:(?=fa-)/g, '꞉'],
];

function label(text: string): string {
  const shown = ALIKE.reduce((safe, [mark, alike]) => safe.replaceAll(mark, alike), visible(text));
  return shown.replaceAll(MARKS, mark => `#${mark.codePointAt(0)};`);
}
