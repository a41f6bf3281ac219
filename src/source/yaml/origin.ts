// The origins of the values of a tree. Most trees are written as a whole in one document. Trees that a template or a `for_each`
// brings in carry their own origin.
import type { Span } from '../../model/diagnostic.ts';
import type { Path } from '../../model/value.ts';

/** A layer of a run. */
export interface SourceLayer {
  /** Its place among the layers, from 0. */
  readonly order: number;
  /** The path from the folder of the last layer to the folder of this layer; '' for the last layer. */
  readonly fromLastLayer: string;
}

/** A document of a file, in which values are written. */
export interface Origin {
  /** The name of the file for people. */
  readonly file: string;
  /** The path of the file from the folder of desired state. */
  readonly inside: string;
  /** The index of the document in the file, from 0. */
  readonly document: number;
  /** The layer of the file, if a run has several. */
  readonly layer?: SourceLayer;
  /** Whether it is a file of grants. */
  readonly isGrant?: boolean;
  readonly span: (offset: number) => Span;
}

/** A position in the text of a document. */
export interface Place {
  readonly origin: Origin;
  readonly offset: number;
}

/** Where a tree is written, and how it reached its current place. */
export interface From {
  readonly origin: Origin;
  /** Its path in its document. */
  readonly path: Path;
  /** `object`: an object that uses other texts. `template`: a part of a template. `each`: a value of `for_each`. */
  readonly role?: 'object' | 'template' | 'each';
  /** The text that a value of `for_each` replaces. */
  readonly asked?: Place;
  /** The position of the key of the tree; absent if the key is written beside the value. */
  readonly keyPlace?: Place;
  /** The key of the `for_each` entry for which the tree was made. */
  readonly instance?: string;
  /** The origin of the tree that this one replaced. */
  readonly replacedOrigin?: From;
}
