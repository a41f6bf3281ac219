// Where the values of a tree are written. Most trees are written as a whole in one document; a template or a `for_each`
// brings in trees of other places, which say so.
import type { Span } from '../../model/diagnostic.ts';
import type { Path } from '../../model/value.ts';

/** A layer of a run. */
export interface SourceLayer {
  /** Its place among the layers, from 0. */
  readonly order: number;
  /** The path of its folder from that of the last layer; '' for the last layer. */
  readonly way: string;
}

/** A document of a file, as the home of values. */
export interface Origin {
  /** The name of the file for people. */
  readonly file: string;
  /** The path of the file from the folder of desired state. */
  readonly inside: string;
  /** The index of the document in the file, from 0. */
  readonly document: number;
  /** The layer of the file, if a run has several. */
  readonly layer?: SourceLayer;
  /** Whether the file is one of grants. */
  readonly isGrant?: boolean;
  readonly span: (offset: number) => Span;
}

/** A position in the text of a document. */
export interface Place {
  readonly origin: Origin;
  readonly offset: number;
}

/** Where a tree is written, and how it came to where it is. */
export interface From {
  readonly origin: Origin;
  /** Its path in its document. */
  readonly path: Path;
  /** `object`: an object that uses other texts. `template`: a part of a template. `each`: a value of `for_each`. */
  readonly role?: 'object' | 'template' | 'each';
  /** The text in whose place a value of `for_each` is. */
  readonly asked?: Place;
  /** The position of its key, if the key is not written where the value is. */
  readonly keyPlace?: Place;
  /** The key of `for_each` that the tree was made for. */
  readonly instance?: string;
  /** The origin of the tree that was here before. */
  readonly under?: From;
}
