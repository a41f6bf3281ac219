// Names under which two folders declare the same object of the server. This happens because the
// server stores the declaration of one folder in parts.
import { partsIn } from '../../kinds/identity/parts.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { placeText } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { quoted } from '../../model/text/visible.ts';
import { inParts, isPart } from './parts.ts';

/** An object as another folder declares it. */
interface Elsewhere {
  readonly folder: string;
  readonly object: Desired;
  readonly isOnlyInBase: boolean;
}

/**
 * The declarations of other folders. They are split into parts if servers of the dialect store them
 * in parts.
 */
export const othersInParts = (
  others: readonly OtherFolder[],
  kinds: KindTable,
  dialect: Dialect,
): readonly OtherFolder[] =>
  others.map(other => ({
    ...other,
    files: inParts(other.files, kinds, dialect),
    base: inParts(other.base, kinds, dialect),
  }));

/**
 * Errors for objects with the name of a part of another folder's object, and for parts with the
 * name of another folder's object. All objects are given in parts. `declaredTwice` checks names
 * that both folders declare as a whole. A part also counts if only the base of the other folder
 * declares it, because the object belongs to that folder until the folder is applied.
 */
export function partsElsewhere(
  desired: readonly Desired[],
  others: readonly OtherFolder[],
  kinds: KindTable,
  dialect: Dialect,
): Diagnostic[] {
  const owners = ownersIn(others);
  if (owners.size === 0) return [];
  const asPart = (object: Desired) => asPartText(object, kinds, dialect);
  return desired.flatMap((own): Diagnostic[] => {
    const address = addressOf(own.kind, own.key);
    const owner = owners.get(address);
    if (owner === undefined || !isTaken(own, owner)) return [];
    const { folder, object, isOnlyInBase } = owner;
    const by = isOnlyInBase
      ? `by the base of ${quoted(folder)}`
      : `by ${quoted(folder)} at ${placeText(object.at)}`;
    return [
      {
        code: 'OBJECT_DUPLICATE',
        severity: 'error',
        at: own.at,
        message: `${address} is declared${asPart(own)} here, and${asPart(object)} ${by}`,
        hint: `this server stores each part as a separate object: rename ${isOnlyInBase ? `this one, or apply ${quoted(folder)} first` : 'one of the two'}`,
      },
    ];
  });
}

function ownersIn(others: readonly OtherFolder[]): ReadonlyMap<Address, Elsewhere> {
  const by = (side: 'files' | 'base') =>
    others.flatMap(other =>
      other[side].map((object): [Address, Elsewhere] => [
        addressOf(object.kind, object.key),
        { folder: other.name, object, isOnlyInBase: side === 'base' },
      ]),
    );
  return new Map([...by('base'), ...by('files')]);
}

// Whether the name of the other folder's object is taken. If only a base declares a whole object, the object may move to another
// folder.
function isTaken(own: Desired, { object, isOnlyInBase }: Elsewhere): boolean {
  if (wholeKey(own) === wholeKey(object)) return false;
  return isPart(object) || (isPart(own) && !isOnlyInBase);
}

const wholeKey = ({ key, part }: Desired) => part?.whole ?? key;

function asPartText(object: Desired, kinds: KindTable, dialect: Dialect): string {
  const { part } = object;
  const kind = kinds.get(object.kind);
  const parts = kind && partsIn(kind, dialect);
  if (!part || !parts || !isPart(object)) return '';
  return ` as ${quoted(part.item)} of the ${parts.list} of ${addressOf(object.kind, part.whole)}`;
}
