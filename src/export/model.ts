// The content of an account as files declare it: objects in the order of writing, and omitted objects.
import type { Kind } from '../kinds/kind.ts';
import type { KindName, RemoteId } from '../model/names.ts';
import type { Fields } from '../model/value.ts';

/** One live object as a file declares it. */
export interface Exported {
  readonly kind: Kind;
  readonly id: RemoteId;
  /** The name for people: the name within its parent, or its id without a name. */
  readonly name: string;
  /** The fields as written: references by name, secrets as references, without defaults. */
  readonly fields: Fields;
  /** Whether the object is identified by its id alone, and must be bound by it. */
  readonly isBound: boolean;
  /** Comments for readers of the file. */
  readonly notes: readonly string[];
  readonly children: readonly Exported[];
  /** The live objects of a declaration, if it has several parts. */
  readonly joined?: readonly Exported[];
}

/** A live object, or one of its values, that no file can declare, and why. */
export interface LeftOut {
  readonly kind: KindName;
  readonly id: RemoteId;
  readonly name: string;
  /** The field, if the object is declared without it. */
  readonly field?: string;
  /** Completes "… is left out: ". */
  readonly because: string;
}

/** The whole content of an export. */
export interface ExportModel {
  /** Objects without a parent, by kind and name. */
  readonly objects: readonly Exported[];
  /** Objects that are not declared, and fields that a declaration lacks. */
  readonly leftOut: readonly LeftOut[];
}

/** Every object of a model, parents before their children. */
export function everyObject(objects: readonly Exported[]): readonly Exported[] {
  return objects.flatMap(object => [object, ...everyObject(object.children)]);
}

/** The model without the objects for which `because` gives a reason, and without their children. */
export function without(
  { objects, leftOut }: ExportModel,
  because: (object: Exported) => string | undefined,
): ExportModel {
  const more: LeftOut[] = [];
  const keep = (object: Exported, outer: string | undefined): Exported[] => {
    const reason = because(object) ?? outer;
    const inner = reason === undefined ? undefined : 'its parent is left out';
    const children = object.children.flatMap(child => keep(child, inner));
    if (reason === undefined) return [{ ...object, children }];
    more.push({ kind: object.kind.name, id: object.id, name: object.name, because: reason });
    return [];
  };
  const kept = objects.flatMap(object => keep(object, undefined));
  return { objects: kept, leftOut: [...leftOut, ...more] };
}
