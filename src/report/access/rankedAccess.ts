// The access changes of a plan in the order of their weight: what opens most comes first, and so do the changes that cause it.
import type { KindTable } from '../../kinds/kind.ts';
import type { AccessChangeEntry } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { largest } from '../../model/text/many.ts';
import { moreText } from '../text/longList.ts';
import { openingOf, ranked } from '../view/opening.ts';

/** How access changes are shortened. */
export interface AccessLimit {
  readonly kinds: KindTable;
  /** The number of entries of each type of change. */
  readonly most: number;
  /** Called if entries or causes are left out. */
  readonly onCut?: () => void;
}

/** The number of causes that an entry names; the others are counted. */
const CAUSES = 5;

/** The entries that are shown, and how many of each type are not. */
export interface ShownEntries {
  readonly entries: readonly AccessChangeEntry[];
  readonly rest: readonly (readonly [change: AccessChangeEntry['change'], count: number])[];
}

/** The entries of an access diff within the limit: of a long list those that open most, in the order of their weight. */
export function shownEntries(
  { access, changes }: Pick<Plan, 'access' | 'changes'>,
  limit: AccessLimit | undefined,
): ShownEntries {
  const all = access?.changes ?? [];
  if (limit === undefined) return { entries: all, rest: [] };
  const weight = weights(changes, limit.kinds);
  const shortened = (['gained', 'lost', 'changed'] as const).map(change => {
    const own = all.filter(entry => entry.change === change);
    if (own.length <= limit.most) return { change, entries: own, count: 0 };
    const entries = ranked(own, entry => entryWeight(entry, weight)).slice(0, limit.most);
    return { change, entries, count: own.length - entries.length };
  });
  const isCut = shortened.some(({ count }) => count > 0);
  if (isCut || all.some(({ causes }) => causes.length > CAUSES)) limit.onCut?.();
  return {
    entries: (isCut ? shortened.flatMap(({ entries }) => entries) : all).map(entry => ({
      ...entry,
      causes: shownCauses(entry.causes, weight),
    })),
    rest: shortened.flatMap(({ change, count }) => (count > 0 ? [[change, count] as const] : [])),
  };
}

/** The entries, those that open most first. */
export function entriesByWeight(
  entries: readonly AccessChangeEntry[],
  changes: readonly ShownChange[],
  kinds: KindTable,
): readonly AccessChangeEntry[] {
  const weight = weights(changes, kinds);
  return ranked(entries, entry => entryWeight(entry, weight));
}

type Weights = ReadonlyMap<string, number>;

// Any change of a kind that grants access weighs more than one of a kind that grants nothing, and of those a new object least.
function weights(changes: readonly ShownChange[], kinds: KindTable): Weights {
  return new Map(
    changes.map(change => {
      const grants = kinds.get(change.kind)?.grantsNothing === false;
      const own = grants ? 2 + openingOf(change, kinds) : change.type === 'create' ? 0 : 1;
      return [change.address, own] as const;
    }),
  );
}

/** A number of machines never weighs as much as everything. */
const MACHINES = 64;

function entryWeight(entry: AccessChangeEntry, weight: Weights): number {
  const { causes, machines, members_to_come, protocol, ports_after, address } = entry;
  const causing = largest(
    0,
    causes.map(cause => weight.get(cause) ?? 0),
  );
  const who = Math.log2(1 + machines.length + members_to_come.length) / MACHINES;
  const traffic = protocol === 'all' ? 1 : ports_after.includes('*') ? 0.5 : 0;
  const where = address !== undefined && /\/0$|\*/.test(address) ? 1 : 0;
  return causing + who + traffic + where;
}

function shownCauses(causes: readonly string[], weight: Weights): readonly string[] {
  if (causes.length <= CAUSES) return causes;
  const first = ranked(causes, cause => weight.get(cause) ?? 0).slice(0, CAUSES);
  return [...first, moreText(causes.length - first.length)];
}
