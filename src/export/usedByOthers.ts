// Texts that several objects use: an export never edits them, because it would change the other objects too.
import type { Span } from '../model/diagnostic.ts';
import type { Address } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import { pointer } from '../model/text/pointer.ts';
import { isObject, type Json } from '../model/value.ts';

/** Why an export cannot edit a text, and what a person does to keep what the account has. */
interface StuckText {
  readonly because: string;
  readonly keep: string;
}

/** A declared object that could not be changed, and why. */
export interface Stuck extends StuckText {
  readonly address: Address;
  readonly at: Span;
}

/** Of the text at a place; undefined if it is the object's own. */
export function sharedBecause({ use }: Span): StuckText | undefined {
  if (!use) return undefined;
  return use.instances.length > 0
    ? {
        because: 'it is made by `for_each`',
        keep: 'change the values of this entry of the set, or override this one object in a later layer (`lifecycle: { override: true }`)',
      }
    : fromTemplate('it');
}

/** Of what comes from a template. */
export const fromTemplate = (what: string): StuckText => ({
  because: `${what} comes from a template`,
  keep: 'write the field into the object itself, or change the template for all that use it',
});

/** Of what an alias repeats. */
export const BY_ALIAS: StuckText = {
  because: 'it is written as an alias',
  keep: 'write it out in place of the alias, and export again',
};

/** Of what an alias repeats elsewhere. */
export const anchored = (names: readonly string[]): StuckText => ({
  because: `${names.join(', ')} is anchored, and used elsewhere`,
  keep: 'write the value out where the aliases are, and export again',
});

/** Of what another layer declares. */
export const IN_OTHER_LAYER: StuckText = {
  because: 'it is in another layer, which an export does not write',
  keep: 'edit it there, for all folders that use the layer; or override it in this folder: the same name, `lifecycle: { override: true }`, and what differs',
};

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
