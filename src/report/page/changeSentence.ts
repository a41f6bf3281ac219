// A change of access as a sentence with its sign.

import type { AccessSentence } from '../access/accessSentence.ts';
import { alreadyTexts } from '../access/accessWords.ts';
import { portsText, sourceText } from '../access/planAccessText.ts';
import { CHANGE_LABELS, CHANGE_WORDS } from '../graph/changeWords.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import { inCode } from './code.ts';

/** `+ gained  group/laptops (12) → network_resource/office/wiki 10.0.0.1: tcp/443`. */
export const changeSentence = (one: AccessSentence): Content => [
  signOf(one.change.change, CHANGE_LABELS[one.change.change]),
  wordsOf(one),
];

/**
 * The sentence for a change that a later step of an apply reverses. Lost access that comes back is shown as a gap, not as a loss.
 * Gained access that is removed again is shown as an opening, not as a gain.
 */
export function temporarySentence(one: AccessSentence, until: number): Content {
  switch (one.change.change) {
    case 'lost':
      return [signOf('temporary', '! gap'), wordsOf(one), `, until step ${until}`];
    case 'gained':
      return [signOf('temporary', '! opening'), wordsOf(one), `, until step ${until}`];
    case 'changed':
      return [changeSentence(one), `; the loss is a gap until step ${until}`];
  }
}

/** The legend of the signs of sentences, in the same words as the legends of map and matrix. */
export const changeLegend = (): Markup =>
  element(
    'ul',
    { class: 'legend', 'aria-label': 'Signs' },
    CHANGE_WORDS.map(({ name, sign, meaning }) =>
      element('li', {}, element('span', { class: `chip ${name}` }, sign), ` ${meaning}`),
    ),
  );

/** Sentences as a list. */
export const sentenceList = (items: readonly Markup[]): Markup =>
  element('ul', { class: 'sentences' }, ...items);

/**
 * The number of sentences above which a list is cut, so that the content after the list stays in
 * sight.
 */
const MOST = 10;

/** Sentences as a list. A long list shows its other sentences on request. */
export function cutSentenceList(items: readonly Markup[], most = MOST): Content {
  if (items.length <= most + 1) return sentenceList(items);
  const rest = items.slice(most);
  return [
    sentenceList(items.slice(0, most)),
    element(
      'details',
      { class: 'more' },
      element('summary', {}, `Show all (${rest.length} more)`),
      sentenceList(rest),
    ),
  ];
}

const signOf = (look: string, text: string): Markup =>
  element('span', { class: `sign ${look}` }, text);

const wordsOf = ({ change, target }: AccessSentence): Content => [
  ' ',
  inCode(sourceText(change)),
  ' → ',
  inCode(target),
  `: ${portsText(change)}`,
  alreadyTexts(change).map(text => `; ${text}`),
];
