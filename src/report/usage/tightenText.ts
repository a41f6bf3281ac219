// The findings of `tighten` as text: rules and routes with their findings, the most useful first.
import type { KindTable } from '../../kinds/kind.ts';
import { placeText } from '../../model/diagnostic.ts';
import { timeText } from '../../model/ending.ts';
import { addAll } from '../../model/text/longLists.ts';
import { jsonString, visible } from '../../model/text/visible.ts';
import {
  type ContradictedPolicy,
  type FindingState,
  findingsOf,
  type KeptFinding,
  type LostFlow,
  type LostFlows,
  type NarrowedObject,
  type TightenedObject,
  type TightenFinding,
  type Tightening,
} from '../../model/tightening.ts';
import {
  daysOfText,
  flowsOfText,
  flowsText,
  inTheseDays,
  numberText,
} from '../../model/usageWords.ts';
import { wrap } from '../text/lines.ts';
import type { Style } from '../text/style.ts';
import { counted, countedOf } from '../text/summary.ts';

/** How findings are shown. */
export interface TightenSettings {
  readonly kinds: KindTable;
  /** Whether every finding is shown, with the flows that its removal would stop. */
  readonly isDetailed: boolean;
  /** Whether the certain findings have been written into the files. */
  readonly isWritten: boolean;
}

/** The maximum number of lines for findings, unless all are requested. */
const LINES = 40;

/** The maximum numbers of kept findings and of contradictions, unless all are requested. */
const MOST_KEPT = 5;
const MOST_CONTRADICTIONS = 3;

/** The findings as text; it ends with a line feed. */
export function tightenText(
  tightening: Tightening,
  style: Style,
  settings: TightenSettings,
): string {
  const { isDetailed } = settings;
  const { kept, contradictions = [] } = tightening;
  const last = [
    ...logLines(tightening),
    ...few(
      contradictions.map(one => contradictionLine(one, settings)),
      'more contradictions',
      isDetailed ? Number.POSITIVE_INFINITY : MOST_CONTRADICTIONS,
    ),
    ...few(
      kept.map(one => keptLine(one, settings)),
      'more kept',
      isDetailed ? Number.POSITIVE_INFINITY : MOST_KEPT,
    ),
    `${summaryOf(tightening)}.`,
  ].flatMap(line => wrap(line, style.width));
  const room = isDetailed ? Number.POSITIVE_INFINITY : LINES - last.length - 3;
  const { lines, shown } = findingLines(tightening, style, { ...settings, room });
  const more = findingsOf(tightening).length - shown;
  return [
    ...lines,
    ...(more > 0
      ? [`… and ${counted(more, 'more finding', 'more findings')}: --details lists all`]
      : []),
    ...(lines.length > 0 ? [''] : []),
    ...last,
    '',
  ].join('\n');
}

/** `3 findings: 1 certain, 1 to decide, 1 unknown; 2 kept`. */
export function summaryOf(tightening: Tightening): string {
  const findings = findingsOf(tightening);
  const { kept, contradictions = [] } = tightening;
  const rest = [
    ...(kept.length > 0 ? [`; ${kept.length} kept`] : []),
    ...(contradictions.length > 0 ? [`; ${counted(contradictions.length, 'contradiction')}`] : []),
  ].join('');
  if (findings.length === 0) return `Nothing to propose${rest}`;
  const of = (state: FindingState, word: string) => {
    const count = findings.filter(one => one.state === state).length;
    return count > 0 ? [`${count} ${word}`] : [];
  };
  const counts = [
    ...of('certain', 'certain'),
    ...of('decide', 'to decide'),
    ...of('unknown', 'unknown'),
  ];
  return `${counted(findings.length, 'finding')}: ${counts.join(', ')}${rest}`;
}

/** `policy "laptops use the office", rule "files"`. */
function objectText({ kind, key, rule }: NarrowedObject, kinds: KindTable): string {
  const noun = kinds.get(kind)?.noun ?? kind;
  const inner = rule === undefined ? '' : rule === '' ? ', its rule' : `, rule ${jsonString(rule)}`;
  return `${noun} ${jsonString(key)}${inner}`;
}

/** The effect of an edit, and the flows that it would have stopped. */
function editText({ edit, lost }: TightenFinding): string {
  if (!lost) return edit;
  return `${edit}: ${lostText(lost)}`;
}

function lostText({ flows, of, machines }: LostFlows): string {
  if (flows === 0) return `0 of ${numberText(of)} flows lost`;
  return `${numberText(flows)} of ${flowsOfText(of, machines)} lost`;
}

function findingLines(
  { objects }: Tightening,
  style: Style,
  { kinds, isDetailed, room }: TightenSettings & { readonly room: number },
): { readonly lines: readonly string[]; readonly shown: number } {
  const widths = widthsOf(objects);
  const lines: string[] = [];
  let shown = 0;
  for (const one of objects) {
    const own = [
      [headLine(one, kinds)],
      ...one.findings.map(finding => [
        rowOf(finding, widths),
        ...(isDetailed ? exampleLines(finding) : []),
      ]),
    ].map(part => part.flatMap(line => wrap(line, style.width)));
    const [head = [], ...rows] = own;
    const least = head.length + (rows[0]?.length ?? 0);
    if (lines.length + least > room) break;
    addAll(lines, head.map(style.strong));
    for (const row of rows) {
      if (lines.length + row.length > room) break;
      addAll(lines, row);
      shown += 1;
    }
  }
  return { lines, shown };
}

function headLine({ object, use }: TightenedObject, kinds: KindTable): string {
  const head = `${placeText(object.at)}  ${objectText(object, kinds)}`;
  if (!use) return head;
  const { days, ofDays, reporting, ofMachines } = use;
  const used = days === 0 ? `unused ${inTheseDays(ofDays)}` : `used on ${daysOfText(days, ofDays)}`;
  return `${head}  ${used}, ${countedOf(reporting, ofMachines, 'machine', ['reports', 'report'])}`;
}

type Widths = readonly [what: number, observed: number, edit: number];

const CELL = 44;

function widthsOf(objects: readonly TightenedObject[]): Widths {
  const cells = objects.flatMap(({ findings }) => findings.map(cellsOf));
  const widest = (at: 0 | 1 | 2): number =>
    cells.reduce((most, cell) => Math.max(most, Math.min(cell[at].length, CELL)), 0);
  return [widest(0), widest(1), widest(2)];
}

const cellsOf = (finding: TightenFinding): readonly [string, string, string] => [
  visible(finding.what),
  visible(finding.observed),
  visible(editText(finding)),
];

function rowOf(finding: TightenFinding, widths: Widths): string {
  const cells = cellsOf(finding).map((cell, at) => cell.padEnd(widths[at] ?? 0));
  return `  ${[...cells, stateText(finding)].join('  ')}`.trimEnd();
}

/** `certain`, or `unknown: kernel mode`. */
const stateText = ({ state, reason }: TightenFinding): string =>
  reason === undefined ? state : `${state}: ${reason}`;

const exampleLines = ({ lost }: TightenFinding): readonly string[] =>
  (lost?.examples ?? []).map(example => `      ${flowLine(example)}`);

const flowLine = ({ source, destination, protocol, last }: LostFlow): string =>
  `${source} → ${destination}  ${protocol}  last ${timeText(last)}`;

// The first lines, and the number of the remaining lines.
function few(lines: readonly string[], more: string, most: number): readonly string[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most), `… and ${lines.length - most} ${more}: --details lists all`];
}

function contradictionLine(
  { policy, object, flows, admitted, examples }: ContradictedPolicy,
  { kinds }: TightenSettings,
): string {
  const named = object
    ? `${placeText(object.at)}  ${objectText(object, kinds)}`
    : `policy ${jsonString(policy)}`;
  const admit = admitted.length === 1 ? 'admits' : 'admit';
  const others =
    admitted.length === 0
      ? 'no policy admits'
      : `only ${admitted.map(jsonString).join(', ')} ${admit}`;
  const [example] = examples;
  const such = example ? `, such as ${flowLine(example)}` : '';
  return visible(
    `Contradiction: ${named}  the server names it for ${flowsText(flows)}, which ${others}${such}`,
  );
}

function keptLine({ finding, by, reason }: KeptFinding, { kinds }: TightenSettings): string {
  const why = by === 'lifecycle' ? `keep_access: ${reason}` : reason;
  return visible(
    `Kept: ${placeText(finding.at)}  ${objectText(finding.object, kinds)}, ${finding.what}  ${why}`,
  );
}

function logLines({ log }: Tightening): readonly string[] {
  if (!log) return [];
  const { from, to, days, flows, gaps } = log;
  return [
    `Observed: ${timeText(from)} to ${timeText(to)}, ${counted(days, 'day')}, ${flowsText(flows)}`,
    ...(gaps.length > 0
      ? [
          `Records may be missing in ${counted(gaps.length, 'gap')}: ${visible(gaps[0]?.reason ?? '')}`,
        ]
      : []),
  ];
}
