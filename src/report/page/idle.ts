// The part of a page about the changes in a plan that do not affect access: one sentence for each change that the headline
// counts.
import type { PlanAccess } from '../../model/access/planAccess.ts';
import { idleCount, idleSentences } from '../access/planAccessText.ts';
import { type Content, element } from '../graph/markup.ts';
import { sentenceList } from './changeSentence.ts';

/** If there are more sentences, they are collapsed. */
const FEW = 3;

/** The sentences as a list. */
export function idlePart(access: PlanAccess): Content {
  const texts = idleSentences(access);
  if (texts.length === 0) return undefined;
  const list = sentenceList(texts.map(text => element('li', {}, text)));
  if (texts.length <= FEW) return list;
  const summary = `Why ${idleCount(access)} changes have no effect on access`;
  return element('details', {}, element('summary', {}, summary), list);
}
