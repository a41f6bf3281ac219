// The answer to an access question as CSV (RFC 4180, but with bare line feeds): a line for each flow and each reason.
import {
  type AccessAnswer,
  type AccessFlow,
  type AccessObject,
  type AccessParty,
  lastingId,
} from '../../model/access/planAccess.ts';
import { visible } from '../../model/text/visible.ts';
import { missText, reasonTexts } from './accessWords.ts';

const HEAD = [
  'verdict',
  'from',
  'from_machines',
  'to',
  'to_machines',
  'address',
  'ports',
  'because',
  // New columns are appended, and columns are never moved, because scripts address them by number.
  'from_ids',
  'from_machine_ids',
  'to_ids',
  'to_machine_ids',
  'via_ids',
];

/** The answer as CSV. */
export function accessCsv({ flows, misses = [] }: AccessAnswer): string {
  const lines = [
    HEAD,
    ...flows.map(flow => [
      flow.posture === undefined ? 'reaches' : 'conditional',
      ...sides(flow.from, flow.to),
      flow.ports.join(' '),
      reasonTexts(flow).join('; '),
      ...idCells(flow),
    ]),
    ...misses.map(miss => [
      miss.code,
      ...sides(miss.from, miss.to),
      '',
      missText(miss),
      ...idCells(miss),
    ]),
  ];
  return csvText(lines);
}

/** Lines of cells as CSV. */
export const csvText = (lines: readonly (readonly string[])[]): string =>
  lines.map(cells => `${cells.map(csvCell).join(',')}\n`).join('');

function sides(from: AccessParty, to: AccessParty): readonly string[] {
  return [from.name, from.machines.join(' '), to.name, to.machines.join(' '), to.address ?? ''];
}

function idCells({ ids }: Pick<AccessFlow, 'ids'>): readonly string[] {
  if (ids === undefined) return ['', '', '', '', ''];
  const { from, to, via } = ids;
  const objects = (list: readonly AccessObject[]) => list.map(lastingId);
  return [objects(from.objects), from.machines, objects(to.objects), to.machines, objects(via)].map(
    ids => ids.join(' '),
  );
}

// The text as a cell of a CSV file. A spreadsheet would evaluate a cell that begins like a formula, and such a name may be chosen
// by anybody. In many countries, a semicolon also begins a new cell, even within quotes that do not begin the line.
function csvCell(text: string): string {
  const safe = visible(text).replaceAll(/(^|;)(\s*)(?=[=+\-@])/g, "$1$2'");
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
