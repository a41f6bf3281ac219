// The machines that may have admitted traffic without reporting it. A machine that nobody saw was not necessarily off.
import { type UsedDays, usedDaysAmong } from '../attribution/usedDays.ts';
import { type Day, dayOf, type Observed } from '../observed.ts';
import { LEAST_DAYS, NEAR_DAYS, type Reason } from './gapReasons.ts';

/** Returns, for the id of a machine, why its reports show nothing for certain; empty if it reported whenever it was on. */
export function silences(observed: Observed): (id: string) => readonly Reason[] {
  const { window, machines } = observed;
  const first = dayOf(window.from);
  // Records of the day on which the window ends may still arrive.
  const end = Math.max(dayOf(window.to), first + 1);
  const known = new Map<string, readonly Reason[]>();
  let met: ReadonlyMap<string, ReadonlySet<Day>> | undefined;
  const silence = (id: string): readonly Reason[] => {
    const { connected = NO_DAYS, reported = NO_DAYS } = machines.get(id) ?? {};
    const isWithin = (day: Day) => day >= first && day < end;
    const told = [...reported].filter(isWithin);
    const silentOn = (days: Iterable<Day>) =>
      [...days].filter(day => isWithin(day) && !reported.has(day)).sort((a, b) => a - b);
    const silent = silentOn(connected);
    if (silent.length > 0) return [{ type: 'silent', machine: id, days: silent }];
    met ??= metIn(observed);
    const unheard = silentOn(met.get(id) ?? NO_DAYS);
    if (unheard.length > 0) return [{ type: 'met', machine: id, days: unheard }];
    // In a window that is too short, nothing is certain anyway.
    if (end - first < LEAST_DAYS) return [];
    if (told.length === 0) return [{ type: 'unseen', machine: id, when: 'ever' }];
    if (!told.some(day => day < first + NEAR_DAYS))
      return [{ type: 'unseen', machine: id, when: 'begin' }];
    if (!told.some(day => day >= end - NEAR_DAYS))
      return [{ type: 'unseen', machine: id, when: 'end' }];
    return [];
  };
  return id => {
    const found = known.get(id) ?? silence(id);
    known.set(id, found);
    return found;
  };
}

const NO_DAYS: ReadonlySet<Day> = new Set();

/** By machine, the days on which a flow from or to it was in use, whoever reported it. */
function metIn({ flows }: Observed): ReadonlyMap<string, ReadonlySet<Day>> {
  const met = new Map<string, Set<Day>>();
  const { isUsedOn }: UsedDays = usedDaysAmong(flows);
  for (const flow of flows)
    for (const end of [flow.source, flow.destination]) {
      if (end.type !== 'machine') continue;
      const days = met.get(end.id) ?? new Set();
      met.set(end.id, days);
      for (const [day, counts] of flow.days) if (isUsedOn(flow, day, counts)) days.add(day);
    }
  return met;
}
