// The geometry of drawings: of the examples, and of drawn accounts.
import { describe, expect, test } from 'vitest';
import { accessOutline } from '../../../src/access/picture/picture.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import type { Grouping } from '../../../src/model/access/groupings.ts';
import { loadSchemas } from '../../../src/pipeline/schemas.ts';
import { accessGraph } from '../../../src/report/graph/accessGraph.ts';
import { foldedFrames } from '../../../src/report/graph/foldedFrames.ts';
import { framedBy } from '../../../src/report/graph/grouping.ts';
import { type Layout, layoutOf, PADDING, signRoom } from '../../../src/report/graph/layout.ts';
import { mergedGraph } from '../../../src/report/graph/mergedGraph.ts';
import { partAround } from '../../../src/report/graph/partAround.ts';
import { signsOf } from '../../../src/report/graph/signs.ts';
import { A3, svgDocument } from '../../../src/report/graph/svg.ts';
import { textWidth } from '../../../src/report/text/width.ts';
import { largeAccount } from '../../access/diff/large.ts';
import { crossingsOf, faultsOf, mistakableLines } from './geometry.ts';
import { drawnStates, exampleState, stateOf } from './states.ts';

const SIGNS = signsOf(loadSchemas().kinds);

const laidOut = (state: AccessState, by?: Grouping): Layout => {
  const graph = accessGraph(accessOutline(state));
  return layoutOf(mergedGraph(by === undefined ? graph : framedBy(graph, by)), { signs: SIGNS });
};

const geometryOf = ({ boxes, lines }: Layout) => ({ places: boxes, lines });

// 12 pixels of a monospace font are at most 7.3 pixels wide.
const clipped = ({ boxes }: Layout) =>
  [...boxes.values()].flatMap(({ lines, width, badge }) =>
    lines.flatMap(({ text }) =>
      textWidth(text) * 7.3 > width - 2 * PADDING - signRoom(lines) - (badge ? 22 : 0) + 1
        ? [text]
        : [],
    ),
  );

describe.each(['company', 'offices/production'])('the drawing of %s', example => {
  test.each([undefined, 'place', 'label'] as const)(
    'the drawing in frames by %s has no overlapping boxes, no line through a box and no cut text',
    async by => {
      const layout = laidOut(await exampleState(example), by);
      expect(layout.boxes.size).toBeGreaterThan(40);
      expect(faultsOf(geometryOf(layout))).toEqual([]);
      expect(mistakableLines(geometryOf(layout))).toEqual([]);
      expect(clipped(layout)).toEqual([]);
    },
  );

  test('has no box of another frame in a frame', async () => {
    const { frames, boxes } = laidOut(await exampleState(example), 'place');
    expect(frames.length).toBeGreaterThan(5);
    const strangers = frames.flatMap((frame, at) =>
      [...boxes.values()]
        .filter(
          ({ node, x, y, width, height }) =>
            (node.network !== undefined) !== (frame.name === node.network) &&
            x < frame.x + frame.width &&
            frame.x < x + width &&
            y < frame.y + frame.height &&
            frame.y < y + height &&
            node.network !== frame.name,
        )
        .map(({ node }) => `${at} ${node.names[0]}`),
    );
    expect(strangers).toEqual([]);
  });

  test('is the same, byte by byte', async () => {
    const graph = mergedGraph(accessGraph(accessOutline(await exampleState(example))));
    expect(svgDocument(graph, { title: 'x' })).toBe(svgDocument(graph, { title: 'x' }));
  });
});

// Counted on the drawing before, one curve for each edge and one node for each object: 1,546.
describe.each(['offices/staging', 'offices/production'])('%s, on paper', example => {
  test.each([false, true])(
    'by network (%s): at most a tenth of the crossings, and a sheet of A3 with text of 6 points',
    async isByNetwork => {
      const graph = accessGraph(accessOutline(await exampleState(example)));
      const shown = isByNetwork
        ? foldedFrames(mergedGraph(framedBy(graph, 'place')))
        : mergedGraph(graph);
      const layout = layoutOf(shown, { signs: SIGNS, paper: A3 });
      const { width, height } = layout;
      const [long, short] = width > height ? [width, height] : [height, width];
      const millimetres = Math.min(400 / long, 277 / short);
      expect((12 * millimetres * 72) / 25.4).toBeGreaterThanOrEqual(6);
      expect(crossingsOf(geometryOf(layout))).toBeLessThanOrEqual(154);
      expect(faultsOf(geometryOf(layout))).toEqual([]);
      expect(mistakableLines(geometryOf(layout))).toEqual([]);
      expect(clipped(layout)).toEqual([]);
      expect(outside(layout)).toEqual([]);
    },
  );
});

/** What a drawing would cut at its edges. */
const outside = ({ boxes, frames, lines, width, height }: Layout) => {
  const isIn = (x: number, y: number) => x >= 0 && y >= 0 && x <= width && y <= height;
  const areas = [...boxes.values(), ...frames].filter(
    area => !isIn(area.x, area.y) || !isIn(area.x + area.width, area.y + area.height),
  );
  return [...areas, ...lines.filter(({ points }) => points.some(([x, y]) => !isIn(x, y)))];
};

test('40 generated accounts have the same geometry', () => {
  for (const state of drawnStates(40))
    for (const by of [undefined, 'place', 'label'] as const) {
      const layout = laidOut(state, by);
      expect(faultsOf(geometryOf(layout))).toEqual([]);
      expect(clipped(layout)).toEqual([]);
    }
});

test('an account that is too large for the library has the same geometry', () => {
  const size = { machines: 20, groups: 150, policies: 300, resources: 40 };
  const layout = laidOut(stateOf(largeAccount(size, 1)));
  expect(layout.lines.length).toBeGreaterThan(600);
  expect(faultsOf(geometryOf(layout))).toEqual([]);
  expect(clipped(layout)).toEqual([]);
});

test('merged nodes keep every name, and every pair that rules connect', async () => {
  const graph = accessGraph(accessOutline(await exampleState('offices/production')));
  const less = mergedGraph(graph);
  expect(less.nodes.length).toBeLessThan(graph.nodes.length);
  const namesIn = ({ nodes }: typeof graph) => nodes.flatMap(({ names }) => names).sort();
  expect(namesIn(less)).toEqual(namesIn(graph));
  expect(pairsOf(less)).toEqual(pairsOf(graph));
});

/** Every source with every destination that a rule connects. */
function pairsOf({ nodes, edges }: ReturnType<typeof accessGraph>): readonly string[] {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const ends = (ids: readonly string[]) => ids.flatMap(id => byId.get(id)?.names ?? []);
  const pairs = nodes
    .filter(({ layer }) => layer === 'rule')
    .flatMap(({ id, note }) => {
      const from = ends(edges.flatMap(edge => (edge.to === id ? edge.from : [])));
      const to = ends(edges.flatMap(edge => (edge.from === id ? edge.to : [])));
      return from.flatMap(one => to.map(other => `${one} ${note} ${other}`));
    });
  return [...new Set(pairs)].sort();
}

test('the part of a graph around an object has what reaches the object and what the object reaches', async () => {
  const graph = accessGraph(accessOutline(await exampleState('offices/production')));
  const part = partAround(graph, 'group["hamburg staff"]');
  const names = part?.nodes.flatMap(node => node.names) ?? [];
  expect(names).toContain('group["hamburg services"]');
  expect(names.join()).toContain('hamburg printer');
  expect(names.join()).not.toContain('bremen');
  expect(partAround(graph, 'group/nobody')).toBeUndefined();
});
