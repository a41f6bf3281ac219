// The answer to a question on the page of a studio, in the words of `access --why`.
import type { AccessAnswer } from '../../model/access/planAccess.ts';
import { accessText } from '../access/accessText.ts';
import { element, type Markup } from '../graph/markup.ts';
import { PLAIN } from '../text/style.ts';
import { textLines } from './parts.ts';

const UNWRAPPED = { ...PLAIN, width: Number.POSITIVE_INFINITY };

/** An answer. */
export function answerMarkup(answer: AccessAnswer): string {
  const { flows } = answer;
  const isReached = flows.length > 0;
  return markupOf([
    element(
      'p',
      { class: isReached ? 'gain' : 'loss' },
      element('strong', {}, isReached ? '✓ Reached' : '✕ Not reached'),
    ),
    textLines(accessText(answer, UNWRAPPED).split('\n')),
  ]);
}

/** Why a question has no answer, and what to ask instead. */
export function questionFault(message: string, hint: string | null): string {
  return markupOf([
    element('p', { class: 'warning' }, message),
    ...(hint === null ? [] : [element('p', { class: 'hint' }, `hint: ${hint}`)]),
  ]);
}

const markupOf = (parts: readonly Markup[]): string => parts.map(({ markup }) => markup).join('');
