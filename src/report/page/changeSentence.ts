// A change of access as a sentence with its sign.

import type { AccessSentence } from '../access/accessSentences.ts';
import { portsText, sourceText } from '../access/planAccessText.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import { inCode } from './code.ts';

const SIGNS = { gained: '+ gained', lost: '− lost', changed: '~ changed' } as const;

/** `+ gained  group/laptops (12) → network_resource/office/wiki 10.0.0.1: tcp/443`. */
export const changeSentence = (one: AccessSentence): Content => [
  signOf(one.change.change, SIGNS[one.change.change]),
  wordsOf(one),
];

/**
 * The same for a change that a later step of an apply ends: access that comes back is a gap and no loss, and access that goes again
 * is an opening and no gain.
 */
export function temporarySentence(one: AccessSentence, until: number): Content {
  switch (one.change.change) {
    case 'lost':
      return [signOf('temporary', '! gap'), wordsOf(one), `, until step ${until}`];
    case 'gained':
      return [signOf('temporary', '! opening'), wordsOf(one), `, until step ${until}`];
    case 'changed':
      return [changeSentence(one), `; what is lost is a gap until step ${until}`];
  }
}

/** Sentences as a list. */
export const sentenceList = (items: readonly Markup[]): Markup =>
  element('ul', { class: 'sentences' }, ...items);

const signOf = (look: string, text: string): Markup =>
  element('span', { class: `sign ${look}` }, text);

const wordsOf = ({ change, target }: AccessSentence): Content => [
  ' ',
  inCode(sourceText(change)),
  ' → ',
  inCode(target),
  `: ${portsText(change)}`,
];
