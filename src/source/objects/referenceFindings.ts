// Checks the references between declared objects. Files alone do not show everything: an account
// may contain objects that no file declares.
import { mustBeDeclared } from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { type FoundRef, refsIn } from '../../kinds/values/refs.ts';
import { byPosition } from '../../model/byPosition.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { addressOf, idInKey, segmentsOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { pointer } from '../../model/text/pointer.ts';
import { nameInYaml } from '../../model/text/yamlText.ts';
import { quotedBriefly } from '../sentenceWords.ts';
import type { Declared } from './declared.ts';

/** How strict the check of references is. */
export interface ReferenceOptions {
  /** Whether a reference to an undeclared object is an error. */
  readonly strict: boolean;
  /** Whether all declarations are known. If not, nothing can be reported as undeclared. */
  readonly isWhole: boolean;
}

/** Findings for references to undeclared objects, one per object, and for malformed references. */
export function referenceFindings(
  declared: readonly Declared[],
  kinds: KindTable,
  { strict, isWhole }: ReferenceOptions,
): Diagnostic[] {
  const keys = new Map<KindName, Set<string>>();
  for (const { desired } of declared) {
    keys.set(desired.kind, (keys.get(desired.kind) ?? new Set()).add(desired.key));
  }
  const missing = new Map<Address, Missing>();
  const diagnostics: Diagnostic[] = [];
  for (const { desired, kind } of declared) {
    for (const ref of refsIn(kind.shape, desired.fields)) {
      const at = desired.spans[pointer(ref.path)] ?? desired.at;
      const pointed = kinds.get(ref.kind);
      const known = keys.get(ref.kind) ?? new Set();
      if (!pointed || known.has(ref.key)) continue;
      const parent = pointed.parent && kinds.get(pointed.parent);
      const fault = malformed({ key: ref.key, at }, pointed, { parent, known });
      if (fault) diagnostics.push(fault);
      else if (isWhole && mustBeDeclared(pointed, ref.key)) note(missing, pointed, ref, at);
    }
  }
  // If very many names are missing, they are not typing errors but a missing file, and comparing each of them with every name
  // would take too long.
  const isGuessed = missing.size <= MOST_SLIPS;
  for (const found of missing.values()) {
    const known = isGuessed ? keys.get(found.kind.name) : undefined;
    diagnostics.push(notDeclared(found, known ?? new Set(), strict));
  }
  return diagnostics;
}

const MOST_SLIPS = 100;

interface Missing {
  readonly kind: Kind;
  readonly key: string;
  readonly positions: Span[];
}

function note(missing: Map<Address, Missing>, kind: Kind, { key }: FoundRef, at: Span): void {
  const address = addressOf(kind.name, key as Key);
  const found = missing.get(address);
  if (found) found.positions.push(at);
  else missing.set(address, { kind, key, positions: [at] });
}

function notDeclared(
  { kind, key, positions }: Missing,
  known: ReadonlySet<string>,
  strict: boolean,
): Diagnostic {
  const [at] = [...positions].sort(byPosition);
  const uses = positions.length > 1 ? `; ${positions.length} places refer to it` : '';
  const hint = didYouMean(key, known);
  return {
    code: 'REF_NOT_DECLARED',
    severity: strict ? 'error' : 'warning',
    message: `no file declares the ${kind.noun} ${quotedBriefly(key)}${uses}`,
    ...(at && { at }),
    hint: hint ?? (strict ? DECLARE : EXISTS),
  };
}

const EXISTS =
  'declare it, or make sure that it exists in the account: `meshform plan` checks that';

const DECLARE =
  'declare it; if meshform never modifies the object, such as a group of the identity provider, declare only its name';

// The fault of a key that cannot be the key of an object of this kind. `known`: the declared keys of the kind.
function malformed(
  { key, at }: Pick<FoundRef, 'key'> & { readonly at: Span },
  kind: Kind,
  { parent, known }: { readonly parent: Kind | undefined; readonly known: ReadonlySet<string> },
): Diagnostic | null {
  const malformed = { code: 'REF_MALFORMED', severity: 'error', at } as const;
  const id = idInKey(key);
  if (id === '') {
    const message = '`id:` is not followed by an id';
    return { ...malformed, message, hint: 'write the id after the colon' };
  }
  if (id !== null || segmentsOf(key, kind.depth) !== null) return null;
  const outer = parent?.noun ?? 'parent';
  const parts = key.split('/');
  const fault =
    parts.length === 1
      ? `does not name its ${outer}`
      : parts.includes('')
        ? 'has an empty name before or after the slash'
        : 'is ambiguous';
  const message = `${quotedBriefly(key)} ${fault}`;
  const meant = [...known].filter(other => isMeant(key, segmentsOf(other, kind.depth) ?? []));
  const ways =
    meant.length > 0
      ? meant.map(other => inList(segmentsOf(other, kind.depth) ?? []))
      : waysToRead(key, outer);
  return { ...malformed, message, hint: `write ${ways.slice(0, 3).join(' or ')}` };
}

// The key may be a name without its parent, or a path whose names contain slashes.
const isMeant = (key: string, names: readonly string[]): boolean =>
  names.at(-1) === key || names.join('/') === key;

const inList = (names: readonly string[]): string => `[${names.map(nameInYaml).join(', ')}]`;

function waysToRead(key: string, outer: string): string[] {
  const parts = key.split('/').filter(part => part !== '');
  if (parts.length < 2) return [`[<${outer}>, ${nameInYaml(parts[0] ?? 'name')}]`];
  return parts
    .slice(1)
    .map((_, i) => inList([parts.slice(0, i + 1).join('/'), parts.slice(i + 1).join('/')]));
}
