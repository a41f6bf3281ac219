// A mistake that a schema found, and the sentence about it: what the files that turn one into the other share.
import type { ErrorObject } from 'ajv';
import type { ObjectShape } from '../../kinds/kind.ts';
import type { DiagnosticCode } from '../../model/codes.ts';
import type { Path } from '../../model/value.ts';
import type { Placed } from '../yaml/document.ts';

/** An error of a schema that is a mistake of its own. */
export interface Mistake {
  readonly error: ErrorObject;
  readonly path: Path;
  readonly placed: Placed;
  /** The shape of the object of a kind in which it is. */
  readonly shape: ObjectShape | undefined;
  /** Whether the value is only wrong because of another. */
  readonly isCombination: boolean;
  /** Where the object stands in which the two do not go together. */
  readonly owner: string;
}

export interface Sentence {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The key inside the object at fault, where the fault is a key. */
  readonly key?: string;
}
