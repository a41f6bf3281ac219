// Texts that several objects use: an export never edits them, because it would change the other objects too.
import type { Span } from '../model/diagnostic.ts';
import type { Address } from '../model/names.ts';
import { quoted } from '../model/text/visible.ts';
import type { InexpressibleDifference } from './ownText.ts';

/** Why an export cannot edit a text, and how to declare the account's value by hand. */
export interface StuckText {
  readonly because: string;
  readonly keep: string;
  /** How to declare a new object inside the object; absent if `keep` applies to it too. */
  readonly add?: string;
}

/** A declared object that could not be changed, or a new object that could not be added to it, and why. */
export interface UnchangedObject extends Omit<StuckText, 'add'> {
  readonly address: Address;
  /** The place of the declaration that could not be changed. */
  readonly at: Span;
  /** The field that could not be changed; absent if nothing of the object could be. */
  readonly field?: string;
  /** Whether no file declares the object. */
  readonly isNew?: true;
}

/** Why the text at a place is not edited; undefined if it is the object's own text. */
export function notEditedBecause({ use }: Span): StuckText | undefined {
  if (!use) return undefined;
  return use.instances.length > 0
    ? {
        because: 'it is made by `for_each`',
        keep: 'change the values of this entry of the set, or override this one object in a later layer (`lifecycle: { override: true }`)',
        add: 'declare it in a later layer, inside an object that has only this name',
      }
    : fromTemplate('it');
}

/** The reason for a text that comes from a template. */
const fromTemplate = (what: string): StuckText => ({
  because: `${what} comes from a template`,
  keep: 'write the field into the object itself, or change the template for all that use it',
});

/** The reason for a text that comes from another layer and can only be replaced as a whole. */
const fromLayer = (what: string): StuckText => ({
  because: `${what} comes from another layer, and would be replaced as a whole`,
  keep: 'change it there, for all folders that use the layer, or write all of it into the object itself',
});

/** The reason for a text that is written as an alias. */
export const BY_ALIAS: StuckText = {
  because: 'it is written as an alias',
  keep: 'write it out in place of the alias, and export again',
};

/** The reason for an anchored text, which an alias repeats elsewhere. */
const anchored = (name: string): StuckText => ({
  because: `${name} is anchored, and used elsewhere`,
  keep: 'write the value out where the aliases are, and export again',
});

/** The reason for a value with an anchored part. */
export const ANCHORED: StuckText = anchored('it');

/** The reason for an object that another layer declares. */
export const IN_OTHER_LAYER: StuckText = {
  because: 'it is in another layer, which an export does not write',
  keep: 'edit it there, for all folders that use the layer; or override it in this folder: the same name, `lifecycle: { override: true }`, and what differs',
  add: 'declare it there, for all folders that use the layer, or in this folder inside an object that has only this name',
};

/** The reason for a difference that the own text of an object cannot express. */
export function inexpressibleBecause({
  name,
  at,
  why,
}: Omit<InexpressibleDifference, 'field'>): StuckText {
  switch (why) {
    case 'anchored':
      return anchored(name);
    case 'template':
      return fromTemplate(quoted(name));
    case 'layer':
      return fromLayer(quoted(name));
    case 'entry':
      return notEditedBecause(at) ?? BY_ALIAS;
  }
}
