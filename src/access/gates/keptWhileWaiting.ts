// Access that an account keeps only until the objects exist for which declarations wait. Once these
// objects exist, the files grant the access to nobody.
import isEqual from 'fast-deep-equal';
import type { Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import { causesByOmission } from '../plan/causesByOmission.ts';
import { comparison, type PlannedAccount, type PlannedChanges } from '../plan/comparison.ts';
import { and, bitsOf, isEmpty, minus } from '../sets/bits.ts';
import { without } from '../sets/traffic.ts';
import { trafficWords } from '../sets/trafficText.ts';
import type { World } from '../world/world.ts';
import { sidesOf } from './movedAccess.ts';

/** Access that remains open while declarations wait. */
export interface KeptWhileWaiting {
  readonly who: string;
  readonly where: string;
  readonly ports: string;
  /**
   * Whether only machines on the overlay have this access. Until a service has a sign-in, they can
   * call it without its keys, and the sign-in is the part that waits.
   */
  readonly isOfOverlay: boolean;
  /** The objects that must be written before the access is as declared. */
  readonly causes: readonly Address[];
}

/** A plan, and the same plan as if all objects existed for which its declarations wait. */
export interface WaitingAccount extends PlannedAccount {
  readonly begun: PlannedChanges;
  /** The objects for which the declarations wait. */
  readonly absent: ReadonlySet<Address>;
}

/**
 * The access that remains after a plan although the files do not grant it. Members of groups that
 * do not exist yet do not count, because these groups have no members.
 */
export function keptWhileWaiting(account: WaitingAccount): readonly KeptWhileWaiting[] {
  const changesWithout = (left: ReadonlySet<Address>) => asIfWritten(left, account);
  const { after, changes, parts } = comparison({ ...account, changesWithout });
  const { world } = after;
  const namer = memberSetNamer(world);
  const calling = overlayCallers(world);
  const opened = changes().changes.filter(({ gains }) => gains);
  const causesOf = causesByOmission({ ...parts, addresses: waitingIn(account) }, opened);
  return opened
    .flatMap((change): KeptWhileWaiting[] => {
      const { sources, targets, usable } = change;
      const known = and(sources, world.present);
      if (isEmpty(known)) return [];
      const more = usable ? without(usable.after, usable.before) : [];
      return [
        {
          ...sidesOf(namer, known, targets),
          ports: trafficWords(more).join(' '),
          isOfOverlay: isEmpty(minus(known, calling)),
          causes: causesOf({ ...change, sources: known }, []).addresses,
        },
      ];
    })
    .sort((one, other) => compareTexts(textOf(one), textOf(other)));
}

// The objects that the plan would write differently if no declaration had to wait.
function waitingIn({ plan, begun, absent }: WaitingAccount): readonly Address[] {
  const ofPlan = Map.groupBy(plan.actions, ({ address }) => address);
  const ofAll = Map.groupBy(begun.actions, ({ address }) => address);
  return [...new Set([...ofPlan.keys(), ...ofAll.keys()])].filter(
    address => !absent.has(address) && !isEqual(ofPlan.get(address), ofAll.get(address)),
  );
}

// The changes of the plan as if these objects, and the objects for which they wait, were written
// immediately.
function asIfWritten(
  written: ReadonlySet<Address>,
  { plan, begun, absent }: WaitingAccount,
): PlannedChanges {
  const isWritten = ({ address }: { readonly address: Address }) =>
    written.has(address) || absent.has(address);
  const joined = <K extends 'actions' | 'changes'>(name: K): Plan[K] =>
    [...begun[name].filter(isWritten), ...plan[name].filter(one => !isWritten(one))] as Plan[K];
  return {
    actions: joined('actions'),
    changes: joined('changes'),
    pins: [...plan.pins, ...begun.pins],
  };
}

const textOf = ({ who, where, ports }: KeptWhileWaiting): string => [who, where, ports].join(' ');

// The outsiders that stand for machines on the overlay, if whole groups are allowed to call a
// service without a limit.
function overlayCallers({ state, positions }: World) {
  return bitsOf(
    state.internetPorts.flatMap(({ to: { name, are, groups, single } }) => {
      const isAny = are === 'machines' && (groups === undefined || single !== undefined);
      return isAny ? (positions.internet.get(name) ?? []) : [];
    }),
  );
}
