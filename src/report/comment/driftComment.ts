// Drift as the text of an issue, within the size that forges accept: every object that differs is listed, and the report is
// collapsed.
import type { ShownChange } from '../../model/change.ts';
import { visible } from '../../model/text/visible.ts';
import { type DriftRequest, driftLine, driftWithLabels, whatOf } from '../drift/drift.ts';
import { fieldNames, unfinishedPart } from '../drift/driftMarkdown.ts';
import { driftText } from '../drift/driftText.ts';
import { PLAIN } from '../text/style.ts';
import { bytesOf, COMMENT_BYTES, FOLD_BYTES, folded, listWithin, textWithin } from './budget.ts';
import { factsLine } from './facts.ts';

const VISIBLE_BYTES = 40_000;
const ACKNOWLEDGED_BYTES = 6_000;

/** The report as a comment. */
export function render(request: DriftRequest): string {
  const report = driftWithLabels(request.report);
  const { open, acknowledged } = report;
  const known = acknowledged.map(({ change, entry: { until, reason } }) =>
    visible(`# ${change.address}, until ${until}: ${reason}`),
  );
  const seen = [
    factsLine({ report: 'drift', changes: open.length, acknowledged: acknowledged.length }),
    '### meshform drift',
    '',
    `**${driftLine(report)}**`,
    ...unfinishedPart(report),
    ...(open.length > 0
      ? [
          '',
          listWithin(
            open.map(change => driftEntry(change, report)),
            VISIBLE_BYTES,
          ),
        ]
      : []),
    ...(known.length > 0
      ? folded(`Acknowledged: ${known.length}`, listWithin(known, ACKNOWLEDGED_BYTES))
      : []),
  ];
  const room = COMMENT_BYTES - bytesOf(seen.join('\n')) - FOLD_BYTES;
  const whole = textWithin(driftText(report, PLAIN), room, 'see the log of the job');
  return [...seen, ...folded('The whole report', whole), ''].join('\n');
}

const SIGN: Readonly<Record<ShownChange['type'], string>> = {
  create: '-',
  update: '!',
  replace: '!',
  delete: '+',
};

function driftEntry(change: ShownChange, report: DriftRequest['report']): string {
  const { type, address } = change;
  const names = fieldNames(change, report).join(', ');
  const paths = names === '' || type === 'create' || type === 'delete' ? '' : `: ${names}`;
  return visible(`${SIGN[type]} ${address} ${whatOf(change, report)}${paths}`);
}
