// Completes a question from the page to selectors of `access`. Short forms are completed with the
// names in the state.

import { reachedOf } from '../../access/ask/reached.ts';
import { type Selector, selectorOf, sourceSelectorOf } from '../../access/ask/selector.ts';
import { selectorNames, sourceNames } from '../../access/ask/selectorNames.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import { isObject } from '../../model/value.ts';
import { answerMarkup, questionFault } from '../../report/studio/answer.ts';
import { answerOrStop } from '../access/accessing.ts';
import type { AnsweredState } from '../access/questionState.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';
import type { OfferedNames } from './board.ts';

/** The state that a question is about. */
export type AskedState = 'files' | 'account';

/** A question as the page sends it. */
interface WrittenQuestion {
  readonly from: string;
  readonly to: string;
  readonly port: string;
  readonly in: AskedState;
}

/** The selectors that a state offers. */
export function offeredNames({ state }: AnsweredState): OfferedNames {
  const names = selectorNames(state);
  return {
    sources: [...sourceNames(state), 'internet', 'all'],
    targets: [...names, 'all'],
  };
}

/**
 * The answer to a question as markup; null if the text is not a question. `stateOf` returns the
 * states. A state may not be available yet.
 */
export function answerTo(
  body: string,
  stateOf: (asked: AskedState) => AnsweredState | undefined,
): string | null {
  const question = questionIn(body);
  if (question === null) return null;
  try {
    const judged = stateOf(question.in);
    if (judged === undefined) throw new Stop(EXIT.invalid, NOTHING_YET[question.in], null);
    const asked = askedOf(question, judged);
    const answer = answerOrStop(judged, asked, true);
    return answerMarkup(answer, reachedOf(judged.state, asked, answer));
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return questionFault(error.message, error.hint);
  }
}

const NOTHING_YET: Readonly<Record<AskedState, string>> = {
  files: 'the files have not been valid since the studio started',
  account: 'the account was not read yet',
};

function questionIn(body: string): WrittenQuestion | null {
  const value = jsonOf(body);
  if (!isObject(value)) return null;
  const { from, to, port, in: asked } = value;
  const areTexts = typeof from === 'string' && typeof to === 'string' && typeof port === 'string';
  if (!areTexts || (asked !== 'files' && asked !== 'account')) return null;
  return { from, to, port, in: asked };
}

function askedOf({ from, to, port }: WrittenQuestion, judged: AnsweredState) {
  if (from === '' && to === '')
    throw new Stop(
      EXIT.usage,
      'the question has neither a source nor a destination',
      'fill in From, To or both',
    );
  if (to === '' && port !== '')
    throw new Stop(EXIT.usage, 'a port belongs to a destination', 'fill in To');
  const names = selectorNames(judged.state);
  const target = `${completed(to, names)}${portSuffix(port)}`;
  return {
    ...(from !== '' && {
      from: selectorOrStop(sourceSelectorOf(completed(from, sourceNames(judged.state)))),
    }),
    ...(to !== '' && { to: selectorOrStop(selectorOf(target)) }),
    why: true,
  };
}

function selectorOrStop(selector: ReturnType<typeof selectorOf>): Selector {
  if ('fault' in selector) throw new Stop(EXIT.usage, selector.fault, null);
  return selector;
}

// Completes a name to a selector. For example, `alice` becomes `peer/alice` if no other object has
// this name.
function completed(text: string, names: readonly string[]): string {
  if (text === '' || names.includes(text)) return text;
  const found = names.filter(name => name.endsWith(`/${text}`));
  const [only, ...others] = found;
  if (only === undefined) return selectorText(text, names);
  if (others.length === 0) return only;
  const shown = found.slice(0, 5).join(', ');
  throw new Stop(
    EXIT.usage,
    `${quoted(text)} is the name of ${found.length} objects`,
    `choose one: ${shown}`,
  );
}

// A text that is not a selector counts as a name that no object has.
function selectorText(text: string, names: readonly string[]): string {
  if (!('fault' in selectorOf(text))) return text;
  const last = names.map(name => name.slice(name.lastIndexOf('/') + 1));
  const hint = didYouMean(text, last) ?? 'choose a name from the list of the field';
  throw new Stop(EXIT.usage, `nothing is called ${quoted(text)}`, hint);
}

// A bare number means a TCP port, and `ping` means ICMP.
function portSuffix(port: string): string {
  if (port === '') return '';
  if (port.toLowerCase() === 'ping') return ':icmp';
  return /^\d/.test(port) ? `:tcp/${port}` : `:${port}`;
}
