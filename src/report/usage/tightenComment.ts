// The findings of `tighten` as the text of a pull request: each with its evidence, within the size that forges accept.

import { visible } from '../../model/text/visible.ts';
import { type FindingState, findingsOf, type Tightening } from '../../model/tightening.ts';
import { bytesOf, COMMENT_BYTES, textWithin } from '../comment/budget.ts';
import { factsLine } from '../comment/facts.ts';
import { PLAIN } from '../text/style.ts';
import { counted } from '../text/summary.ts';
import { summaryOf, type TightenSettings, tightenText } from './tightenText.ts';

/** The edits that a comment lists as not written. */
const LISTED = 20;

/**
 * The findings as a comment. `unwritten`: the edits that cannot be written although their findings are in state `certain`, each
 * with its place and the reason.
 */
export function tightenComment(
  tightening: Tightening,
  settings: TightenSettings,
  unwritten: readonly string[],
): string {
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
    ...(isWritten && certain > 0 ? writtenLines(unwritten) : ['Nothing was written.']),
    '',
  ];
  const room = COMMENT_BYTES - bytesOf(head.join('\n'));
  const whole = tightenText(tightening, PLAIN, { ...settings, isDetailed: true });
  return [...head, textWithin(whole, room, 'see the log of the job'), ''].join('\n');
}

function writtenLines(unwritten: readonly string[]): readonly string[] {
  const edited =
    'The files of this pull request are edited as the findings in state `certain` propose';
  const effect = 'All edits together lose no observed flow, and nobody gains access.';
  if (unwritten.length === 0) return [`${edited}. ${effect}`];
  const more = unwritten.length - LISTED;
  return [
    `${edited}, without ${counted(unwritten.length, 'edit')} that meshform cannot write:`,
    '',
    ...unwritten.slice(0, LISTED).map(text => `- ${visible(text)}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
    effect,
  ];
}
