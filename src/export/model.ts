// What an account holds, in the words of files: objects in the order in which they are written, and what is left out.
import type { Kind } from '../kinds/kind.ts';
import type { KindName, RemoteId } from '../model/names.ts';
import type { Fields } from '../model/value.ts';

/** One live object as a file declares it. */
export interface Exported {
  readonly kind: Kind;
  readonly id: RemoteId;
  /** What people call it: its name within its parent, or its id where it has none. */
  readonly name: string;
  /** As they are written: pointers by name, secrets as where they come from, defaults left out. */
  readonly fields: Fields;
  /** Whether only its id tells it apart, so that it has to be bound to it. */
  readonly isBound: boolean;
  /** Sentences that a reader of the file should see beside it. */
  readonly notes: readonly string[];
  readonly children: readonly Exported[];
  /** The objects that it declares, each in a part of it, where it declares several. */
  readonly joined?: readonly Exported[];
}

/** A live object that no file can declare, and why not. */
export interface LeftOut {
  readonly kind: KindName;
  readonly id: RemoteId;
  readonly name: string;
  /** Completes "… is left out: ". */
  readonly because: string;
}

/** All that an export says. */
export interface ExportModel {
  /** Without a parent, by kind and name. */
  readonly objects: readonly Exported[];
  readonly leftOut: readonly LeftOut[];
}

/** Every object of a model, parents before their children. */
export function everyObject(objects: readonly Exported[]): readonly Exported[] {
  return objects.flatMap(object => [object, ...everyObject(object.children)]);
}

/** The model without the objects that `because` gives a reason for, and without what nests in them. */
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
