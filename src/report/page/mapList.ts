// The content of a map as tables: the lines of a state by rule, and the pairs that a plan changes.
import type {
  AccessMatrix,
  AccessPicture,
  MatrixVerdict,
  PairChange,
  RuleSide,
} from '../../model/access/accessPicture.ts';
import { grantedPorts, isNewButFailed, pairChange } from '../../model/access/pairChange.ts';
import { grantText } from '../access/accessWords.ts';
import { ruleTitle } from '../graph/accessGraph.ts';
import { CHANGE_LABELS } from '../graph/changeWords.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import { LINE_KINDS, lineKind } from '../graph/portKinds.ts';
import { inCode } from './code.ts';
import { shortened, type TableRow, table, whole } from './table.ts';

/** The lines of a map by rule and opening. */
export function linesTable({ policies, openings }: AccessPicture, caption: string): Markup {
  const ruleRows = policies.flatMap(({ name, isEnabled, rules }) =>
    rules.map((rule): TableRow => {
      const isOff = !isEnabled || !rule.isEnabled;
      const state = isOff ? 'disabled' : rule.isDrop ? 'drops' : 'accepts';
      return {
        cells: [
          inCode(ruleTitle(name, rule.name)),
          state,
          sideNames(rule.from),
          sideNames(rule.to),
          rule.ports.join(' ') || 'none',
          meaningOf(rule.ports),
        ],
        look: isOff ? 'off' : rule.isDrop ? 'drop' : undefined,
      };
    }),
  );
  const openingRows = openings.map(
    ({ isService, name, from, to, ports }): TableRow => ({
      cells: [
        inCode(`${isService ? 'service' : 'ingress port'} ${name}`),
        'opens',
        shortened([from]),
        sideNames([to]),
        ports.join(' '),
        meaningOf(ports),
      ],
    }),
  );
  const heads = ['Rule', 'State', 'From', 'To', 'Ports', 'Kind'];
  return table(caption, heads, [...ruleRows, ...openingRows]);
}

const sideNames = (sides: readonly RuleSide[]): Content => shortened(sides.map(({ name }) => name));

function meaningOf(ports: readonly string[]): string {
  const kind = lineKind(ports);
  return LINE_KINDS.find(({ name }) => name === kind)?.meaning ?? kind;
}

/** Pairs that a plan changes in the same way, and that the same rules grant. */
export interface ChangedPairs {
  readonly change: PairChange;
  readonly before: MatrixVerdict | undefined;
  readonly after: MatrixVerdict | undefined;
  /** The row and the columns in the matrix. */
  readonly row: number;
  readonly columns: readonly number[];
}

/** The pairs whose access a plan changes: the same pairs as in the difference of the matrix. */
export function changedPairs(before: AccessMatrix, after: AccessMatrix): readonly ChangedPairs[] {
  const was = verdictsIn(before);
  const is = verdictsIn(after);
  return after.rows.flatMap((_, row): readonly ChangedPairs[] => {
    const former = was(row);
    const later = is(row);
    const columns = [...new Set([...former.keys(), ...later.keys()])].sort((a, b) => a - b);
    const groups = Map.groupBy(
      columns.filter(column => former.get(column) !== later.get(column)),
      column => `${former.get(column)} ${later.get(column)}`,
    );
    return [...groups.values()].flatMap(own => {
      const [first = 0] = own;
      const verdicts = {
        before: before.verdicts[former.get(first) ?? -1],
        after: after.verdicts[later.get(first) ?? -1],
      };
      const change = pairChange(verdicts.before, verdicts.after);
      return change === undefined ? [] : [{ change, ...verdicts, row, columns: own }];
    });
  });
}

/** The numbers of the verdicts of a row, by column. */
const verdictsIn =
  ({ cells }: AccessMatrix) =>
  (row: number): ReadonlyMap<number, number> => {
    const found = new Map<number, number>();
    const runs = cells[row] ?? [];
    for (let at = 0; at < runs.length; at += 3) {
      const first = runs[at] ?? 0;
      for (let step = 0; step < (runs[at + 2] ?? 0); step++)
        found.set(first + step, runs[at + 1] ?? 0);
    }
    return found;
  };

/** The pairs whose access a plan changes, as a table. */
export function changedTable(before: AccessMatrix, after: AccessMatrix, caption: string): Markup {
  const rows = changedPairs(before, after).map((pairs): TableRow => {
    const columns = pairs.columns.flatMap(at => after.columns[at] ?? []);
    return {
      cells: [
        whole(CHANGE_LABELS[pairs.change]),
        inCode(after.rows[pairs.row]?.name ?? ''),
        shortened(columns.map(({ name, address }) => [name, address].filter(Boolean).join(' '))),
        portsOf(pairs),
        grantsOf(pairs).map(text => element('div', {}, text)),
      ],
      look: pairs.change,
    };
  });
  if (rows.length === 0) return element('p', {}, 'The plan changes no access.');
  return table(caption, ['Change', 'From', 'To', 'Ports', 'By'], rows);
}

function portsOf({ before, after }: ChangedPairs): Content {
  if (isNewButFailed(before, after) && after && 'via' in after)
    return `${after.ports.join(' ')} (the sources fail posture checks)`;
  const was = grantedPorts(before).join(' ');
  const is = grantedPorts(after).join(' ');
  if (was === '' || is === '') return was || is;
  if (was === is) return `${is} (posture)`;
  return [is, `before: ${was}`].map(text => element('div', {}, text));
}

function grantsOf({ change, before, after }: ChangedPairs): readonly string[] {
  const shown = change === 'lost' ? before : after;
  return shown !== undefined && 'via' in shown ? shown.via.map(grantText) : [];
}
