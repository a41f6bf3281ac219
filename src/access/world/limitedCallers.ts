// Who may call a service under other limits in one state than in another: a wider limit lets in callers of their own.
import { admitsMore, isCovered } from '../../kinds/values/exposure.ts';
import type { AccessState, CallerLimits, InternetPort } from '../state/accessState.ts';

/**
 * States of an account with the callers that only some of the limits of these states let in. They are outsiders beside those of the same
 * service under any of its limits, so that a wider limit is a gain, and a narrower one a loss.
 */
export function withLimitedCallers(
  states: readonly AccessState[],
): (state: AccessState) => AccessState {
  const limits = new Map<string, Map<string, CallerLimits>>();
  for (const port of states.flatMap(({ internetPorts }) => internetPorts))
    if (port.limits)
      for (const name of namesFor(port)) {
        const known = limits.get(name) ?? new Map<string, CallerLimits>();
        known.set(JSON.stringify(port.limits), port.limits);
        limits.set(name, known);
      }
  if (![...limits.values()].some(({ size }) => size > 1)) return state => state;
  const variantsOf = (port: InternetPort) => [
    ...new Map(namesFor(port).flatMap(name => [...(limits.get(name) ?? [])])).values(),
  ];
  return state => ({
    ...state,
    internetPorts: state.internetPorts.flatMap(port => [port, ...byLimit(port, variantsOf(port))]),
  });
}

// The same callers of one service, by its id and by its name.
const namesFor = ({ service, serviceId, to }: InternetPort): readonly string[] =>
  [service, serviceId].flatMap(one => (one === undefined ? [] : `${one} ${to.name}`));

function byLimit(port: InternetPort, variants: readonly CallerLimits[]): readonly InternetPort[] {
  const { limits: own, key, id, to } = port;
  if (own === undefined) return [];
  return variants
    .filter(one => isWithin(one, own) && !variants.every(other => isWithin(one, other)))
    .map(one => {
      const words = wordsOf(one);
      return {
        ...port,
        key: `${key} ${words}`,
        ...(id !== undefined && { id: `${id} ${words}` }),
        to: {
          ...to,
          name: `${to.name} (${words})`,
          ...(to.are === 'anybody' && { are: 'some-of-the-internet' as const }),
        },
      };
    });
}

// Whether a limit lets in nobody whom the other one does not.
const isWithin = (one: CallerLimits, other: CallerLimits): boolean =>
  !admitsMore(other.networks, one.networks) &&
  !admitsMore(other.countries, one.countries) &&
  [...other.blocked].every(place => isCovered(place, one.blocked)) &&
  (!other.isChecked || one.isChecked);

function wordsOf({ networks, countries, blocked, isChecked }: CallerLimits): string {
  const words = [
    ...(networks.length > 0 ? [`from ${networks.join(', ')}`] : []),
    ...(countries.length > 0 ? [`in ${countries.join(', ')}`] : []),
    ...(blocked.length > 0 ? [`except ${blocked.join(', ')}`] : []),
    ...(isChecked ? ['checked by CrowdSec'] : []),
  ];
  return words.length === 0 ? 'from anywhere' : words.join(' ');
}
