// The findings of `tighten` as the text of a pull request: each with its evidence, within the size that forges accept.
import { type FindingState, findingsOf, type Tightening } from '../../model/tightening.ts';
import { bytesOf, COMMENT_BYTES, textWithin } from '../comment/budget.ts';
import { factsLine } from '../comment/facts.ts';
import { PLAIN } from '../text/style.ts';
import { summaryOf, type TightenSettings, tightenText } from './tightenText.ts';

/** The findings as a comment. */
export function tightenComment(tightening: Tightening, settings: TightenSettings): string {
  const { isWritten } = settings;
  const states = findingsOf(tightening).map(({ state }) => state);
  const count = (wanted: FindingState) => states.filter(state => state === wanted).length;
  const certain = count('certain');
  const counts = { certain, decide: count('decide'), unknown: count('unknown') };
  const head = [
    factsLine({ report: 'tighten', ...counts }),
    '### meshform tighten',
    '',
    `**${summaryOf(tightening)}.**`,
    '',
    isWritten && certain > 0
      ? 'The files of this pull request are edited as the findings in state `certain` propose. All edits together lose no observed flow, and nobody gains access.'
      : 'Nothing was written.',
    '',
  ];
  const room = COMMENT_BYTES - bytesOf(head.join('\n'));
  const whole = tightenText(tightening, PLAIN, { ...settings, isDetailed: true });
  return [...head, textWithin(whole, room, 'see the log of the job'), ''].join('\n');
}
