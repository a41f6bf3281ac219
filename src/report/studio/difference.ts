// The changes of the files as shown on a page: sentences about gained and lost access, then the objects that differ.
import type { KindTable } from '../../kinds/kind.ts';
import type { PlanAccess } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import { placeText } from '../../model/diagnostic.ts';
import type { AccessSentence } from '../access/accessSentence.ts';
import { accessSentences } from '../access/accessSentences.ts';
import { grantText, posturesText } from '../access/accessWords.ts';
import { accessLine, causeText } from '../access/planAccessText.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import { changeLegend, changeSentence, cutSentenceList } from '../page/changeSentence.ts';
import { inCode } from '../page/code.ts';
import { idlePart } from '../page/idle.ts';
import { shortened, table, whole } from '../page/table.ts';
import { counted } from '../text/summary.ts';
import { changeLines } from '../view/changeLines.ts';
import { textLines } from './changingParts.ts';

/** The difference of two states of the files. */
export interface FilesDifference {
  /** The state that the files are compared with, such as `the last commit`. */
  readonly comparedWith: string;
  readonly changes: readonly ShownChange[];
  readonly access: PlanAccess;
  readonly kinds: KindTable;
}

/** The difference. */
export function differenceContent(difference: FilesDifference): Content {
  const { comparedWith, changes, access } = difference;
  const about = `Compared with ${comparedWith}: ${counted(changes.length, 'object differs', 'objects differ')}.`;
  if (changes.length === 0) return element('p', {}, about);
  return [
    element('p', {}, about),
    element('p', {}, element('strong', {}, accessLine(access))),
    access.changes.length > 0 && [
      changeLegend(),
      cutSentenceList(accessSentences(access.changes, difference.kinds).map(sentenceItem)),
    ],
    idlePart(access),
    table('Objects that differ', ['Change', 'Object', 'Fields'], changes.map(rowOf(difference))),
  ];
}

function sentenceItem(sentence: AccessSentence): Markup {
  const { change, destinations } = sentence;
  const more = [...change.via.map(grantText), ...posturesText(change), causeText(change)];
  return element(
    'li',
    { class: change.change },
    changeSentence(sentence),
    destinations.length > 0 && element('p', { class: 'hint' }, shortened(destinations)),
    element('p', { class: 'hint' }, more.filter(text => text !== '').join('; ')),
  );
}

const WORDS: Readonly<Record<ShownChange['type'], string>> = {
  create: '+ added',
  update: '~ changed',
  replace: '~ changed',
  delete: '− removed',
};

const rowOf =
  ({ kinds }: FilesDifference) =>
  (change: ShownChange) => ({
    cells: [
      whole(WORDS[change.type]),
      [
        inCode(change.address),
        change.at && element('p', { class: 'hint' }, inCode(placeText(change.at))),
      ],
      element(
        'details',
        {},
        element('summary', {}, `Fields of ${change.address}`),
        textLines(linesOf(change, kinds)),
      ),
    ],
    look: change.type,
  });

function linesOf(change: ShownChange, kinds: KindTable): readonly string[] {
  const kind = kinds.get(change.kind);
  const lines = kind === undefined ? [] : changeLines(kind, change).slice(1);
  return lines.map(({ sign, depth, text }) => `${'  '.repeat(depth - 1)}${sign} ${text}`);
}
