// The applies of an account as a table, as the page of one run, and as JSON.
import { SHORT_RUN, shortRun } from '../model/runName.ts';
import { jsonText } from '../model/text/jsonText.ts';
import { nameText, visible } from '../model/text/visible.ts';
import type { RunBy } from './run/journalLines.ts';
import { isUnread, type RunRecord, type UnreadRun } from './runRecords.ts';
import type { Style } from './text/style.ts';
import { counted } from './text/summary.ts';
import { padded, textWidth } from './text/width.ts';

const HEAD = ['RUN', 'BEGAN', 'BY', 'REVISION', 'PLAN', 'ACCESS', 'OUTCOME'] as const;

/** The runs as a table, the newest first. */
export function runsTable(runs: readonly (RunRecord | UnreadRun)[], style: Style): string {
  if (runs.length === 0) return 'No applies are recorded.\n';
  const rows = runs.map(run => (isUnread(run) ? [shortRun(run.run), run.why] : cells(run)));
  const whole = rows.filter(row => row.length === HEAD.length);
  const widths = HEAD.map((title, i) => widest([title, ...whole.map(row => row[i] ?? '')]));
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : padded(cell, widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return `${[style.strong(lineOf(HEAD)), ...rows.map(lineOf)].join('\n')}\n`;
}

function cells(run: RunRecord): string[] {
  const { add, change, destroy } = run.counts;
  return [
    shortRun(run.run),
    timeText(run.began),
    run.by === undefined ? '-' : visible(run.by.person?.replace(/ <.*$/, '') ?? run.by.machine),
    run.revision?.slice(0, SHORT_RUN) ?? '-',
    `+${add} ~${change} -${destroy}`,
    `+${run.accessGained} −${run.accessLost}`,
    outcomeText(run),
  ];
}

const timeText = (time: string): string => time.replace('T', ' ').replace(/:\d{2}(?:\.\d+)?Z$/, '');

function outcomeText(run: RunRecord): string {
  const { outcome, done, actions, resumedBy, undoes, undoneBy, undoBegunBy, closedBy, awaitsBase } =
    run;
  const least = run.isCutOff && done < actions ? 'at least ' : '';
  const more = [
    ...(outcome === 'complete' ? [] : [`${least}${done} of ${counted(actions, 'action')} done`]),
    ...(outcome === 'incomplete' && done === actions ? [DELETED_SINCE] : []),
    ...(awaitsBase ? ['base not recorded'] : []),
    ...(resumedBy.length > 0 ? [`resumed ${counted(resumedBy.length, 'time')}`] : []),
    ...(undoes === undefined ? [] : [`undoes ${shortRun(undoes)}`]),
    ...(undoneBy === undefined ? [] : [`undone by ${shortRun(undoneBy)}`]),
    ...(undoBegunBy === undefined ? [] : [`undo begun by ${shortRun(undoBegunBy)}`]),
    ...(closedBy === undefined ? [] : [`by ${shortRun(closedBy)}`]),
    ...(run.isVerified ? [] : ['not verified']),
  ];
  return [outcome, ...more].join(', ');
}

// The only reason why a run that did everything is still incomplete: an object was deleted afterwards. Each `--resume` reports
// this and creates nothing again.
const DELETED_SINCE = 'an object of it was deleted since: apply the files, or --abandon it';

/** The known facts of one run, one line each. */
export function runHead(run: RunRecord): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Run', run.run],
    ['Began', run.began],
    ['Ended', run.ended],
    ['By', run.by && byText(run.by)],
    ['Pipeline', run.by?.link],
    ...run.resumedBy.map(by => ['Resumed by', byText(by)] as const),
    ['Folder', run.folder],
    ['Revision', run.revision],
    ['Plan', run.digest],
    ['Base', run.base],
    ['Outcome', outcomeText(run)],
  ];
  const width = widest(rows.map(([label]) => label));
  const lines = rows.flatMap(([label, text]) =>
    text === undefined ? [] : visible(`${label.padEnd(width)}  ${text}`),
  );
  return `${lines.join('\n')}\n`;
}

const widest = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);

const byText = ({ machine, person }: RunBy): string =>
  person === undefined ? nameText(machine) : `${nameText(person)}, on ${nameText(machine)}`;

/** The runs for programs. */
export const runsJson = (runs: readonly (RunRecord | UnreadRun)[]): string =>
  jsonText({ runs: runs.map(runJson) });

function runJson(run: RunRecord | UnreadRun) {
  if (isUnread(run)) return { run: run.run, verified: false, why: run.why };
  const {
    closedBy,
    resumedBy,
    accessGained,
    accessLost,
    undoneBy,
    undoBegunBy,
    isVerified,
    isCutOff,
    awaitsBase,
    ...rest
  } = run;
  return {
    ...rest,
    verified: isVerified,
    ...(isCutOff && { cut_off: true }),
    resumed_by: resumedBy,
    access_gained: accessGained,
    access_lost: accessLost,
    ...(closedBy !== undefined && { closed_by: closedBy }),
    ...(undoneBy !== undefined && { undone_by: undoneBy }),
    ...(undoBegunBy !== undefined && { undo_begun_by: undoBegunBy }),
    ...(awaitsBase && { base_recorded: false }),
  };
}
