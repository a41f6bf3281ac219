// Texts that several objects use: an export never edits them, because it would change the other objects too.
import type { Span } from '../model/diagnostic.ts';
import type { Desired } from '../model/object.ts';
import { pointer } from '../model/text/pointer.ts';
import { isObject, type Json } from '../model/value.ts';

/** Why an export cannot edit the text at a place; undefined if it is the object's own. */
export function sharedBecause({ use }: Span): string | undefined {
  if (!use) return undefined;
  return use.instances.length > 0 ? 'it is made by `for_each`' : 'it comes from a template';
}

/** A field that comes from a template, and cannot be replaced in the object's own text. */
interface SharedField {
  readonly name: string;
  readonly at: Span;
}

/** The fields among `names` that their own object cannot change: mappings merge, and nothing removes what a template has. */
export function sharedFields(
  { spans }: Desired,
  names: ReadonlySet<string>,
  valueAt: (name: string) => Json | undefined,
): SharedField[] {
  return [...names].flatMap(name => {
    const at = spans[pointer([name])];
    const value = valueAt(name);
    const isReplaced = value !== undefined && !isObject(value);
    return at?.use && !isReplaced ? [{ name, at }] : [];
  });
}
