// Names of objects as flags accept them and hints print them: `kind/name`. The two forms of an address, `kind.name` and
// `kind["name"]`, are read as well, so that an address can be copied from a plan unchanged.
import { escapeSegment } from './key.ts';
import type { Key, KindName } from './names.ts';

/**
 * Finds a kind by a word that a person typed. Returns its name, and how many names the key of an object has (2 for a nested
 * kind).
 */
export type KindNamed = (
  word: string,
) => { readonly name: KindName; readonly depth: number } | undefined;

/** An object that a text names. */
export interface ObjectName {
  readonly kind: KindName;
  readonly key: Key;
}

/** A pattern that selects keys: the parts of a key, between which any text may stand. */
export interface ObjectPattern {
  readonly kind: KindName;
  readonly parts: readonly string[];
  /** Whether the text may also be a name without a kind: only `kind.name` looks like such a name. */
  readonly mayBeName: boolean;
}

/**
 * `kind/name`, in which a slash within a name is written `\/` and a backslash `\\`. The keys of nested objects already have this
 * form.
 */
export function objectName({ kind, key }: ObjectName, depth: number): string {
  return `${kind}/${depth === 1 ? escapeSegment(key) : key}`;
}

/** The name in the form that hints print for a flag in which `*` matches any text: a `*` in the name is written `\*`. */
export function exactPattern(object: ObjectName, depth: number): string {
  return objectName(object, depth).replaceAll('*', '\\*');
}

/** The object that a text names in one of the three forms; null if the text does not begin with a kind. */
export function objectNamed(text: string, kindNamed: KindNamed): ObjectName | null {
  const found = formOf(text, kindNamed);
  return found && { kind: found.kind, key: keyIn(found) as Key };
}

/** The pattern in a text, in which `*` matches any text; a `*` in `kind["name"]` and a `\*` in `kind/name` are literal. */
export function patternNamed(text: string, kindNamed: KindNamed): ObjectPattern | null {
  const found = formOf(text, kindNamed);
  if (found === null) return null;
  const parts = found.form === 'quoted' ? [found.rest] : found.rest.split(STAR[found.form]);
  const keys = parts.map(rest => keyIn({ ...found, rest }));
  return { kind: found.kind, parts: keys, mayBeName: found.form === 'dot' };
}

/** The canonical text `kind/key` by which objects are compared; a text that names no object is returned unchanged. */
export function canonicalName(text: string, kindNamed: KindNamed): string {
  const found = objectNamed(text, kindNamed);
  return found === null ? text : `${found.kind}/${found.key}`;
}

/** The canonical text of a name that a field may follow: `kind/name.field`, `kind.name.field`, `kind["name"].field`. */
export function canonicalFieldName(text: string, kindNamed: KindNamed): string {
  const [, object, field = ''] = QUOTED_AND_FIELD.exec(text) ?? [];
  const canonical = canonicalName(object ?? text, kindNamed);
  return canonical === object ? text : canonical + field;
}

const QUOTED_AND_FIELD = /^([^"[\]/]+\["(?:[^"\\]|\\.)*"\])([.[].*)$/s;

/** The word where the kind should be. */
export const kindWord = (text: string): string => /^[^./[]*/.exec(text)?.[0] ?? '';

interface Form {
  readonly form: 'slash' | 'dot' | 'quoted';
  readonly kind: KindName;
  readonly depth: number;
  readonly rest: string;
}

const STAR = { slash: /(?<=(?:^|[^\\])(?:\\\\)*)\*/, dot: '*' } as const;

function formOf(text: string, kindNamed: KindNamed): Form | null {
  return inQuotes(text, kindNamed) ?? afterSlash(text, kindNamed) ?? afterDot(text, kindNamed);
}

function inQuotes(text: string, kindNamed: KindNamed): Form | null {
  const [, word = '', quoted = ''] = /^([^"[\]/]+)\[(".*")\]$/s.exec(text) ?? [];
  const kind = kindNamed(word);
  const rest = kind && stringIn(quoted);
  if (kind === undefined || rest === undefined) return null;
  return { form: 'quoted', kind: kind.name, depth: kind.depth, rest };
}

function afterSlash(text: string, kindNamed: KindNamed): Form | null {
  const at = text.indexOf('/');
  const kind = at < 0 ? undefined : kindNamed(text.slice(0, at));
  return (
    (kind && { form: 'slash', kind: kind.name, depth: kind.depth, rest: text.slice(at + 1) }) ??
    null
  );
}

// The form `kind.name`. The name of a nested kind contains a dot, so the longest kind that matches counts:
// `networks.resources.a/b` is a resource.
function afterDot(text: string, kindNamed: KindNamed): Form | null {
  for (let at = text.lastIndexOf('.'); at > 0; at = text.lastIndexOf('.', at - 1)) {
    const kind = kindNamed(text.slice(0, at));
    const rest = text.slice(at + 1);
    if (kind && rest !== '') return { form: 'dot', kind: kind.name, depth: kind.depth, rest };
  }
  return null;
}

function stringIn(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted);
  } catch {
    return undefined;
  }
}

// The key in a name. Addresses contain keys unchanged. After a slash, the escapes of a key also apply to a name without a parent.
function keyIn({ form, depth, rest }: Form): string {
  if (form !== 'slash') return rest;
  if (depth === 1) return rest.replaceAll(/\\([\\/*])/g, '$1');
  return rest.replaceAll(/\\(.)/gs, (whole, character: string) => {
    if (character === '*') return '*';
    return character === '/' || character === '\\' ? whole : `\\\\${character}`;
  });
}
