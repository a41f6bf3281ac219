// What a row of the tables of consequences says. Plain data, so that whoever predicts consequences can be held against it.

/** What `POST /emulator/load` takes: by path the bodies to POST, whose ids are chosen. */
export type Load = Readonly<Record<string, readonly object[]>>;

/** A request: its method, its path and its body, where it has one. */
type Request = readonly ['POST' | 'PUT' | 'DELETE', string, object?];

/** One field that points at another object. */
export interface Pointer {
  /** The field, by the kind that has it. */
  readonly from: string;
  readonly to: string;
  readonly before: Load;
  /** A write in which the field names something that does not exist, its status, and what is read of it. */
  readonly unknown: { readonly write: Request; readonly status: number; readonly reads?: object };
  /** The deletion of what is pointed at, and its status: 200, or why it is refused. */
  readonly deletion: { readonly path: string; readonly status: number };
  /** What reads how once that is deleted, by path. */
  readonly after?: Readonly<Record<string, object>>;
  /** Where only one edition has the field. */
  readonly edition?: 'cloud';
}

/** What a write does to other objects. */
export interface Consequence {
  readonly of: string;
  readonly before: Load;
  /** Settings of the account that it depends on. */
  readonly settings?: object;
  readonly write: Request;
  /** The paths of all objects that are gone afterwards, that of the one written included. */
  readonly gone: readonly string[];
  /** What reads how afterwards, by path. */
  readonly after: Readonly<Record<string, object>>;
  readonly edition?: 'cloud';
}

/** A deletion that something else forbids. */
export interface Refused {
  readonly of: string;
  readonly before: Load;
  readonly path: string;
  readonly status: number;
  readonly edition?: 'cloud';
}
