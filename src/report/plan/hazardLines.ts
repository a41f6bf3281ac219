// The hazards of a plan as lines. A long list of hazards with the same code and answer becomes one line with their number.
import type { Plan } from '../../model/plan.ts';
import { moreText } from '../text/longList.ts';
import { hazardsOf } from './neededFlags.ts';
import { MOST } from './view/planView.ts';

type Hazard = ReturnType<typeof hazardsOf>[number];

/**
 * A line for each hazard. With `onCut`, which is called for hazards that are left out, more than 20 with the same code and
 * answer are shortened to the first of them and their number.
 */
export function hazardLines(plan: Plan, onCut?: () => void): readonly string[] {
  const hazards = hazardsOf(plan);
  if (onCut === undefined) return hazards.map(lineOf);
  const groups = Map.groupBy(hazards, ({ code, target, allowed }) =>
    [code, allowed, target === undefined].join(' '),
  );
  const lines = [...groups.values()].flatMap(linesOf);
  if (lines.length < hazards.length) onCut();
  const kept = new Map(lines.map(({ hazard, text }) => [hazard, text]));
  return hazards.flatMap(hazard => kept.get(hazard) ?? []);
}

interface HazardLine {
  readonly hazard: Hazard;
  readonly text: string;
}

// A hazard with a target is answered by itself, so the first of them are all shown.
function linesOf(own: readonly Hazard[]): readonly HazardLine[] {
  const lines = own.map(hazard => ({ hazard, text: lineOf(hazard) }));
  const [first] = lines;
  if (first === undefined || own.length <= MOST) return lines;
  const { hazard } = first;
  const more = (shown: number) => moreText(own.length - shown);
  if (hazard.target !== undefined) {
    const shown = lines.slice(0, MOST - 1);
    const last = own[MOST - 1] ?? hazard;
    return [...shown, { hazard: last, text: `${lineOf(last)}; ${more(MOST)}` }];
  }
  const text = `  ${hazard.code}  ${own.length} times: ${messageOf(hazard)}; ${more(1)}`;
  return [{ hazard, text }];
}

const lineOf = (hazard: Hazard): string => `  ${hazard.code}  ${messageOf(hazard)}`;

const messageOf = ({ message, allowed }: Hazard): string =>
  `${message}${allowed ? ' (allowed)' : ''}`;
