// Objects that a run does not touch, by kind and reason: their number, and some names.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { LeftAlone, LeftAloneReason } from '../../model/change.ts';
import { isLabelledKey } from '../../model/idLabels.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText } from '../../model/text/visible.ts';
import { moreText } from '../text/longList.ts';
import { counted } from '../text/summary.ts';
import type { Detail } from './planView.ts';

const REASONS: Readonly<Record<LeftAloneReason, string>> = {
  unmanaged: 'not declared',
  elsewhere: 'of other folders',
  referenced: 'not declared, but still needed',
  reserved: 'never modified',
};

/** The number of names on each line. */
const NAMES: Readonly<Record<Detail, number>> = {
  screen: 5,
  full: Number.POSITIVE_INFINITY,
  summary: 0,
};

/** A line for each kind and reason; empty if the run touches everything. */
export function leftAloneLines(
  { leftAlone, unselected = 0 }: Plan,
  kinds: KindTable,
  most: (kind: Kind) => number,
  onCut: () => void = () => {},
): readonly string[] {
  const lines = [...kinds.values()].flatMap(kind =>
    Object.entries(REASONS).flatMap(([reason, words]) => {
      const own = leftAlone.filter(object => object.kind === kind.name && object.reason === reason);
      return own.length === 0 ? [] : [lineOf(kind, own, { words, most: most(kind), onCut })];
    }),
  );
  return unselected === 0
    ? lines
    : [...lines, `${counted(unselected, 'declared object')} not part of this run`];
}

/** The maximum number of names of a kind, by the level of detail of the report. */
export const namesIn = (detail: Detail): number => NAMES[detail];

/** How a line is worded and cut. */
interface Wording {
  readonly words: string;
  readonly most: number;
  readonly onCut: () => void;
}

function lineOf(
  kind: Kind,
  objects: readonly LeftAlone[],
  { words, most, onCut }: Wording,
): string {
  const what = `${counted(objects.length, kind.noun, kind.plural)} ${words}`;
  const named = objects.slice(0, most).map(({ key, because }) => {
    const name = isLabelledKey(key) ? key : nameText(key);
    return because === undefined ? name : `${name} (${because})`;
  });
  if (named.length === 0) return what;
  const more = objects.length - named.length;
  if (more > 0) onCut();
  return `${what}: ${[...named, ...(more > 0 ? [moreText(more)] : [])].join(', ')}`;
}
