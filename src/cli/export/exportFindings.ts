// The messages of an export about declarations that it cannot change, that are missing in the
// account, or that it removes.
import type { Ambiguous, Comparison } from '../../export/adoption/compare.ts';
import { concerns } from '../../export/exportSelection.ts';
import { lostNames, lostParts } from '../../export/lostNames.ts';
import type { Merged } from '../../export/merge.ts';
import type { Exported } from '../../export/model.ts';
import type { Remaining } from '../../export/remainingActions.ts';
import type { RenamedShared } from '../../export/renamedShared.ts';
import type { Repair } from '../../export/repairs.ts';
import type { ShownChange } from '../../model/change.ts';
import { type Diagnostic, placeText, type Span, spanText } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { KindName, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { ExportRun } from './exportRun.ts';

/** The results of an export. */
interface Found {
  readonly compared: Comparison;
  readonly repairs: readonly Repair[];
  readonly result: Pick<Merged, 'unchanged'>;
  readonly remaining: readonly Remaining[];
  /** The changes that the next apply would have made because of the export. */
  readonly left: readonly ShownChange[];
  /** The objects that the files declared before. */
  readonly desired: readonly Desired[];
  readonly objects: readonly Exported[];
}

/** All findings about declarations. */
export function findingsOf(
  { compared, repairs, result, remaining, left, desired, objects }: Found,
  run: ExportRun,
): readonly Diagnostic[] {
  const isConcern = concerns(run.tools.kinds, run.selection);
  const said = [
    ...result.unchanged.map(unchangedFinding),
    ...compared.ambiguous.filter(one => isConcern(one.desired)).map(ambiguousFinding),
    ...repairs.flatMap(removedNote),
    ...lostNotes({ compared, repairs, desired, objects }, run),
    ...notThere(compared, repairs, run),
  ];
  const places = new Set(said.flatMap(({ at }) => (at ? spanText(at) : [])));
  const atOf = new Map(desired.map(({ kind, key, at }) => [addressOf(kind, key), at]));
  const isSaid = ({ kind, key, partOf = key }: ShownChange) => {
    const at = atOf.get(addressOf(kind, partOf));
    return at !== undefined && places.has(spanText(at));
  };
  const leftHere = new Set(left.map(({ address }) => address));
  return [
    ...said,
    ...left.map(one => leftAsItWas(one, atOf.get(addressOf(one.kind, one.partOf ?? one.key)))),
    ...remaining.flatMap(({ is }) => {
      if ('code' in is || isSaid(is) || leftHere.has(is.address)) return [];
      return unsaid(is, result.unchanged).map(differing);
    }),
    ...remaining.flatMap(({ is }) => ('code' in is ? [unclear(is)] : [])),
  ];
}

// A change without the fields that other findings already report as unchanged; undefined if no
// field remains.
function unsaid(is: ShownChange, unchanged: Found['result']['unchanged']): readonly ShownChange[] {
  const address = addressOf(is.kind, is.partOf ?? is.key);
  const said = new Set(
    unchanged.flatMap(({ address: own, field }) => (own === address ? (field ?? []) : [])),
  );
  if (said.size === 0) return [is];
  // The server keeps some items of an object as separate objects.
  if (is.type !== 'update') return is.partOf === undefined ? [is] : [];
  const fields = is.fields.filter(({ path: [field = ''] }) => !said.has(field));
  return fields.length > 0 ? [{ ...is, fields }] : [];
}

const unchangedFinding = ({
  address,
  at,
  because,
  keep,
  isNew,
}: Merged['unchanged'][number]): Diagnostic => ({
  code: 'OBJECT_STUCK',
  severity: 'warning',
  at,
  message: isNew
    ? `no file declares ${address}, and the export did not add it to the object at this place: ${because}`
    : `${address} differs from the account, and the export did not change the files: ${because}`,
  hint: `to keep what the account has, ${keep}; to undo the change in the account, run \`meshform apply\``,
});

/** The warning for a renamed object that other folders also declare. */
export function renamedElsewhere({ desired, address, now, elsewhere }: RenamedShared): Diagnostic {
  const places = elsewhere.map(
    ({ folder, object }) => `${quoted(folder)} declares it too, at ${placeText(object.at)}`,
  );
  return {
    code: 'OBJECT_STUCK',
    severity: 'warning',
    at: desired.at,
    message: `${address} is called ${quoted(now)} in the account, and the export did not change the files: ${places.join('; ')}`,
    hint: 'to keep the new name, write it here and in every other place in one commit; to undo the rename in the account, run `meshform apply`',
  };
}

function differing({ type, address, at, fields }: ShownChange): Diagnostic {
  const names = [...new Set(fields.map(({ path: [name = ''] }) => quoted(name)))].join(', ');
  const would = { create: 'create', replace: 'replace', delete: 'delete' };
  const message =
    type === 'update'
      ? `${address} still differs from the account: ${names}`
      : `the next apply would ${would[type]} ${address}`;
  return { code: 'OBJECT_STUCK', severity: 'warning', message, ...(at && { at }) };
}

function leftAsItWas({ address, fields }: ShownChange, at: Span | undefined): Diagnostic {
  const paths = fields.map(({ path }) => quoted(path.join('.'))).join(', ');
  const what = paths === '' ? address : `${paths} of ${address}`;
  return {
    code: 'OBJECT_STUCK',
    severity: 'warning',
    message: `${address} is not changed in the files: even with the values of the account, the next apply would change ${what}`,
    hint: 'edit the files by hand: a secret that somebody has set in the account needs a source here, and the next apply sends the secret',
    ...(at && { at }),
  };
}

// The finding as a warning. A plan stops or skips the object, but an export only reports it.
const unclear = (finding: Diagnostic): Diagnostic => ({ ...finding, severity: 'warning' });

/**
 * Why an object with an ambiguous name is left out: only a person can decide which live object the
 * files declare.
 */
export const sharedName = (kind: KindName, id: RemoteId, ambiguous: readonly Ambiguous[]) =>
  ambiguous.some(one => one.desired.kind === kind && one.namesakes.includes(id))
    ? 'a file declares its name, and several objects have it'
    : undefined;

function ambiguousFinding({ desired: { kind, key, at }, namesakes }: Ambiguous): Diagnostic {
  const ids = [...namesakes].sort().map(nameText).join(', ');
  return {
    code: 'OBJECT_AMBIGUOUS',
    severity: 'warning',
    at,
    message: `${addressOf(kind, key)} is declared, and ${namesakes.length} live objects have its name; the files are not changed`,
    hint: `bind it to one of them with lifecycle.id: ${ids}`,
  };
}

function removedNote({ desired: { kind, key, at }, fields, by }: Repair): Diagnostic[] {
  if (fields !== undefined) return [];
  const address = addressOf(kind, key);
  const why = by === address ? 'somebody deleted it' : `it cannot exist without ${by}`;
  const message = `${address} is removed from the files: ${why}`;
  return [{ code: 'OBJECT_NOT_THERE', severity: 'note', at, message }];
}

// The notes about missing objects. Declarations that are removed have a separate note.
function lostNotes(
  { compared, repairs, desired, objects }: Omit<Found, 'result' | 'remaining' | 'left'>,
  { tools: { kinds }, selection, dialect, became: { deleted } }: ExportRun,
): Diagnostic[] {
  const isConcern = concerns(kinds, selection);
  const removed = new Set(repairs.flatMap(one => (one.fields === undefined ? one.desired : [])));
  const staying = desired.filter(one => isConcern(one) && !removed.has(one));
  const lost = [
    ...lostParts(staying, { deleted, kinds, dialect }),
    ...lostNames(staying, objects, compared, { deleted, kinds }),
  ];
  return lost.map(({ declaration, name, at, isHeld }) => {
    const what = isHeld
      ? `${declaration} refers to ${name} by its id: somebody deleted it, and the account still refers to it`
      : `${name} is taken out of ${declaration}: somebody deleted it`;
    return { code: 'OBJECT_NOT_THERE', severity: 'note', at, message: what };
  });
}

function notThere(
  { gone, ambiguous }: Comparison,
  repairs: readonly Repair[],
  { tools, selection }: ExportRun,
): Diagnostic[] {
  const isConcern = concerns(tools.kinds, selection);
  const removed = repairs.filter(({ fields }) => fields === undefined);
  const said = new Set([...ambiguous, ...removed].map(({ desired }) => desired));
  const homes = new Set(removed.map(({ desired: { kind, key } }) => addressOf(kind, key)));
  const isWithHome = ({ kind: name, parent }: Desired) => {
    const home = tools.kinds.get(name)?.parent;
    return home !== undefined && parent !== undefined && homes.has(addressOf(home, parent));
  };
  const absent = gone.filter(
    object => !said.has(object) && !isWithHome(object) && isConcern(object),
  );
  return absent.map(({ kind, key, at }) => ({
    code: 'OBJECT_NOT_THERE',
    severity: 'warning',
    at,
    message: `${addressOf(kind, key)} is declared, but does not exist in the account; the files are not changed`,
    hint: 'remove it here if it was deleted on purpose',
  }));
}
