// Names of zones that resolve differently after a plan, for machines of the groups that get the
// zones. The cause may be a record, a wildcard, another zone, or another server that answers.
// Machines that move to other groups are included.
import { domainText } from '../../kinds/values/domain.ts';
import type { MovedNames } from '../../model/access/planAccess.ts';
import type { Plan } from '../../model/plan.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import { movesMachines } from '../plan/movesMachines.ts';
import type { Zone } from '../state/accessState.ts';
import { changeRecords } from '../state/zones.ts';
import { firstNames } from './firstNames.ts';
import type { MovingNote } from './movingNotes.ts';
import { changeAnswers } from './nameservers.ts';
import { resolvedChanges } from './resolvedNames.ts';

/** Names of one zone that move in the same way. */
interface Moved {
  readonly zone: string;
  readonly names: readonly string[];
  readonly was: string;
  readonly is: string;
  readonly whom: string;
  /** The groups and machines, listed individually. */
  readonly of: readonly string[];
}

/**
 * A note for each name that resolves differently, or a single note for many names of a zone that
 * move for the same machines. `isNoted`: whether other notes already say where a name leads. A name
 * that nobody could resolve before is new and has no note.
 */
export function movedRecordNames(
  states: Comparison,
  account: PlannedAccount & { readonly plan: Pick<Plan, 'changes'> },
  isNoted: (name: string) => boolean,
): readonly MovingNote[] {
  const { changes } = account.plan;
  const isConcerned =
    changeRecords(changes) ||
    changeAnswers(changes) ||
    account.plan.actions.some(movesMachines(account.kinds));
  if (!isConcerned) return [];
  const changedFor = resolvedChanges(states, account);
  const moved = [...zonesByName([...states.stateBefore.zones, ...states.stateAfter.zones])]
    .filter(([name]) => !isNoted(name))
    .flatMap(([name, zone]) =>
      changedFor(name.replace('*', UNNAMED))
        .filter(({ wasKnown }) => wasKnown)
        .map(({ was, is, whomBriefly: whom, of }) => ({ zone, name, was, is, whom, of })),
    );
  const alike = Map.groupBy(moved, one => [one.zone, one.whom, one.is, one.was].join('\n'));
  const all = [...alike.values()].flatMap(([first, ...others]): Moved[] =>
    first ? [{ ...first, names: [first, ...others].map(({ name }) => name) }] : [],
  );
  const ofZones = Map.groupBy(all, one => [one.zone, one.whom].join('\n'));
  return [...ofZones.values()].flatMap(notesOf);
}

// Stands for all names without a record that a wildcard answers.
const UNNAMED = 'a-name-without-a-record';

// The names of all records, each with its zone. If several zones have a name, the first zone
// counts.
function zonesByName(zones: readonly Zone[]): ReadonlyMap<string, string> {
  const all = zones.flatMap(({ domain, records }) =>
    records.map(({ name }) => [domainText(name), domain] as const),
  );
  const first = new Map(all.toReversed());
  return new Map([...first].sort(([one], [other]) => compareTexts(one, other)));
}

const SHOWN = 3;

// Notes about names of one zone that move for the same machines.
function notesOf(moved: readonly Moved[]): readonly MovingNote[] {
  const texts = textsOf(moved);
  if (texts.length === moved.length)
    return moved.map((one, at) => ({ message: texts[at] ?? '', moves: [movesOf(one)] }));
  return texts.map(message => ({ message, moves: moved.map(movesOf) }));
}

const movesOf = ({ names, was, is, of }: Moved): MovedNames => ({
  says: names.map(name => `${quoted(name)} leads to ${is} instead of ${was}`),
  of,
});

function textsOf(moved: readonly Moved[]): readonly string[] {
  const [first] = moved;
  if (first === undefined) return [];
  const names = moved.flatMap(one => one.names);
  const to = new Set(moved.map(({ is }) => is));
  const whom = `for ${first.whom}`;
  // Names with the same new target have the same cause, for example a disabled zone, even if their
  // former targets differ.
  if (moved.length > 1 && to.size === 1)
    return [
      `${names.length} names of the zone ${quoted(first.zone)} lead to ${first.is} instead of where their records led, ${whom}: ${firstNames(names)}`,
    ];
  if (moved.length <= SHOWN) return moved.map(textOf);
  const shown = moved
    .slice(0, SHOWN)
    .map(one => `${firstNames(one.names)} to ${one.is} instead of ${one.was}`);
  const more = moved.slice(SHOWN).flatMap(one => one.names).length;
  return [
    `${names.length} names of the zone ${quoted(first.zone)} lead elsewhere, ${whom}: ${shown.join(', ')} and ${more} more`,
  ];
}

function textOf({ names, was, is, whom }: Moved): string {
  const leads = names.length === 1 ? 'leads' : 'lead';
  return `${firstNames(names)} ${leads} to ${is} instead of ${was}, for ${whom}`;
}
