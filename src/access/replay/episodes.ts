// The duration of each violation: from the state in which it starts to the state in which it ends.
import type { Target } from '../flows/targets.ts';
import type { Row } from '../sets/row.ts';
import { common, either, onlyIn } from '../sets/rowSets.ts';
import { targetName, type Violations } from './bounds.ts';

type EpisodeKind = 'gap' | 'opening';

/** Access to a target that exceeds its bounds from one state until another. */
export interface Episode {
  readonly kind: EpisodeKind;
  readonly target: Target;
  readonly row: Row;
  /** The number of the first state that exceeds the bounds. */
  readonly from: number;
  /** The number of the first state that is within bounds again. */
  readonly until: number;
}

/** The episodes in a sequence of states; the last state is within bounds. */
export function episodesIn(states: readonly Violations[]): readonly Episode[] {
  const ended: Episode[] = [];
  let open: readonly Omit<Episode, 'until'>[] = [];
  for (const [at, violations] of states.entries()) {
    const still: Omit<Episode, 'until'>[] = [];
    const known = new Map<string, Row>();
    for (const episode of open) {
      const name = nameOf(episode);
      const row = violations.get(targetName(episode.target))?.[episode.kind] ?? [];
      const stays = common(episode.row, row);
      const over = onlyIn(episode.row, row);
      if (over.length > 0) ended.push({ ...episode, row: over, until: at });
      if (stays.length > 0) still.push({ ...episode, row: stays });
      known.set(name, either(known.get(name) ?? [], stays));
    }
    for (const { target, ...rows } of violations.values())
      for (const kind of ['opening', 'gap'] as const) {
        const row = onlyIn(rows[kind], known.get(nameOf({ kind, target })) ?? []);
        if (row.length > 0) still.push({ kind, target, row, from: at });
      }
    open = still;
  }
  return ended;
}

const nameOf = ({ kind, target }: Pick<Episode, 'kind' | 'target'>): string =>
  `${kind} ${targetName(target)}`;
