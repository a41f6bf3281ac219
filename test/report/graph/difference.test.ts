// The map of a plan tells the same pairs as the matrix of the same page, and marks the lines that have them.
import { describe, expect, test } from 'vitest';
import { type Data, matrixOf } from '../../../assets/page/matrix.js';
import { comparedPictures } from '../../../src/access/picture/picture.ts';
import type { ComparedPictures, RuleSide } from '../../../src/model/access/accessPicture.ts';
import type { AccessGrant } from '../../../src/model/access/planAccess.ts';
import { present } from '../../../src/model/errors.ts';
import { loadSchemas } from '../../../src/pipeline/schemas.ts';
import { accessGraph } from '../../../src/report/graph/accessGraph.ts';
import { changedPart, differenceGraph } from '../../../src/report/graph/differenceGraph.ts';
import type { AccessGraph } from '../../../src/report/graph/graph.ts';
import { layoutOf } from '../../../src/report/graph/layout.ts';
import { mergedGraph } from '../../../src/report/graph/mergedGraph.ts';
import { overviewOf } from '../../../src/report/graph/overview.ts';
import { signsOf } from '../../../src/report/graph/signs.ts';
import { matrixData } from '../../../src/report/page/data.ts';
import { changedPairs } from '../../../src/report/page/mapList.ts';
import { comparedStates } from '../../access/picture/comparedStates.ts';
import { fc } from '../../support/seeded.ts';
import { faultsOf } from './geometry.ts';

const SIGNS = signsOf(loadSchemas().kinds);

/** `row column change` for each pair that the matrix of a page shows as changed. */
function pairsOfMatrix({ before, after }: ComparedPictures): readonly string[] {
  const data: Data = JSON.parse(JSON.stringify(matrixData(after.matrix, before.matrix)));
  const matrix = matrixOf(data, 'difference');
  return data.rows.flatMap((_, row) =>
    data.columns.flatMap((__, column) => {
      const change = matrix.data.verdicts[matrix.at(row, column)]?.difference?.change;
      return change === undefined ? [] : [`${row} ${column} ${change}`];
    }),
  );
}

const graphOf = ({ before, after, changes }: ComparedPictures): AccessGraph =>
  differenceGraph(accessGraph(before), accessGraph(after), changes);

/** Whether one of these rules leads to a group that holds a network resource. */
function leadsTo(
  { nodes, edges }: AccessGraph,
  via: readonly AccessGrant[],
  resource: string,
): boolean {
  const grants = new Set(
    via
      .map(({ policy = '', rule = '' }) => `${policy}\n${rule}\n\n`)
      .filter(text => text !== '\n\n\n'),
  );
  const idsOf = (isMeant: (node: AccessGraph['nodes'][number]) => boolean) =>
    new Set(nodes.filter(isMeant).map(({ id }) => id));
  const own = idsOf(({ layer, object }) => layer === 'resource' && object === resource);
  const rules = idsOf(({ grant = '' }) => grants.has(grant));
  const groups = new Set(
    edges.flatMap(({ from, to, access }) => (own.has(to) && !access ? [from] : [])),
  );
  return edges.some(({ from, to }) => rules.has(from) && groups.has(to));
}

describe('a box of an object that the plan changes', () => {
  const side = (name: string, members: string) => ({
    type: 'members' as const,
    name: `group/${name}`,
    machines: 1,
    members,
  });
  const drawn = (...from: readonly RuleSide[]) =>
    accessGraph({
      policies: [
        {
          name: 'ssh',
          object: 'policy/ssh',
          isEnabled: true,
          isTemporary: false,
          checks: [],
          rules: [
            {
              name: 'ssh',
              isEnabled: true,
              isDrop: false,
              isBidirectional: false,
              ports: ['tcp/22'],
              from,
              to: [side('servers', 's')],
            },
          ],
        },
      ],
      networks: [],
      openings: [],
    });
  const badgesOf = (before: AccessGraph, after: AccessGraph) => {
    const { boxes } = layoutOf(differenceGraph(before, after, []));
    return Object.fromEntries(
      [...boxes.values()].flatMap(({ node, badge }) => (badge ? [[node.object, badge.text]] : [])),
    );
  };

  test('has the mark ~: a rule whose sources change, and a group whose machines change', () => {
    expect(badgesOf(drawn(side('dev', 'a')), drawn(side('dev', 'a'), side('ops', 'o')))).toEqual({
      'group/ops': '+',
      'policy/ssh': '~',
    });
    expect(badgesOf(drawn(side('dev', 'a')), drawn(side('dev', 'b')))).toEqual({
      'group/dev': '~',
    });
    expect(badgesOf(drawn(side('dev', 'a')), drawn())).toEqual({
      'group/dev': '−',
      'policy/ssh': '~',
    });
  });
});

describe('the map of a plan', () => {
  test('lists the same pairs as the difference of the matrix', () => {
    let pairs = 0;
    fc.assert(
      fc.property(comparedStates, states => {
        const pictures = comparedPictures(...states);
        const listed = changedPairs(pictures.before.matrix, pictures.after.matrix).flatMap(
          ({ change, row, columns }) => columns.map(column => `${row} ${column} ${change}`),
        );
        expect(listed.toSorted()).toEqual(pairsOfMatrix(pictures).toSorted());
        pairs += listed.length;
      }),
      { numRuns: 60, seed: 2 },
    );
    expect(pairs).toBeGreaterThan(200);
  });

  test('marks lines exactly where pairs change, and each mark has a line on both sides of its rule', () => {
    fc.assert(
      fc.property(comparedStates, states => {
        const pictures = comparedPictures(...states);
        const { nodes, edges } = graphOf(pictures);
        const byId = new Map(nodes.map(node => [node.id, node]));
        const marked = edges.filter(({ access, change }) => access && change);
        expect(marked.length > 0).toBe(pairsOfMatrix(pictures).length > 0);
        // A rule may have no destinations, and still grant what a routing machine serves.
        for (const { from, to } of marked) {
          const rule = byId.get(from)?.grant === undefined ? to : from;
          for (const end of ['from', 'to'] as const) {
            const lines = edges.filter(edge => edge[end] === rule);
            expect(lines.some(({ change }) => change !== undefined)).toBe(lines.length > 0);
          }
        }
      }),
      { numRuns: 60, seed: 3 },
    );
  });

  test('has every box of both states, and nothing else is added or removed', () => {
    fc.assert(
      fc.property(comparedStates, states => {
        const pictures = comparedPictures(...states);
        const keysOf = ({ nodes }: AccessGraph) => new Set(nodes.map(({ key }) => key));
        const was = keysOf(accessGraph(pictures.before));
        const is = keysOf(accessGraph(pictures.after));
        const found = graphOf(pictures);
        expect(keysOf(found)).toEqual(was.union(is));
        for (const { key, change } of found.nodes) {
          expect(change === 'added').toBe(!was.has(key));
          expect(change === 'removed').toBe(!is.has(key));
        }
      }),
      { numRuns: 60, seed: 4 },
    );
  });

  test('leads to each network resource that changes groups, even if the map shows only changes', () => {
    let seen = 0;
    fc.assert(
      fc.property(comparedStates, states => {
        const pictures = comparedPictures(...states);
        const graph = graphOf(pictures);
        const part = changedPart(graph);
        const byId = new Map(graph.nodes.map(node => [node.id, node]));
        const reached = new Set(
          part.edges.flatMap(({ to, change }) => (change ? (byId.get(to)?.object ?? []) : [])),
        );
        const { columns } = pictures.after.matrix;
        for (const { change, before, after, columns: own } of changedPairs(
          pictures.before.matrix,
          pictures.after.matrix,
        )) {
          const shown = change === 'lost' ? before : after;
          if (change === 'changed' || shown === undefined || !('via' in shown)) continue;
          const names = own.flatMap(at => columns[at]?.name.split(', ') ?? []);
          for (const name of names.filter(one => leadsTo(graph, shown.via, one))) {
            expect(reached).toContain(name);
            seen += 1;
          }
        }
      }),
      { numRuns: 120, seed: 7 },
    );
    expect(seen).toBeGreaterThan(20);
  });

  test('has no box over another and no line through a box, whole, in part, or collapsed', () => {
    for (const states of fc.sample(comparedStates, { numRuns: 40, seed: 5 })) {
      const graph = graphOf(comparedPictures(...states));
      const overviews = (['place', 'label'] as const).map(by => overviewOf(graph, by).graph);
      for (const drawn of [mergedGraph(graph), mergedGraph(changedPart(graph)), ...overviews]) {
        const { boxes, lines } = layoutOf(drawn, { signs: SIGNS });
        expect(faultsOf({ places: boxes, lines })).toEqual([]);
      }
    }
  });
});

test('an overview has every rule of its graph, and the pairs of a rule between two groups', () => {
  fc.assert(
    fc.property(comparedStates, ([, state]) => {
      const { after } = comparedPictures(state, state);
      const graph = accessGraph(after);
      const rules = graph.nodes.filter(
        ({ id, layer }) =>
          layer === 'rule' &&
          graph.edges.some(({ to }) => to === id) &&
          graph.edges.some(({ from }) => from === id),
      );
      for (const by of ['place', 'label'] as const) {
        const overview = overviewOf(graph, by).graph;
        const boxes = overview.nodes.filter(({ layer }) => layer === 'rule');
        const shown = new Set(boxes.flatMap(({ contents = [] }) => contents));
        expect(shown).toEqual(new Set(rules.flatMap(({ names }) => names)));
        for (const { id } of boxes) {
          const lines = overview.edges.filter(({ from, to }) => from === id || to === id);
          expect(new Set(lines.map(({ access }) => access?.pairs)).size).toBe(1);
        }
      }
      const everything = (lines: AccessGraph['edges']) =>
        lines.reduce((sum, { access }) => sum + (access?.pairs ?? 0), 0);
      const sources = new Set(graph.nodes.flatMap(one => (one.layer === 'source' ? one.id : [])));
      const { graph: overview } = overviewOf(graph, 'place');
      const total = present(
        everything(graph.edges.filter(({ from }) => sources.has(from))),
        'a sum',
      );
      const starts = new Set(overview.nodes.flatMap(one => (one.layer === 'source' ? one.id : [])));
      const collapsed = everything(overview.edges.filter(({ from }) => starts.has(from)));
      expect(collapsed).toBe(total);
    }),
    { numRuns: 40, seed: 6 },
  );
});
