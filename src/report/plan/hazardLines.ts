// The hazards of a plan as lines. Many hazards with the same code become one line with their number, unless only some of them are
// allowed. Hazards that cannot be judged for the same reason share one line.
import type { Plan } from '../../model/plan.ts';
import { visible } from '../../model/text/visible.ts';
import { moreText } from '../text/longList.ts';
import { MOST } from '../view/planView.ts';
import { hazardsOf, type ShownHazard } from './neededFlags.ts';

/**
 * A line for each hazard. With `onCut`, more than 20 hazards with the same code, all allowed or all not allowed, are shortened to
 * the first of them and their number; `onCut` is called if that happens.
 */
export function hazardLines(plan: Plan, onCut?: () => void): readonly string[] {
  const hazards = withReasonOnce(hazardsOf(plan));
  if (onCut === undefined) return hazards.map(lineOf);
  const groups = Map.groupBy(hazards, ({ code, target, allowed }) =>
    [code, allowed, target === undefined].join(' '),
  );
  const lines = [...groups.values()].flatMap(linesOf);
  if (lines.length < hazards.length) onCut();
  const kept = new Map(lines.map(({ hazard, text }) => [hazard, text]));
  return hazards.flatMap(hazard => kept.get(hazard) ?? []);
}

// The hazards, with those that cannot be judged for the same reason combined.
function withReasonOnce(hazards: readonly ShownHazard[]): readonly Hazard[] {
  const groups = Map.groupBy(hazards, ({ unread, allowed }) =>
    unread === undefined ? undefined : `${allowed} ${unread}`,
  );
  return hazards.flatMap((hazard): Hazard[] => {
    const { unread, allowed } = hazard;
    if (unread === undefined) return [hazard];
    const same = groups.get(`${allowed} ${unread}`) ?? [];
    if (same[0] !== hazard) return [];
    const names = same.map(({ code, target }) =>
      target === undefined ? code : visible(`${code}=${target}`),
    );
    return [{ code: names.join(', '), message: `cannot be judged: ${unread}`, allowed }];
  });
}

/** A hazard, or several for the same reason. */
interface Hazard {
  readonly code: string;
  readonly target?: string;
  readonly message: string;
  readonly allowed: boolean;
}

interface HazardLine {
  readonly hazard: Hazard;
  readonly text: string;
}

// The lines of hazards with the same code, all allowed or all not allowed. A hazard with a target is accepted separately, so the
// first targets are all shown.
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
