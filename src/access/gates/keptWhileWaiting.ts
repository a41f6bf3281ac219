// Access that an account keeps while declarations wait, although the files give it to nobody once what they wait for exists.
import { compareTexts } from '../../model/text/compareTexts.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import { comparison, type PlannedAccount } from '../plan/comparison.ts';
import { and, bitsOf, isEmpty, minus } from '../sets/bits.ts';
import { without } from '../sets/traffic.ts';
import { trafficWords } from '../sets/trafficText.ts';
import type { World } from '../world/world.ts';
import { sidesOf } from './movedAccess.ts';

/** Access that waiting leaves open. */
export interface KeptWhileWaiting {
  readonly who: string;
  readonly where: string;
  readonly ports: string;
  /**
   * Whether only machines on the overlay have this access: they call a service without its keys until the service has a sign-in,
   * and the sign-in is what waits.
   */
  readonly isOfOverlay: boolean;
}

/**
 * The access after a plan that the files do not give. `begun` in `account` is the plan as it would be if everything existed that
 * declarations wait for. Members of absent groups do not count, because there are none yet.
 */
export function keptWhileWaiting(
  account: PlannedAccount & { readonly begun: NonNullable<PlannedAccount['begun']> },
): readonly KeptWhileWaiting[] {
  const { after, changes } = comparison(account);
  const { world } = after;
  const namer = memberSetNamer(world);
  const calling = overlayCallers(world);
  return changes()
    .changes.filter(({ gains }) => gains)
    .flatMap(({ sources, targets, usable }): KeptWhileWaiting[] => {
      const known = and(sources, world.present);
      if (isEmpty(known)) return [];
      const more = usable ? without(usable.after, usable.before) : [];
      return [
        {
          ...sidesOf(namer, known, targets),
          ports: trafficWords(more).join(' '),
          isOfOverlay: isEmpty(minus(known, calling)),
        },
      ];
    })
    .sort((one, other) => compareTexts(textOf(one), textOf(other)));
}

const textOf = ({ who, where, ports }: KeptWhileWaiting): string => [who, where, ports].join(' ');

// The callers of services that let in all machines, or single machines.
function overlayCallers({ state, positions }: World) {
  return bitsOf(
    state.internetPorts.flatMap(({ to: { name, are, groups, single } }) => {
      const isAny = are === 'machines' && (groups === undefined || single !== undefined);
      return isAny ? (positions.internet.get(name) ?? []) : [];
    }),
  );
}
