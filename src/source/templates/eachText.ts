// `${each.key}`, `${each.value}` and `${each.value.port}` in a text.

import { EACH, ENTRY_NAME, NAME_END } from '../../model/text/literalText.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import type { From } from '../yaml/origin.ts';
import type { Tree } from '../yaml/tree.ts';
import type { Entry } from './entrySets.ts';
import { isMapping } from './merge.ts';

/** The entries to which texts can refer, by their name in texts: `each`, or the value of `as`. */
export type Scopes = ReadonlyMap<string, Entry>;

/** The value to which a reference leads, or a fault. */
export type LookedUp =
  | { readonly tree: Tree; readonly from: From }
  | {
      readonly fault: 'open' | 'no-scope' | 'malformed' | 'no-value';
      readonly name: string;
      readonly path: string;
    };

/** A reference in a text, as written. */
export interface EachReference {
  readonly text: string;
  readonly name: string;
  /** The part after the name: `value.port`. */
  readonly path: string;
  readonly fallback?: string;
  /** Whether the reference has no closing brace; then `text` contains only its beginning. */
  readonly isOpen?: true;
  /** Whether earlier versions of meshform treated the reference as text. */
  readonly wasText?: true;
}

/** Whether a text may contain a reference. Almost no text does. */
export const mayRefer = (text: string): boolean => text.includes('${');

/** The names and versions that decide which texts are references. */
export interface ReferenceScope {
  readonly scopes: Scopes;
  /** Whether the files are an earlier revision, which earlier versions of meshform may have read. */
  readonly isEarlier: boolean;
}

const patterns = new Map<string, RegExp>();

// `$${each.key}` is matched too, because it is an escape for the text `${each.key}`. What follows the name is optional in the
// pattern, so that a reference without a closing brace is found.
function patternOf({ scopes, isEarlier }: ReferenceScope): RegExp {
  // A name that no entry has is not treated as text: it is misspelt, or outside its `for_each`. In an earlier revision without
  // entries, only `each` is matched, as earlier versions did.
  const others = isEarlier && scopes.size === 0 ? [] : [ENTRY_NAME];
  const names = [EACH, ...scopes.keys(), ...others].join('|');
  const known =
    patterns.get(names) ?? new RegExp(String.raw`\$?\$\{(${names})${NAME_END}(?:([^{}]*)\})?`, 'g');
  patterns.set(names, known);
  return known;
}

/** A text with its references replaced, in pieces: written texts and filled-in values in turn. */
export function filledPieces(
  text: string,
  around: ReferenceScope,
  fill: (reference: EachReference) => string,
): readonly string[] {
  const pieces: string[] = [];
  let written = '';
  let end = 0;
  for (const found of text.matchAll(patternOf(around))) {
    const [match, name = '', rest] = found;
    written += text.slice(end, found.index);
    end = found.index + match.length;
    if (match.startsWith('$$')) written += match.slice(1);
    else {
      pieces.push(written, fill(referenceOf(match, name, rest)));
      written = '';
    }
  }
  pieces.push(written + text.slice(end));
  return pieces;
}

/** The first reference to a secret that begins in one piece of a text and ends in another; undefined if each is in one piece. */
export function splitSecret(pieces: readonly string[]): string | undefined {
  const text = pieces.join('');
  if (!SECRET.test(text)) return undefined;
  let length = 0;
  const ends = pieces.map(piece => {
    length += piece.length;
    return length;
  });
  // A reference in one piece ends before that piece does.
  const found = text
    .matchAll(SECRET_TO_END)
    .find(({ index, 0: match }) => index + match.length > (ends.find(end => end > index) ?? 0));
  return found?.[0];
}

/** Whether a text contains a reference without a closing brace. */
export function hasOpenReference(text: string, around: ReferenceScope): boolean {
  return text
    .matchAll(patternOf(around))
    .some(([match, , rest]) => rest === undefined && !match.startsWith('$$'));
}

/** The reference that makes up the whole text; undefined for any other text. */
export function wholeReference(text: string, around: ReferenceScope): EachReference | undefined {
  const [found] = text.matchAll(patternOf(around));
  if (found?.[0] !== text || found[2] === undefined || text.startsWith('$$')) return undefined;
  return referenceOf(text, found[1] ?? '', found[2]);
}

const SECRET = /\$\{(?:env|file|sops):/;

/**
 * A reference to a secret, up to its closing brace or the end of the text. Includes a `$` before
 * it, which makes it plain text.
 */
const SECRET_TO_END = /\$?\$\{(?:env|file|sops):[^}]*\}?/g;

/** The first reference in a text that is inside a reference to a secret. */
export function insideSecret(text: string, scopes: Scopes): string | undefined {
  if (!SECRET.test(text)) return undefined;
  const names = [EACH, ...scopes.keys()].join('|');
  // The pattern allows no brace before the inner reference, so that it can match in only one way. A
  // reference after another `$` is plain text.
  const inner = String.raw`(?<!\$)\$\{(?:env|file|sops):[^{}]*(?<!\$)(\$\{(?:${names})\b[^{}]*\})`;
  return new RegExp(inner).exec(text)?.[1];
}

function referenceOf(text: string, name: string, rest: string | undefined): EachReference {
  if (rest === undefined) return { text, name, path: '', isOpen: true, wasText: true };
  // `${each:key}` is not a reference.
  if (rest !== '' && !rest.startsWith('.')) return { text, name, path: '', wasText: true };
  const [path = '', ...fallback] = rest.slice(1).split(':-');
  return { text, name, path, ...(fallback.length > 0 && { fallback: fallback.join(':-') }) };
}

/** The value that a reference names, and where it is written. The default is ignored. */
export function lookUp({ name, path, isOpen }: EachReference, scopes: Scopes): LookedUp {
  if (isOpen) return { fault: 'open', name, path };
  const entry = scopes.get(name);
  if (!entry) return { fault: 'no-scope', name, path };
  const [first, ...steps] = path.split('.');
  if (first === 'key' && steps.length === 0) return keyOf(entry);
  if (first !== 'value') return { fault: 'malformed', name, path };
  const written = [entry.step, ...steps];
  const tree = written.reduce<Tree | undefined>(
    (at, step, i) => (i === 0 || isMapping(at) ? at?.parts?.get(step) : undefined),
    entry.home.tree,
  );
  if (!tree || (tree.value === null && !tree.isBroken)) return { fault: 'no-value', name, path };
  return { tree, from: entry.home.written(written) };
}

// The key of a mapping is not a value of the tree, so it gets the position of the key itself.
function keyOf({ key, home, step, isText }: Entry): LookedUp {
  const tree = home.tree.parts?.get(step);
  const offset = isText ? tree?.offset : (tree?.keyOffset ?? tree?.offset);
  return { tree: { value: key, offset: offset ?? 0, size: 1 }, from: home.written([step]) };
}

/** A value as a part of a text; undefined for a list or a mapping. */
export function asText({ value, written }: Tree): string | undefined {
  if (isList(value) || isObject(value as Json)) return undefined;
  // `6.10` is the number 6.1.
  return typeof value === 'number' ? (written ?? String(value)) : String(value);
}
