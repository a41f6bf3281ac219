// A mistake that a schema found, and the sentence about it: the types that the files of this folder share.
import type { ErrorObject } from 'ajv';
import type { ObjectShape } from '../../kinds/kind.ts';
import type { DiagnosticCode } from '../../model/codes.ts';
import type { Path } from '../../model/value.ts';
import type { SourceNode } from '../yaml/node.ts';

/** A schema error that does not follow from another error. */
export interface Mistake {
  readonly error: ErrorObject;
  readonly path: Path;
  readonly node: SourceNode;
  /** The shape of the object that contains the value, if the object is of a kind. */
  readonly shape: ObjectShape | undefined;
  /** Whether the value is wrong only because of another value. */
  readonly isCombination: boolean;
  /** The path of the object in which the two values exclude each other. */
  readonly owner: string;
}

export interface Sentence {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The key inside the object, if the fault is a key. */
  readonly key?: string;
}
