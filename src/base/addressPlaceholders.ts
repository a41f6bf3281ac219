// Keeps people from finding out a secret address by guessing. Once a reference in the files stands for an address of the account,
// no other text in the files is compared with that address. Otherwise somebody who may write a file could declare many guesses
// and see which one the account has. Declarations with another text are compared by a placeholder, but sent with their own
// address.
import type { KindTable } from '../kinds/kind.ts';
import { hasHidden, hiddenPaths, mapHidden, secretsAtHidden } from '../kinds/values/hidden.ts';
import type { Desired, HiddenSources, Live } from '../model/object.ts';
import {
  isHosted,
  type Mark,
  markOfRecorded,
  markOfWritten,
  recordedMark,
  saltIn,
} from '../model/secrets/hostedSecret.ts';
import { compareTexts } from '../model/text/compareTexts.ts';
import type { Fields } from '../model/value.ts';
import { expand, referencesIn } from '../source/values/reference.ts';
import { recognised } from './recognisedAddresses.ts';

/** Everything in a run that has addresses. */
export interface Addresses {
  readonly kinds: KindTable;
  readonly live: readonly Pick<Live, 'kind' | 'fields'>[];
  /** What the files declare. */
  readonly desired: readonly Desired[];
  /** What the files of other folders declare. */
  readonly elsewhere: readonly Desired[];
  /** The objects of all bases; an object that came from a base contains marks. */
  readonly former: readonly Desired[];
  readonly mark: Mark | undefined;
}

/** The text in a file that an address comes from; undefined if the file contains the address itself. */
type Written = string | undefined;

/** The text that the bases record for an address. */
interface Claims {
  /** Whether the recorded text is this text. */
  readonly has: (text: Written) => boolean;
  /** Whether the recorded text is a reference. */
  readonly isReference: boolean;
}

/**
 * The declared objects, with a placeholder for every address that belongs to another text. A placeholder is equal to no address.
 */
export function withAddressPlaceholders(
  addresses: Addresses,
): (objects: readonly Desired[]) => readonly Desired[] {
  const { kinds, live, desired, elsewhere, former, mark } = addresses;
  const opened = recognised({ kinds, live, desired, mark }).withAddresses(former);
  const placed = desired.flatMap(object => placedIn(object, kinds));
  const known = new Set([...live, ...opened].flatMap(object => valuesIn(object, kinds)));
  const declared = [...desired, ...elsewhere].flatMap(object => valuesIn(object, kinds));
  const texts = Map.groupBy(
    placed.filter(({ value }) => known.has(value)),
    ({ value }) => value,
  );
  const claimsOf = claimsIn(addresses);
  const placeholders = placeholdersFor(known.union(new Set(declared)));
  const decided = new Map<string, (text: Written) => boolean>();
  const decide = (value: string) => {
    const inFiles = (texts.get(value) ?? []).map(({ text }) => text);
    return claimant(claimsOf(value), inFiles, value);
  };
  const isClaimant = (value: string, text: Written): boolean => {
    if (!known.has(value)) return true;
    const decision = decided.get(value) ?? decide(value);
    decided.set(value, decision);
    return decision(text);
  };
  return objects =>
    objects.map(object => {
      const others = placedIn(object, kinds).filter(({ value, text }) => !isClaimant(value, text));
      if (others.length === 0) return object;
      return withOthers(
        object,
        kinds,
        new Map(others.map(({ value }) => [value, placeholders(value)])),
      );
    });
}

// Finds the text to which an address belongs: the text in a base, otherwise the text in the files that reveals least of the
// address.
function claimant(
  claims: Claims | undefined,
  inFiles: readonly Written[],
  value: string,
): (text: Written) => boolean {
  if (claims?.isReference === true) return claims.has;
  if (claims !== undefined && inFiles.some(claims.has)) return claims.has;
  const references = inFiles.filter(text => text !== undefined);
  if (references.length === 0) return () => true;
  const [first] = references.toSorted((one, other) => {
    const own = saidIn(one, value);
    const its = saidIn(other, value);
    return own.kind - its.kind || own.length - its.length || compareTexts(one, other);
  });
  return text => text === first;
}

// How much of an address the author of a text knows: all of it if the defaults of the references give the address, and possibly
// all of it if the text refers to a file in the folder.
function saidIn(text: string, value: string): { readonly kind: number; readonly length: number } {
  const references = referencesIn(text);
  const isByDefault = expand(text, ({ fallback = '' }) => fallback) === value;
  const isInFolder = references.some(({ source }) => source === 'file' || source === 'sops');
  return { kind: isByDefault ? 2 : isInFolder ? 1 : 0, length: expand(text, () => '').length };
}

function claimsIn({ kinds, former, mark }: Addresses): (value: string) => Claims | undefined {
  const texts = new Map<string, Set<Written>>();
  for (const { value, text } of former.flatMap(object => placedIn(object, kinds)))
    texts.set(value, (texts.get(value) ?? new Set()).add(text));
  const marks = new Set(former.flatMap(object => marksIn(object, kinds)));
  const salts = new Set([...marks].map(saltIn));
  return value => {
    const own = texts.get(value) ?? new Set<Written>();
    const recorded = mark ? recordedFor(value, { marks, salts, mark }) : new Set<string>();
    const early = mark ? [mark(value), markOfWritten(mark)(value)] : [];
    // Earlier versions recorded no text.
    const isEarly = early.some(one => marks.has(one));
    if (own.size + recorded.size === 0 && !isEarly) return undefined;
    const isRecorded = (text: Written) =>
      mark !== undefined && recorded.has(markOfRecorded(mark, text, value));
    const literal = mark ? markOfRecorded(mark, undefined, value) : undefined;
    return {
      has: text => isEarly || own.has(text) || isRecorded(text),
      isReference:
        [...own].some(text => text !== undefined) || [...recorded].some(one => one !== literal),
    };
  };
}

function recordedFor(
  value: string,
  {
    marks,
    salts,
    mark,
  }: {
    readonly marks: ReadonlySet<string>;
    readonly salts: ReadonlySet<string | undefined>;
    readonly mark: Mark;
  },
): ReadonlySet<string> {
  const possible = [...salts].flatMap(salt =>
    salt === undefined ? [] : [recordedMark(mark, salt, value)],
  );
  return new Set(possible.filter(one => marks.has(one)));
}

function marksIn({ kind: name, fields }: Desired, kinds: KindTable): readonly string[] {
  const kind = kinds.get(name);
  if (kind === undefined || !hasHidden(kind)) return [];
  return secretsAtHidden(kind.shape, fields).flatMap(({ secret }) =>
    isHosted(secret) && secret.$digest !== undefined ? [secret.$digest] : [],
  );
}

function placedIn(
  object: Desired,
  kinds: KindTable,
): readonly { readonly value: string; readonly text: Written }[] {
  return valuesIn(object, kinds).map(value => ({ value, text: object.hidden?.written.get(value) }));
}

function valuesIn(
  { kind: name, fields }: Pick<Desired, 'kind' | 'fields'>,
  kinds: KindTable,
): readonly string[] {
  const kind = kinds.get(name);
  if (kind === undefined || !hasHidden(kind)) return [];
  return hiddenPaths(kind.shape, fields).map(({ text }) => text);
}

// Returns a function that makes placeholders. A text that is already an address is never used, so a file cannot contain a
// placeholder.
function placeholdersFor(taken: ReadonlySet<string>): (value: string) => string {
  const made = new Map<string, string>();
  return value => {
    let placeholder = made.get(value) ?? `${value}#`;
    while (taken.has(placeholder)) placeholder += '#';
    made.set(value, placeholder);
    return placeholder;
  };
}

function withOthers(
  object: Desired,
  kinds: KindTable,
  placeholders: ReadonlyMap<string, string>,
): Desired {
  const shape = kinds.get(object.kind)?.shape;
  const { hidden } = object;
  const changed = mapHidden(shape, object.fields, text => placeholders.get(text) ?? text) as Fields;
  const renamed = (known: ReadonlyMap<string, string>) =>
    new Map([...known].map(([value, text]) => [placeholders.get(value) ?? value, text] as const));
  const own: HiddenSources = {
    sources: renamed(hidden?.sources ?? new Map()),
    unread: hidden?.unread ?? new Map(),
    written: renamed(hidden?.written ?? new Map()),
    places: hidden?.places ?? new Map(),
    placeholders: new Map(
      [...placeholders].map(([value, placeholder]) => [placeholder, value] as const),
    ),
  };
  return { ...object, fields: changed, hidden: own };
}
