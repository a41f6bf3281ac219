// Ended objects that may be in the account under another name. If it is not certain that an object
// is the ended object, it is not deleted.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { createdByApplies } from '../pruning/createdByApplies.ts';
import { isAnotherByContent } from '../pruning/sameContent.ts';
import type { PlanInput } from '../scope/planInput.ts';
import type { Naming } from '../types/naming.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import type { Overdue } from './overdue.ts';

/** An ended object or its members that may have another name in the account. */
export interface Renamed extends Overdue {
  readonly warning: Diagnostic;
  /**
   * Whether a journal contains the id of the object. If so, it is the ended object, not only a
   * similar one.
   */
  readonly isCertain: boolean;
}

/**
 * Ended objects that may have another name, because no object has the declared name. A journal
 * contains the id of such an object. Without a base or a journal, there is no id, so an object with
 * the same content counts.
 */
export function perhapsRenamed(written: PlanInput, pairing: Pairing): readonly Renamed[] {
  const over = written.desired.filter(({ ended }) => ended?.isWhole);
  const wholes = new Map(over.map(object => [addressOf(object.kind, object.key), object]));
  if (wholes.size === 0) return [];
  const { pairs, creates, naming } = pairing;
  const declared = new Map(pairs.map(({ desired, live }) => [live, desired]));
  const takenOf = liveOfEnded(written, pairing);
  const all = creates.flatMap((desired): (readonly [string, Renamed])[] => {
    const object = wholes.get(wholeOf(desired));
    const found = object && takenOf(desired, object);
    if (!found) return [];
    const { live, isCertain } = found;
    const by = declared.get(live);
    // Another part of the same object is found under its own name, and an id in the files shows
    // which object is meant.
    if (by && (wholeOf(by) === wholeOf(object) || by.lifecycle.id === live.id)) return [];
    const warning = renameWarning(object, { ...found, by }, naming);
    const { kind, key } = object;
    return [[`${wholeOf(object)} ${live.id}`, { kind, key, warning, isCertain }]];
  });
  // Several parts of an object may lead to the same live object.
  return [...new Map(all).values()];
}

/** A live object that may be an ended object. */
interface Found {
  readonly live: Live;
  readonly isCertain: boolean;
  /**
   * Whether the object has the declared content. If it does not, a journal contains its id, or it
   * has the declared name.
   */
  readonly hasContent: boolean;
  /** Whether it has the declared name, with other content. */
  readonly isNamed: boolean;
}

/**
 * Returns the live object that may be the object of a declaration without a pair. The declaration
 * is a whole ended object or a part of it.
 */
type LiveOfEnded = (desired: Desired, object: Desired) => Found | undefined;

function liveOfEnded(
  { kinds, recorded, desired: all, snapshot, made = [] }: PlanInput,
  { pairs, unpaired, naming }: Pairing,
): LiveOfEnded {
  const { isCreated, byDeclaration } = createdByApplies(made, snapshot.objects);
  const endedOf = new Map(all.map(({ kind, key, ended }) => [addressOf(kind, key), ended]));
  const isAnother = (kind: Kind, desired: Desired, live: Live, without?: 'another') =>
    isAnotherByContent(
      kind,
      { desired, live, ended: endedOf.get(wholeOf(desired)) },
      naming,
      without,
    );
  return (desired, object) => {
    const kind = kinds.get(desired.kind);
    if (!kind) return undefined;
    const isMeant = (live: Live) => live.kind === desired.kind && live.reserved === undefined;
    const isSame = (live: Live) => isMeant(live) && !isAnother(kind, desired, live, 'another');
    // Whether the live object has the content of the ended object, while the declaration that is
    // paired with it has different content.
    const hasTaken = ({ desired: one, live }: Pair) => isSame(live) && isAnother(kind, one, live);
    // A part whose item somebody renamed still has its name.
    const isNamed = (live: Live) => isMeant(live) && live.key === desired.key;
    const similar = () =>
      unpaired.find(isSame) ?? pairs.find(hasTaken)?.live ?? unpaired.find(isNamed);
    const declaration = { ...object, ...desired };
    const known = byDeclaration(declaration);
    const isIdKnown = recorded?.hasBase === true || isCreated(declaration);
    const live = known ?? (isIdKnown ? undefined : similar());
    if (!live) return undefined;
    const hasContent = isSame(live);
    return { live, isCertain: live === known, hasContent, isNamed: isNamed(live) && !hasContent };
  };
}

const wholeOf = ({ kind, key, part }: Desired): Address => addressOf(kind, part?.whole ?? key);

interface Taken extends Found {
  /** The declaration that is paired with the object now. */
  readonly by: Desired | undefined;
}

function renameWarning({ kind, key, at }: Desired, taken: Taken, naming: Naming): Diagnostic {
  const { live } = taken;
  const other = addressOf(kind, naming.keyOfId(kind, live.id) ?? live.key);
  return {
    code: 'END_HELD',
    severity: 'warning',
    message: `${addressOf(kind, key)} has ended and ${whyTaken(other, taken)}`,
    at,
    hint: 'delete that object in the account, or give it its former name again; if it is a different object, remove the declaration',
  };
}

function whyTaken(other: Address, { by, hasContent, isNamed }: Taken): string {
  if (isNamed)
    return `${other} stays, because it has other contents than declared: somebody may have changed it, or it is a different object`;
  const declared = by ? 'which the files declare too' : 'which no file declares';
  return hasContent
    ? `is not in the account, but ${other}, ${declared}, has its content: it may be the same object under another name`
    : `its object, now called ${other}, ${declared}, stays`;
}
