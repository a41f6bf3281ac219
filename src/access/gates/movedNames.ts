// Guarded names that a plan makes resolve to something else or to nothing, for all or for some
// machines. A machine that looks up such a name then reaches something else. Other domains are
// included only if they newly resolve to nothing. If they resolve to something else, access
// changes, and that change is reported anyway.
import { isDomain } from '../../kinds/values/domain.ts';
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { selectorOf } from '../ask/selector.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import { movesMachines } from '../plan/movesMachines.ts';
import { changeNames, changeRecords, domainsIn } from '../state/zones.ts';
import { missesOf, newMisses } from '../world/missedNames.ts';
import type { World } from '../world/world.ts';
import { guardedNames } from './answeringRights.ts';
import { firstNames } from './firstNames.ts';
import { movedRecordNames } from './movedRecords.ts';
import { type MovingNote, noteOf } from './movingNotes.ts';
import { changeAnswers } from './nameservers.ts';
import { isRedirected } from './redirectedNames.ts';
import { ALL_MACHINES, type ResolvedChange, resolvedChanges } from './resolvedNames.ts';

/**
 * A note for each guarded name that resolves differently, for all or for some machines, after a
 * plan that changes zones, records, nameservers, the names of machines, or their groups.
 */
export function movedGuardedNames(
  states: Comparison,
  account: PlannedAccount & { readonly plan: Pick<Plan, 'changes'> },
  guarded: AccessGuards['guarded'],
): readonly MovingNote[] {
  const { changes } = account.plan;
  const isConcerned =
    changeRecords(changes) ||
    changeAnswers(changes) ||
    changeNames(account.plan.actions) ||
    account.plan.actions.some(movesMachines(account.kinds));
  if (guarded.length === 0 || !isConcerned) return [];
  const found = namesIn(states, guarded);
  const changedFor = resolvedChanges(states, account);
  return [...found]
    .filter(([name]) => isDomain(name) && !isRedirected(name, changes))
    .flatMap(([name, called]) => {
      const moved = movedText(states, name, () => changedFor(name)) ?? missedText(states, name);
      if (moved !== undefined) return [noteOf(`${called} ${moved}`)];
      return changedFor(name).map(({ was, is, whom, of }) => {
        const says = `${called} leads to ${is} instead of ${was}`;
        return { message: `${says}, for ${whom}`, moves: [{ says: [says], of }] };
      });
    });
}

/**
 * A note for each zone that newly answers for domains of network resources and routes but has no
 * record for them. Guarded domains are left out.
 */
export function missedNames(
  states: Comparison,
  changes: readonly ShownChange[],
  guarded: AccessGuards['guarded'],
): readonly MovingNote[] {
  if (!changeRecords(changes)) return [];
  const known = namesIn(states, guarded);
  const offered = new Set(domainsIn(states.stateBefore));
  const names = domainsIn(states.stateAfter).filter(
    name => offered.has(name) && !known.has(name) && !isRedirected(name, changes),
  );
  const byZone = Map.groupBy(
    names.filter(name => nothingIn(states, name).length > 0),
    name => nothingIn(states, name).join(),
  );
  return [...byZone.values()].map((missed): MovingNote => {
    const zones = nothingIn(states, missed[0] ?? '');
    const [leads, it] = missed.length === 1 ? ['leads', 'it'] : ['lead', 'them'];
    const says = missed.map(
      name => `${quoted(name)} leads to ${NOTHING} ${withoutRecord(zones, 'it')}`,
    );
    const message = `${firstNames(missed)} ${leads} to ${NOTHING} ${withoutRecord(zones, it)}`;
    return { message, moves: [{ says, of: [''] }] };
  });
}

/** Notes about other names of zones that resolve differently. */
export function movedOtherNames(
  states: Comparison,
  account: PlannedAccount & { readonly plan: Pick<Plan, 'changes'> },
  guarded: AccessGuards['guarded'],
): readonly MovingNote[] {
  const { changes } = account.plan;
  const known = namesIn(states, guarded);
  return movedRecordNames(states, account, name => known.has(name) || isRedirected(name, changes));
}

// The names that machines look up to reach guarded targets, each with the guard that a note
// mentions. If records of a name resolve to a target, the name itself is not guarded.
function namesIn(
  states: Comparison,
  guarded: AccessGuards['guarded'],
): ReadonlyMap<string, string> {
  const all = [...new Set(guarded.map(({ to }) => to))].flatMap(to => {
    const selector = selectorOf(to);
    if ('fault' in selector || selector.type === 'all') return [];
    return [{ text: nameText(selector.text), names: guardedNames(states, selector) }];
  });
  const { leadsTo } = states.before.world.names;
  const named = all.flatMap(({ names: { own, machines } }) =>
    [...own, ...machines].map(name => [name, `the guarded name ${quoted(name)}`] as const),
  );
  const leading = all.flatMap(({ text, names }) =>
    [...names.leading]
      .filter(name => !name.startsWith('*') && leadsTo(name).size > 0)
      .map(name => [name, `the name ${quoted(name)} of ${text}, which is guarded,`] as const),
  );
  // If several guards have a name, the note mentions the first of them.
  return new Map([...leading.toReversed(), ...named]);
}

function movedText(
  states: Comparison,
  name: string,
  changes: () => readonly ResolvedChange[],
): string | undefined {
  const [was, is] = [states.before, states.after].map(({ world }) => movedIn(world, name));
  if (was === undefined || is === undefined) return undefined;
  const left = [...was.moved].filter(place => is.all.has(place));
  const isPartial = left.length > 0 || [...is.moved].some(place => was.all.has(place));
  const whom = isPartial ? ', for some of the machines that ask for it' : whomText(changes());
  if (was.moved.size > 0 && is.moved.size > 0)
    return `leads to ${listed(is.moved)} instead of ${listed(was.moved)}${whom}`;
  if (is.moved.size > 0) {
    const also = was.all.size > 0 && !isPartial ? ' as well' : '';
    return `leads to ${listed(is.moved)}${also}${whom}`;
  }
  return was.moved.size > 0 ? `no longer leads to ${listed(was.moved)}${whom}` : undefined;
}

// The machines for which a name resolves differently. A zone answers only for some groups. Machines
// of other groups ask other DNS servers, before and after the plan.
function whomText(changes: readonly ResolvedChange[]): string {
  const all = new Set(changes.map(({ whom }) => whom));
  return all.size === 0 || all.has(ALL_MACHINES) ? '' : `, for ${[...all].sort().join(', ')}`;
}

// If no record decides, a zone may still answer that the name does not exist, or other servers may begin to answer.
function missedText({ stateBefore, stateAfter }: Comparison, name: string): string | undefined {
  const [was, is] = [stateBefore, stateAfter].map(state => missesOf(state, name));
  if (was === undefined || is === undefined) return undefined;
  const zones = newMisses(was, is);
  if (zones.length > 0) return `leads to ${NOTHING} ${withoutRecord(zones, 'it')}`;
  const former = newMisses(is, was);
  if (former.length === 0) return undefined;
  return `leads where other DNS servers say, and no longer to nothing, for the machines that got ${zonesText(former)}`;
}

// If the zone does not contain a name, a client may ask its nameservers for it.
const NOTHING = 'nothing, or where other DNS servers say,';

const nothingIn = ({ stateBefore, stateAfter }: Comparison, name: string): readonly string[] =>
  newMisses(missesOf(stateBefore, name), missesOf(stateAfter, name));

const withoutRecord = (zones: readonly string[], it: string | undefined): string =>
  `for the machines that get ${zonesText(zones)}, which ${zones.length === 1 ? 'has' : 'have'} no record of ${it}`;

const zonesText = (zones: readonly string[]): string =>
  `the ${zones.length === 1 ? 'zone' : 'zones'} ${zones.map(quoted).join(' and ')}`;

const movedIn = ({ names }: World, name: string) => ({
  moved: new Set(names.turnedOf(name).flatMap(({ address, also }) => [address, ...also])),
  all: names.leadsTo(name),
});

const listed = (places: ReadonlySet<string>): string =>
  [...places].sort().map(nameText).join(' and ');
