// Objects that two folders declare. A folder may write only the name, the members and the children of a group or a parent that another
// folder has; everything else is declared once.
import { namingFields } from '../kinds/identity/identity.ts';
import type { KindTable } from '../kinds/kind.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { addressOf } from '../model/key.ts';
import type { Desired } from '../model/object.ts';
import type { OtherFolder } from '../model/otherFolder.ts';
import { quoted } from '../model/text/visible.ts';
import { exactName } from './recognise.ts';

/** The errors for objects of these files that the files of another folder declare too. */
export function declaredTwice(
  desired: readonly Desired[],
  others: readonly OtherFolder[],
  kinds: KindTable,
): Diagnostic[] {
  if (others.length === 0) return [];
  const elsewhere = new Map(
    others.flatMap(({ name, files }) =>
      files.map(object => [nameOf(object, kinds), { name, object }] as const),
    ),
  );
  return desired.flatMap((own): Diagnostic[] => {
    const address = addressOf(own.kind, own.key);
    const other = elsewhere.get(nameOf(own, kinds));
    if (other === undefined || mayShare(own, other.object, kinds)) return [];
    const { file, line, column } = other.object.at;
    return [
      {
        ...{ code: 'OBJECT_DUPLICATE', severity: 'error', at: own.at },
        message: `${address} is declared here, and by ${quoted(other.name)} at ${file}:${line}:${column}`,
        hint: 'declare it in one folder; the other may write only its name, its members and its children',
      },
    ];
  });
}

// Objects that share a name are told apart by their addresses.
const nameOf = (object: Desired, kinds: KindTable): string =>
  exactName(object, kinds, 'desired') ?? addressOf(object.kind, object.key);

function mayShare(one: Desired, other: Desired, kinds: KindTable): boolean {
  const exact = [one, other].some(({ lifecycle }) => (lifecycle.exact ?? []).length > 0);
  return !exact && [one, other].some(object => isContribution(object, kinds));
}

// Only its name, and members of sets of which others own members too.
function isContribution({ kind: name, fields, lifecycle }: Desired, kinds: KindTable): boolean {
  const kind = kinds.get(name);
  if (kind === undefined || Object.keys(lifecycle).length > 0) return false;
  const naming = new Set(namingFields(kind));
  return Object.keys(fields).every(
    field => naming.has(field) || kind.shape.fields.get(field)?.shared === true,
  );
}
