// The hazards of a plan as lines: each that needs a word of its own, and the others once with their number.
import type { Plan } from '../../model/plan.ts';
import { moreText } from '../text/longList.ts';
import { hazardsOf } from './neededFlags.ts';
import { MOST } from './view/planView.ts';

type Hazard = ReturnType<typeof hazardsOf>[number];

/** Hazards that a single flag accepts are said once from this number on. */
const REPEATED = 3;

/** A line for each hazard; of many with the same code and answer the first ones, and how many there are. */
export function hazardLines(plan: Plan, isCut: boolean): readonly string[] {
  const hazards = hazardsOf(plan);
  if (!isCut) return hazards.map(lineOf);
  const groups = Map.groupBy(hazards, ({ code, target, allowed }) =>
    [code, allowed, target === undefined].join(' '),
  );
  return [...groups.values()].flatMap(linesOf);
}

function linesOf(own: readonly Hazard[]): readonly string[] {
  const [first] = own;
  if (first === undefined) return [];
  if (first.target === undefined && own.length > REPEATED)
    return [
      `  ${first.code}  ${own.length} times: ${messageOf(first)}; ${moreText(own.length - 1)}`,
    ];
  const shown = own.slice(0, MOST).map(lineOf);
  const more = own.length - shown.length;
  return more > 0 ? [...shown, `  ${first.code}  ${moreText(more)}`] : shown;
}

const lineOf = (hazard: Hazard): string => `  ${hazard.code}  ${messageOf(hazard)}`;

const messageOf = ({ message, allowed }: Hazard): string =>
  `${message}${allowed ? ' (allowed)' : ''}`;
