// The matrix as input for the script of the page. Hidden characters in the texts are already made visible, because the script
// shows texts unchanged.
import { partsOfAccessName } from '../../model/access/accessName.ts';
import type { AccessMatrix, MatrixSide, MatrixVerdict } from '../../model/access/accessPicture.ts';
import { segmentsOf } from '../../model/key.ts';
import { jsonString, visible } from '../../model/text/visible.ts';
import { checksText, detourTexts, grantText, missText, wayText } from '../access/accessWords.ts';
import { AS_WRITTEN, type Readable } from '../access/readableNames.ts';
import { type PortKind, portKind } from '../graph/portKinds.ts';
import { counted } from '../text/summary.ts';

/** The embedded data of a page; `assets/page/matrix.js` declares the same type for its reader. */
export interface MatrixData {
  readonly members: readonly string[];
  /** The ids of the members in the same order, empty for a member whose id is its name; absent if no member has another id. */
  readonly memberIds?: readonly string[];
  readonly rows: readonly SideData[];
  readonly columns: readonly SideData[];
  readonly verdicts: readonly VerdictData[];
  /** For each row, triples: a column, a verdict, and the number of columns from there on that have this verdict. */
  readonly cells: Cells;
  /** With a plan: the cells before the plan. */
  readonly before?: Cells;
}

type Cells = readonly (readonly number[])[];

interface SideData extends MatrixSide {
  /**
   * The name as people write it, if it differs from the selector in `name`. A filter finds both.
   */
  readonly shown?: string;
  /** The name for a header, without its type and without the part in `within`. */
  readonly label: string;
  /** The name of its parent, for a header above several columns or rows. */
  readonly within?: string;
}

interface VerdictData {
  readonly status: MatrixVerdict['status'];
  /** The ports of the access, or the code of the reason why access is blocked. */
  readonly label: string;
  readonly ports: readonly string[];
  /** The kinds of the ports, in the same order. */
  readonly kinds: readonly PortKind[];
  /**
   * The reasons for the verdict: the rules that grant the access, or why it is blocked; also other
   * paths to the address.
   */
  readonly because: readonly string[];
  /** The ids of the objects that grant the access, including other paths to the address. */
  readonly via?: readonly string[];
  /** The ports on which other paths reach the address. */
  readonly around?: readonly string[];
}

/**
 * The data of a matrix. `before`: the matrix with which it is compared; it has the same sides.
 * `readable`: writes names as people write them, so that a filter finds them.
 */
export function matrixData(
  matrix: AccessMatrix,
  before?: AccessMatrix,
  readable: Readable = AS_WRITTEN,
): MatrixData {
  const { members, member_ids, rows, columns, verdicts, cells } = matrix;
  const memberIds = member_ids.map((id, at) => (id === members[at] ? '' : visible(id)));
  return {
    members: members.map(visible),
    ...(memberIds.some(id => id !== '') && { memberIds }),
    rows: rows.map(side => sideData(side, readable)),
    columns: columns.map(side => sideData(side, readable)),
    verdicts: verdicts.map(verdictData),
    cells,
    ...(before && { before: before.cells }),
  };
}

function sideData(side: MatrixSide, readable: Readable): SideData {
  const { name, members, groups, address, ids } = side;
  const { label, within } = partsOf(name, address !== undefined);
  const shown = readable(name);
  return {
    name: visible(name),
    ...(shown !== name && { shown: visible(shown) }),
    label: visible(label),
    members,
    groups: groups.map(visible),
    ...(within !== undefined && { within: visible(within) }),
    ...(address !== undefined && { address: visible(address) }),
    ...(ids && { ids: ids.map(visible) }),
  };
}

// The parts of a name: `type/within/label` for a routed destination, `type/label` for others. A combined name keeps only the
// parts that distinguish its objects. Headers show names unescaped, because only a selector needs an escape.
function partsOf(
  name: string,
  isRouted: boolean,
): { readonly label: string; readonly within?: string } {
  const key = partsOfAccessName(name)?.key;
  if (key === undefined) return { label: name.replaceAll(/(?<=^|, )[a-z_]+\/(?=[^,])/g, '') };
  const [within, label] = (isRouted && segmentsOf(key, 2)) || [];
  return within !== undefined && label !== undefined
    ? { within, label: plainOrQuoted(label) }
    : { label: plainOrQuoted(key) };
}

// The name, in quotes if it contains a comma or a quote, because otherwise it would look like several names.
const plainOrQuoted = (name: string): string => (/[,"]/.test(name) ? jsonString(name) : name);

function verdictData(verdict: MatrixVerdict): VerdictData {
  const { status, around } = verdict;
  const ports = 'via' in verdict ? verdict.ports : [];
  return {
    status,
    label: verdict.status === 'blocked' ? verdict.code : ports.join(' '),
    ports,
    kinds: ports.map(portKind),
    because: [...ownReasons(verdict), ...waysReasons(verdict)].map(visible),
    ...viaIds(verdict),
    ...(around && { around: around.ports }),
  };
}

function viaIds(verdict: MatrixVerdict): Pick<VerdictData, 'via'> {
  const ways = verdict.around?.ways ?? [];
  const ids = ['via_ids' in verdict ? verdict.via_ids : [], ...ways.map(way => way.via_ids)].flat();
  return ids.length === 0 ? {} : { via: [...new Set(ids)].map(visible) };
}

function ownReasons(verdict: MatrixVerdict): readonly string[] {
  if (verdict.status === 'around') return [];
  if (verdict.status === 'blocked') return [missText(verdict)];
  const { via, checks } = verdict;
  return [
    ...via.map(grantText),
    ...(checks.length > 0 ? [checksText(verdict)] : []),
    ...detourTexts(verdict),
  ];
}

function waysReasons({ around }: MatrixVerdict): readonly string[] {
  if (around === undefined) return [];
  const { ways, more } = around;
  return [
    ...ways.map(wayText),
    ...(more === undefined
      ? []
      : [`by ${counted(more, 'other destination')} with a part of its addresses`]),
  ];
}
