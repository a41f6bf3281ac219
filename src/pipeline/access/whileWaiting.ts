// The access of a plan while some of its declarations wait for objects that another system creates.
// Losses are shown only if this apply causes them. Gains are shown although they begin later.

import { eachRightOnce } from '../../access/gates/evaluation.ts';
import {
  type KeptWhileWaiting,
  keptWhileWaiting,
  type WaitingAccount,
} from '../../access/gates/keptWhileWaiting.ts';
import type { PlannedAccount } from '../../access/plan/comparison.ts';
import { onlyGained, onlyLost } from '../../access/plan/gainedOrLost.ts';
import { byChange } from '../../access/plan/planAccess.ts';
import { switchingOffWords } from '../../engine/waiting/switches.ts';
import type { Waiting, Waits } from '../../engine/waiting/waits.ts';
import type { KindTable } from '../../kinds/kind.ts';
import {
  type AccessChangeEntry,
  givesAccess,
  type PlanAccess,
  takesAccess,
} from '../../model/access/planAccess.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import { visible } from '../../model/text/visible.ts';

/** The result of comparing a plan with the same plan when nothing has to wait any more. */
export interface FoundWhileWaiting {
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the account would stay more open than the files declare. */
  readonly isOpen: boolean;
}

/**
 * The findings about access that the account keeps only because declarations wait. There is one
 * finding for each set of objects that together keep the access. `begun`: the plan when nothing has
 * to wait any more.
 */
export function openWhileWaiting(
  account: PlannedAccount & Pick<WaitingAccount, 'begun'>,
  waits: Waits,
): FoundWhileWaiting {
  const own = new Set(waits.waiting.map(({ declared: { kind, key } }) => addressOf(kind, key)));
  const found = keptWhileWaiting({ ...account, absent: waits.absent.difference(own) });
  const refused = found.filter(({ isOfOverlay }) => !isOfOverlay);
  const told = refused.length > 0 ? refused : found;
  const groups = Map.groupBy(told, ({ causes }) => causes.toSorted().join('\n'));
  return {
    diagnostics: [...groups.values()].flatMap(alike => finding(alike, waits, account.kinds)),
    isOpen: refused.length > 0,
  };
}

// The waiting objects that keep access open; all waiting objects if the causes are unknown.
function openObjects(
  { causes }: KeptWhileWaiting,
  { waiting }: Pick<Waits, 'waiting'>,
): Waits['waiting'] {
  const isCause = ({ declared: { kind, key } }: Waiting) => causes.includes(addressOf(kind, key));
  return waiting.some(isCause) ? waiting.filter(isCause) : waiting;
}

function finding(
  [first, ...others]: readonly KeptWhileWaiting[],
  waits: Waits,
  kinds: KindTable,
): Diagnostic[] {
  if (first === undefined) return [];
  const { who, where, ports, isOfOverlay } = first;
  const waiting = openObjects(first, waits);
  const names = [...new Set(waiting.flatMap(one => one.absent))].filter(one =>
    waits.absent.has(one),
  );
  const objects = [...new Set(waiting.map(({ declared: { kind, key } }) => addressOf(kind, key)))];
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const kindsOfThem = waiting.map(({ declared }) => declared.kind);
  const off = switchingOffWords(kindsOfThem, kinds);
  const flow = visible(`${who} → ${where}${ports && `  ${ports}`}`);
  return [
    {
      code: 'WAITS_OPEN',
      severity: isOfOverlay ? 'warning' : 'error',
      message: `${objects.join(', ')} ${objects.length === 1 ? 'waits' : 'wait'} for ${names.join(', ')}, and until then the account leaves open what the files do not: ${flow}${more}`,
      ...(waiting[0] && { at: waiting[0].declared.at }),
      hint: hintFor(isOfOverlay, off),
    },
  ];
}

function hintFor(isOfOverlay: boolean, off: string | undefined): string {
  if (isOfOverlay) {
    const until = 'machines on the overlay call it without a key until its sign-in can be written';
    return off === undefined ? until : `${until}; ${off} until then if they must not`;
  }
  const first = off === undefined ? '' : `${off} until then, `;
  return `${first}name an existing group in its place, or narrow the object in the account`;
}

/**
 * The access of a plan when nothing has to wait any more. Its losses are those of the current plan,
 * because only these happen now. It also includes the rights that the current plan gives.
 */
export function lostNow(later: PlanAccess, now: PlanAccess): PlanAccess {
  if (later.status === 'new-account') return later;
  const same = new Set(now.changes.map(textOf));
  const given = later.changes
    .filter(entry => givesAccess(entry) || !takesAccess(entry))
    .map(entry => (takesAccess(entry) && !same.has(textOf(entry)) ? onlyGained(entry) : entry));
  const shown = new Set(given.map(textOf));
  const taken = now.changes
    .filter(entry => takesAccess(entry) && !shown.has(textOf(entry)))
    .map(entry => (givesAccess(entry) ? onlyLost(entry) : entry));
  const changes = [...given, ...taken].sort(byChange);
  const rights = eachRightOnce([...(later.rights ?? []), ...(now.rights ?? [])]);
  return {
    ...later,
    status: changes.length + rights.length === 0 ? 'unchanged' : 'changed',
    ...(rights.length > 0 && { rights }),
    machines: Math.max(later.machines, now.machines),
    pairs: { gained: later.pairs.gained, lost: now.pairs.lost },
    changes,
  };
}

const textOf = (entry: AccessChangeEntry): string => JSON.stringify(entry);
