// Objects that two folders declare. If another folder declares a group or a parent, a folder may declare only its name, members
// and children. Everything else must be declared in one folder only.
import { formerKeys } from '../kinds/identity/formerKeys.ts';
import { namingFields } from '../kinds/identity/identity.ts';
import type { KindTable } from '../kinds/kind.ts';
import { sharedSets } from '../kinds/values/sharedSets.ts';
import type { Diagnostic, Severity } from '../model/diagnostic.ts';
import { addressOf } from '../model/key.ts';
import type { KindName } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type { OtherFolder } from '../model/otherFolder.ts';
import { shellWord } from '../model/text/shellWord.ts';
import { quoted } from '../model/text/visible.ts';
import { exactName } from './recognisedAddresses.ts';

/** The findings for objects of these files that another folder's files declare too; errors by default. */
export function declaredTwice(
  desired: readonly Desired[],
  others: readonly OtherFolder[],
  kinds: KindTable,
  severity: Severity = 'error',
): Diagnostic[] {
  if (others.length === 0) return [];
  const elsewhere = new Map(
    // An object that somebody moves between folders counts as declared by both until the move is committed.
    others.flatMap(({ name, files, isCommitted }) =>
      isCommitted ? [] : files.map(object => [nameOf(object, kinds), { name, object }] as const),
    ),
  );
  return desired.flatMap((own): Diagnostic[] => {
    const other = elsewhere.get(nameOf(own, kinds));
    const hint = other && hintForBoth(own, other, kinds);
    if (other && hint !== undefined) {
      const sentence = `${addressOf(own.kind, own.key)} is declared here, and`;
      return [duplicate(own, other, { sentence, hint, severity })];
    }
    const taken = formerNames(own, kinds).flatMap(name => elsewhere.get(name) ?? []);
    return taken.slice(0, 1).map(one =>
      duplicate(own, one, {
        sentence: `${addressOf(own.kind, own.key)} would rename an object declared`,
        hint: renameHint(own, one, kinds),
        severity,
      }),
    );
  });
}

// What to do about two declarations; undefined if the folders may share the object.
function hintForBoth(own: Desired, other: Elsewhere, kinds: KindTable): string | undefined {
  if (isSamePlace(own, other)) return hintOfSamePlace(other);
  return mayShare(own, other.object, kinds) ? undefined : hintFor(own, other, kinds);
}

interface Elsewhere {
  readonly name: string;
  readonly object: Desired;
}

function duplicate(
  { at }: Desired,
  { name, object }: Elsewhere,
  {
    sentence,
    hint,
    severity,
  }: { readonly sentence: string; readonly hint: string; readonly severity: Severity },
): Diagnostic {
  const { file, line, column } = object.at;
  return {
    code: 'OBJECT_DUPLICATE',
    severity,
    at,
    message: `${sentence} by ${quoted(name)} at ${file}:${line}:${column}`,
    hint,
  };
}

// Whether two declarations are the same text, because a base was recorded for a file of the folder, or for a folder inside it.
const isSamePlace = ({ at }: Desired, { object }: Elsewhere): boolean =>
  at.file === object.at.file && at.line === object.at.line && at.column === object.at.column;

const hintOfSamePlace = ({ name }: Elsewhere): string =>
  `both bases read this file: forget the base of ${quoted(name)} with \`meshform base forget ${shellWord(name)} FOLDER\``;

// The parts of an object that folders can share: children of a parent, and members of sets.
function partsOf(name: KindName, kinds: KindTable): readonly string[] {
  const isParent = [...kinds.values()].some(({ parent }) => parent === name);
  return [
    ...(sharedSets(kinds.get(name)).length > 0 ? ['its members'] : []),
    ...(isParent ? ['its children'] : []),
  ];
}

const REMOVE = 'remove it from one of the two folders';

function hintFor(own: Desired, { name, object }: Elsewhere, kinds: KindTable): string {
  const parts = partsOf(own.kind, kinds);
  if (parts.length === 0) return REMOVE;
  const { delete: isDeleted, until, exact = [] } = own.lifecycle;
  if (isDeleted)
    return `remove it from ${quoted(name)} first; to remove only the members that this folder declares, remove it here`;
  if (until !== undefined)
    return `remove \`lifecycle.until\`, and write the ends of its own members as \`{ name: NAME, until: ${until} }\`; or declare it in one folder`;
  if (exact.length > 0) return 'remove `lifecycle.exact`, or declare it in one folder';
  if (isOwned(object)) return `remove it here, or \`lifecycle\` in ${quoted(name)}`;
  return `declare it in one folder; the other may write only ${['its name', ...parts].join(' and ')}`;
}

const renameHint = ({ kind }: Desired, { name }: Elsewhere, kinds: KindTable): string =>
  partsOf(kind, kinds).length === 0
    ? REMOVE
    : `write the new name in ${quoted(name)} too, in the same commit and without \`was\`, and apply this folder first`;

function formerNames(
  { kind: name, parent, lifecycle: { was } }: Desired,
  kinds: KindTable,
): string[] {
  const kind = kinds.get(name);
  return kind && was !== undefined
    ? formerKeys(kind, parent, was).map(key => addressOf(name, key))
    : [];
}

/**
 * A note for each base whose folder no longer has files: objects that only this base declares are kept until somebody decides.
 */
export function basesWithoutFolder(others: readonly OtherFolder[]): Diagnostic[] {
  return others.flatMap(({ name, isGone, heldBy }): Diagnostic[] =>
    isGone
      ? [
          {
            code: 'BASE_WITHOUT_FOLDER',
            severity: 'note',
            message: `${quoted(name)} has a base, but ${heldBy === undefined ? 'no files' : `its files belong to ${quoted(heldBy)} now`}: its objects stay in the account`,
            hint: `take over the base and delete what is not declared: \`meshform base adopt ${shellWord(name)} FOLDER\`; or leave its objects in the account for good, without its guards: \`meshform base forget ${shellWord(name)} FOLDER\``,
          },
        ]
      : [],
  );
}

// Objects that share a name differ in their addresses.
const nameOf = (object: Desired, kinds: KindTable): string =>
  exactName(object, kinds, 'desired') ?? addressOf(object.kind, object.key);

function mayShare(one: Desired, other: Desired, kinds: KindTable): boolean {
  return ![one, other].some(isOwned) && [one, other].some(object => isContribution(object, kinds));
}

// Whether a declaration decides about the whole object, or about a whole set of members.
const isOwned = ({ lifecycle: { delete: isDeleted, until, exact = [] } }: Desired): boolean =>
  isDeleted === true || until !== undefined || exact.length > 0;

/** Whether a declaration contains only the name of an object and members of sets to which several folders may add members. */
export function isContribution(
  { kind: name, fields, lifecycle }: Desired,
  kinds: KindTable,
): boolean {
  const kind = kinds.get(name);
  if (kind === undefined || Object.keys(lifecycle).length > 0) return false;
  const naming = new Set(namingFields(kind));
  return Object.keys(fields).every(
    field => naming.has(field) || kind.shape.fields.get(field)?.shared === true,
  );
}
