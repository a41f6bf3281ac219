// The drawings of a map, one for each state of a plan and each grouping. The script of the page shows one drawing at a time.
import type { AccessPicture, ComparedPictures } from '../../model/access/accessPicture.ts';
import { type Folders, GROUPINGS, type Grouping } from '../../model/access/groupings.ts';
import { accessGraph } from '../graph/accessGraph.ts';
import { changedPart, differenceGraph } from '../graph/differenceGraph.ts';
import type { AccessGraph } from '../graph/graph.ts';
import { mergedGraph } from '../graph/mergedGraph.ts';
import { type Overview, overviewOf, partLeadingTo } from '../graph/overview.ts';
import { partAround } from '../graph/partAround.ts';

/** The maximum number of lines: a larger drawing could not be read, and would take seconds to lay out. */
const MOST_LINES = 600;

/** The input of a map. */
export interface MapContent {
  /** The access; with a plan, after the plan. */
  readonly picture: AccessPicture;
  /** With a plan: the picture before the plan, and the changes. */
  readonly compared?: Pick<ComparedPictures, 'before' | 'changes'>;
  /** With a question: the objects that it asks about. If the map has them, only the part around them is drawn. */
  readonly only?: readonly string[] | undefined;
  /** The folders of the files that declare the objects; absent if the state does not come from files. */
  readonly folders?: Folders | undefined;
}

export type MapState = 'before' | 'after' | 'difference';

/** How a drawing is collapsed. `none`: not collapsed. `changes`: not collapsed, but limited to the changes of a plan. */
export type Collapsing = Grouping | 'changes' | 'none';

export interface MapDrawing {
  readonly state: MapState;
  readonly by: Collapsing;
  /** For a drawing of a part: the id of the box whose content it shows. */
  readonly part?: string;
  readonly graph: AccessGraph;
}

/** All drawings; the page begins with the first. */
export function mapDrawings(content: MapContent): readonly MapDrawing[] {
  const states = graphsOf(content);
  const groupings = GROUPINGS.filter(by => by !== 'folder' || content.folders !== undefined);
  const shown = states[0]?.graph;
  if (shown === undefined || shown.nodes.length === 0) return [];
  const wholes = states.map(({ state, graph }) => ({
    state,
    by: 'none' as const,
    graph: mergedGraph(graph),
  }));
  const isLarge = wholes.some(({ graph }) => graph.edges.length > MOST_LINES);
  const overviews = states.flatMap(({ state, graph }) =>
    groupings.map(by => ({ state, by, of: graph, ...overviewOf(graph, by, content.folders) })),
  );
  const fitting = overviews.filter(({ graph }) => graph.edges.length <= MOST_LINES);
  const collapsed = fitting.flatMap(overview => [
    drawingOf(overview),
    ...(isLarge ? partsOf(overview) : []),
  ]);
  const changes = states.flatMap(onlyChanges);
  if (!isLarge) return [...changes, ...wholes, ...collapsed];
  const first = bestGrouping(fitting.filter(({ state }) => state === states[0]?.state));
  const sorted = collapsed.toSorted(
    (one, other) => Number(other.by === first) - Number(one.by === first),
  );
  return [...changes, ...sorted];
}

function onlyChanges({ state, graph }: StateGraph): readonly MapDrawing[] {
  const part = mergedGraph(changedPart(graph));
  const isFitting = part.nodes.length > 0 && part.edges.length <= MOST_LINES;
  return isFitting ? [{ state, by: 'changes', graph: part }] : [];
}

interface StateGraph {
  readonly state: MapState;
  readonly graph: AccessGraph;
}

function graphsOf({ picture, compared, only = [] }: MapContent): readonly StateGraph[] {
  const whole = accessGraph(picture);
  const after = only.reduce((graph, name) => partAround(graph, name) ?? graph, whole);
  if (compared === undefined) return [{ state: 'after', graph: after }];
  const before = accessGraph(compared.before);
  return [
    { state: 'difference', graph: differenceGraph(before, after, compared.changes) },
    { state: 'before', graph: before },
    { state: 'after', graph: after },
  ];
}

interface StateOverview extends Overview {
  readonly state: MapState;
  readonly by: Grouping;
  /** The collapsed graph. */
  readonly of: AccessGraph;
}

const drawingOf = ({ state, by, graph }: StateOverview): MapDrawing => ({ state, by, graph });

/** The contents of the boxes of an overview, unless they are too large to draw. */
function partsOf({ state, by, of, inside }: StateOverview): readonly MapDrawing[] {
  return [...inside].flatMap(([part, members]): readonly MapDrawing[] => {
    const graph = mergedGraph(partLeadingTo(of, members));
    return graph.edges.length > MOST_LINES || graph.edges.length === 0
      ? []
      : [{ state, by, part, graph }];
  });
}

// The grouping that best separates the rules.
const bestGrouping = (overviews: readonly StateOverview[]): Grouping | undefined =>
  overviews.toSorted((one, other) => one.largest - other.largest).at(0)?.by;
