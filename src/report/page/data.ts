// The matrix as input of the page's script. Hidden characters in its texts are already visible, because the script shows texts
// unchanged.
import type { AccessMatrix, MatrixSide, MatrixVerdict } from '../../model/access/accessPicture.ts';
import { jsonString, visible } from '../../model/text/visible.ts';
import { grantText, missText } from '../access/accessWords.ts';

/** The embedded data of a page; `assets/page/matrix.js` declares the same type for its reader. */
export interface MatrixData {
  readonly members: readonly string[];
  readonly rows: readonly MatrixSide[];
  readonly columns: readonly MatrixSide[];
  readonly verdicts: readonly VerdictData[];
  /** By row: column, verdict, and the number of columns from there on that share it. */
  readonly cells: readonly (readonly number[])[];
}

interface VerdictData {
  readonly status: MatrixVerdict['status'];
  /** The ports of the access, or the code of what blocks it. */
  readonly label: string;
  readonly ports: readonly string[];
  /** The rules that grant the access, or what blocks it. */
  readonly because: readonly string[];
}

/** The data of a matrix. */
export function matrixData({ members, rows, columns, verdicts, cells }: AccessMatrix): MatrixData {
  return {
    members: members.map(visible),
    rows: rows.map(sideData),
    columns: columns.map(sideData),
    verdicts: verdicts.map(verdictData),
    cells,
  };
}

function sideData({ name, members, groups, address }: MatrixSide): MatrixSide {
  return {
    name: visible(name),
    members,
    groups: groups.map(visible),
    ...(address !== undefined && { address: visible(address) }),
  };
}

function verdictData(verdict: MatrixVerdict): VerdictData {
  const { status } = verdict;
  if (verdict.status === 'blocked')
    return { status, label: verdict.code, ports: [], because: [visible(missText(verdict))] };
  const { ports, via, checks } = verdict;
  const because = [...via.map(grantText), ...(checks.length > 0 ? [postureWords(verdict)] : [])];
  return { status, label: ports.join(' '), ports, because: because.map(visible) };
}

const OUTCOMES = {
  reaches: '',
  pass: 'the sources pass',
  fail: 'the sources fail',
  unknown: 'it is unknown whether the sources pass',
} as const;

function postureWords({
  status,
  checks,
}: Exclude<MatrixVerdict, { readonly status: 'blocked' }>): string {
  return `only with ${checks.map(jsonString).join(', ')}: ${OUTCOMES[status]}`;
}
