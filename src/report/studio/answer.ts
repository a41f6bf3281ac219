// The answer to a question on the page of a studio, in the words of `access --why`.
import { selectorText } from '../../model/access/accessName.ts';
import type { AccessAnswer, Reached } from '../../model/access/planAccess.ts';
import { accessText } from '../access/accessText.ts';
import { shortened } from '../access/accessWords.ts';
import { element, type Markup } from '../graph/markup.ts';
import { PLAIN } from '../text/style.ts';
import { textLines } from './changingParts.ts';

const UNWRAPPED = { ...PLAIN, width: Number.POSITIVE_INFINITY };

/**
 * The answer as markup. `reached`: which destinations each source reaches, if the question names both a source and a destination.
 */
export function answerMarkup(answer: AccessAnswer, reached?: Reached): string {
  const isReached = answer.flows.length > 0;
  const { look, verdict } =
    reached === undefined
      ? isReached
        ? ALL
        : NOTHING
      : verdictOf(reached, selectorText(answer.asked.from ?? ''));
  return markupOf([
    element('p', { class: look }, element('strong', {}, verdict)),
    textLines(accessText(answer, UNWRAPPED).split('\n')),
  ]);
}

interface Verdict {
  /** The class that determines the look of the verdict. */
  readonly look: 'reached' | 'missing' | 'warning';
  readonly verdict: string;
}

const ALL: Verdict = { look: 'reached', verdict: '✓ Reached' };
const NOTHING: Verdict = { look: 'missing', verdict: '✕ Not reached' };

const PART = 'only some destinations or ports, or only if posture checks pass';

// The verdict about a source. If it reaches only some of several destinations, it gets no tick.
function verdictOf({ wholly, partly, not }: Reached, source: string): Verdict {
  if (partly.length + not.length === 0) return wholly.length > 0 ? ALL : NOTHING;
  if (wholly.length + partly.length === 0) return NOTHING;
  if (partly.length === 1 && wholly.length + not.length === 0)
    return { look: 'warning', verdict: `◐ Reached in part: ${PART}` };
  const parts = [
    ...(wholly.length > 0 ? [`${namesOf(wholly)} ${wholly.length === 1 ? 'does' : 'do'}`] : []),
    ...(partly.length > 0 ? [`${namesOf(partly)} ${PART}`] : []),
    ...(not.length > 0 ? [`${namesOf(not)} ${not.length === 1 ? 'does' : 'do'} not`] : []),
  ];
  return { look: 'warning', verdict: `◐ Reached in part. Of ${source}: ${parts.join('; ')}` };
}

const namesOf = (names: readonly string[]): string =>
  shortened(names.map(name => (/^peer[/[]/.test(name) ? name : `future members of ${name}`)));

/** Why a question has no answer, and what to ask instead. */
export function questionFault(message: string, hint: string | null): string {
  return markupOf([
    element('p', { class: 'warning' }, message),
    ...(hint === null ? [] : [element('p', { class: 'hint' }, `hint: ${hint}`)]),
  ]);
}

const markupOf = (parts: readonly Markup[]): string => parts.map(({ markup }) => markup).join('');
