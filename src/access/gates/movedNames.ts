// Guarded names that a plan leads elsewhere, for all machines or for some: whoever asks for such a name reaches something else.
import { isDomain } from '../../kinds/values/domain.ts';
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { segmentsOf } from '../../model/key.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { ownTargetsOf } from '../ask/destinations.ts';
import { type Selector, selectorOf } from '../ask/selector.ts';
import type { Comparison } from '../plan/comparison.ts';
import { changeRecords } from '../state/zones.ts';
import type { World } from '../world/world.ts';
import { guardedNames } from './answering.ts';
import { namesOfOne } from './sameObject.ts';

/** A note for each guarded name that leads somewhere else after a plan that changes zones or records. */
export function movedGuardedNames(
  states: Comparison,
  changes: readonly ShownChange[],
  guarded: AccessGuards['guarded'],
): readonly Diagnostic[] {
  if (!changeRecords(changes)) return [];
  const found = new Set(guarded.map(({ to }) => to)).values().flatMap(to => {
    const selector = selectorOf(to);
    if ('fault' in selector || selector.type === 'all') return [];
    const { own, leading } = guardedNames(states, selector);
    const { leadsTo } = states.before.world.names;
    const known = [...leading].filter(name => !name.startsWith('*') && leadsTo(name).size > 0);
    return [...own, ...machineNames(states, selector), ...known];
  });
  return [...new Set(found)]
    .filter(name => isDomain(name) && !isRedirected(name, changes))
    .flatMap((name): Diagnostic[] => {
      const moved = movedText(states, name);
      if (moved === undefined) return [];
      const message = `the guarded name ${quoted(name)} ${moved}`;
      return [{ code: 'NAME_MOVES', severity: 'note', message }];
    });
}

function machineNames(states: Comparison, selector: Selector): readonly string[] {
  return [states.before, states.after].flatMap(({ world }) =>
    namesOfOne(states, selector)
      .flatMap(name => ownTargetsOf(world, name) ?? [])
      .flatMap(target =>
        target.type === 'machine' ? (world.machineAt(target.index)?.dnsNames ?? []) : [],
      ),
  );
}

// A note of its own says from what to what the records of a zone lead, and for whom.
function isRedirected(name: string, changes: readonly ShownChange[]): boolean {
  const zonesOf = (side: 'before' | 'after') =>
    new Set(
      changes
        .filter(change => change[side]?.name === name)
        .flatMap(({ key }) => segmentsOf(key, 2)?.[0] ?? []),
    );
  return !zonesOf('before').isDisjointFrom(zonesOf('after'));
}

function movedText(states: Comparison, name: string): string | undefined {
  const [was, is] = [states.before, states.after].map(({ world }) => movedIn(world, name));
  if (was === undefined || is === undefined) return undefined;
  const left = [...was.moved].filter(place => is.all.has(place));
  const isPartial = left.length > 0 || [...is.moved].some(place => was.all.has(place));
  const whom = isPartial ? ', for some of the machines that ask for it' : '';
  if (was.moved.size > 0 && is.moved.size > 0)
    return `leads to ${listed(is.moved)} instead of ${listed(was.moved)}${whom}`;
  if (is.moved.size > 0) {
    const also = was.all.size > 0 && !isPartial ? ' as well' : '';
    return `leads to ${listed(is.moved)}${also}${whom}`;
  }
  return was.moved.size > 0 ? `no longer leads to ${listed(was.moved)}${whom}` : undefined;
}

const movedIn = ({ names }: World, name: string) => ({
  moved: new Set(names.movedOf(name).map(({ address }) => address)),
  all: names.leadsTo(name),
});

const listed = (places: ReadonlySet<string>): string =>
  [...places].sort().map(nameText).join(' and ');
