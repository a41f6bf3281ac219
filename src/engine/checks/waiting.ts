// Declarations that wait for an object which another system has not created yet. They are listed.
// They are a hazard if the account changes because of them.
import isEqual from 'fast-deep-equal';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { valueAt } from '../../kinds/values/items.ts';
import type { FieldChange } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { listOf } from '../../model/value.ts';
import { mayTakeAccess } from '../actions/takesAccess.ts';
import { differingIn } from '../diff/comparedOnlyChanges.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import { switchingOffWords } from '../waiting/switches.ts';
import type { Waiting } from '../waiting/waits.ts';
import type { DraftPlan } from './draftPlan.ts';

type Planned = Pick<DraftPlan, 'input' | 'changes' | 'actions' | 'context' | 'run'>;

/**
 * Findings about declarations whose name belongs to a different object, and about objects that wait
 * until another system creates an object.
 */
export function waitingFindings({ input, held }: Pick<DraftPlan, 'input' | 'held'>): Diagnostic[] {
  const { blocked, waiting } = input.waits;
  return [
    ...blocked.map(({ kind, key, at }): Diagnostic => {
      const address = addressOf(kind, key);
      return {
        code: 'GROUP_NAME_BLOCKED',
        severity: 'error',
        message: `${address} is declared as a group that the identity provider creates, and the account has another group of that name: the provider can never create it`,
        at,
        hint: 'rename the group in the account, or delete it once nothing uses it: the next sign-in of a member creates the right group. If nobody should join by signing in, declare the group without `from`',
      };
    }),
    ...waiting.map(waitingNote),
    ...waiting.flatMap(one => heldFinding(one, held, input.kinds) ?? []),
    ...waiting.filter(isLeftOpen).map(one => openFinding(one, input.kinds)),
  ];
}

const addressFor = ({ declared: { kind, key } }: Waiting): Address => addressOf(kind, key);

const WORDS: Readonly<Record<Exclude<Waiting['fate'], 'in-part'>, string>> = {
  'not-created': 'is not created',
  held: 'stays as it is',
  closed: 'is switched off as declared; everything else in it stays as it is',
  narrowed: 'is written without what it waits for',
  'switched-off': 'is switched off where nobody else is left in it',
};

function wordsFor({ fate, object, isDenying, staying = [] }: Waiting): string {
  if (fate === 'held' && object !== undefined) return 'stays as it was last applied';
  // Parties that are already denied access stay denied.
  if (fate === 'narrowed' && isDenying) return 'until then denies access only to others';
  if (fate !== 'in-part') return WORDS[fate];
  const verb = staying.length === 1 ? 'stays as it is' : 'stay as they are';
  return `only ${staying.map(quoted).join(', ')} of it ${verb}`;
}

function waitingNote(one: Waiting): Diagnostic {
  return {
    code: 'OBJECT_WAITS',
    severity: 'note',
    message: `${addressFor(one)} waits for ${one.absent.join(', ')}, and ${wordsFor(one)}`,
    at: one.declared.at,
    // No hint if an error for the same object already says what to do.
    ...(!isLeftOpen(one) && {
      hint: 'you need not do anything: the first run after the identity provider has created the group applies the rest',
    }),
  };
}

// The finding for an object that is not written while it waits, although somebody changed it in the account. The plan cannot
// revert that change.
function heldFinding(
  { declared: { kind, key, at }, absent: names, fate, object }: Waiting,
  held: DraftPlan['held'],
  kinds: KindTable,
): Diagnostic | undefined {
  const address = addressOf(kind, key);
  const own = held.flatMap(({ change }) => (change.address === address ? change : []));
  if (fate !== 'held' || object !== undefined || own.length === 0) return undefined;
  return {
    code: 'OBJECT_HELD',
    severity: 'warning',
    message: `${address} differs in ${differingIn(own, kinds)}, and stays as it is: it cannot be written as declared without ${names.join(', ')}`,
    at,
    hint: 'change it back in the account, or declare what it should be now; until then an apply ends with exit code 4',
  };
}

const isLeftOpen = ({ fate, isOpen }: Waiting): boolean =>
  isOpen && (fate === 'held' || fate === 'in-part');

const openFinding = (one: Waiting, kinds: KindTable): Diagnostic => ({
  code: 'WAITS_OPEN',
  severity: 'error',
  message: `${addressFor(one)} waits for ${one.absent.join(', ')}, and leaves more open in the account than the files declare`,
  at: one.declared.at,
  hint: openHint(switchingOffWords([one.declared.kind], kinds)),
});

const openHint = (off: string | undefined): string =>
  `until the identity provider has created the group, ${off === undefined ? '' : `${off}, `}name an existing group instead, or reduce what the object allows in the account`;

// Parts of one declared object have the same position in the files.
const isWritten = (desired: Desired | undefined, { declared }: Waiting): boolean =>
  desired !== undefined &&
  desired.kind === declared.kind &&
  desired.at === declared.at &&
  desired.part?.item === declared.part?.item;

// Whether a change would be different if no object had to wait. Access that the files themselves
// remove is not a hazard.
function dependsOnWaiting(
  { path }: FieldChange,
  { declared, object }: Waiting,
  kind: Kind,
): boolean {
  if (object === undefined) return true;
  const [list = ''] = path;
  const counts = [declared, object].map(({ fields }) => listOf(fields[list]).length);
  // The paths of items are different if one of the two lists has more items.
  if (path.length === 2 && counts[0] !== counts[1]) return true;
  const [full, written] = [declared, object].map(one => valueAt(kind.shape, one.fields, path));
  return !isEqual(full, written);
}

/**
 * The hazards of waiting objects, by the address of an action. This is the action on the waiting
 * object or, if there is none, the first action of the plan.
 */
export function waitingHazards({ input, changes, actions, context }: Planned): FoundHazards {
  const { waiting } = input.waits;
  const byAddress = new Map(changes.map(object => [object.change.address, object.change]));
  const found = new Map<Address, FoundHazard[]>();
  const add = (address: Address, hazard: FoundHazard) =>
    found.set(address, [...(found.get(address) ?? []), hazard]);
  const first = actions[0]?.change.address;
  for (const one of waiting) {
    const declared = addressFor(one);
    // An object without a name is identified by its references. Its live object has other references, so it is found by its
    // declaration.
    const own = changes.find(({ desired }) => isWritten(desired, one))?.change;
    const change = byAddress.get(declared) ?? own;
    const address = change?.address ?? declared;
    const names = one.absent.join(', ');
    if (one.isDenying && first !== undefined)
      add(change ? address : first, {
        code: 'DROP_WAITS',
        message: `${address} denies access, but waits for ${names}: until then it does not deny access to users who join`,
      });
    // No hazard: the waiting part stays as it is, and the files themselves change the rest.
    if (one.fate === 'in-part' || one.fate === 'closed') continue;
    if (change?.type !== 'update') continue;
    const kind = context.kind(change.kind);
    const fields = change.fields.filter(field => dependsOnWaiting(field, one, kind));
    // No hazard: the plan only reverts manual changes.
    const isOfFiles = fields.some(({ since }) => since !== 'drift');
    if (mayTakeAccess({ fields }, kind) && isOfFiles)
      add(address, {
        code: 'ACCESS_WAITS',
        message: `${address} loses access now, and what the files declare instead waits for ${names}`,
      });
  }
  return found;
}
