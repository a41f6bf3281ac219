// One bad input: how it is made, what is run on it, and how that must end.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import type { TestAccount } from '../support/account.ts';

/** A request to the server of a row, after it was written down. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Counts from 1, the requests that were bad included. */
  readonly number: number;
}

/** Answers a request badly, or says that the account behind answers it. */
export type BadServer = (asked: Asked) => 'as usual' | 'badly' | Promise<'as usual' | 'badly'>;

/** Where a row is run. */
export interface Place {
  /** The working directory. */
  readonly cwd: string;
  /** The account that is there. */
  readonly account: TestAccount;
  /** What was made by commands that ended well. */
  readonly good: Good;
}

/** A plan that could be applied to the account, and the journal of an apply that was cut off. */
export interface Good {
  readonly plan: string;
  readonly journal: string;
}

/** What a row is given, and what must come of it. */
export interface Row {
  readonly title: string;
  /** Files by their path below the working directory. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Links by their path, and whereto they lead. */
  readonly links?: Readonly<Record<string, string>>;
  /** What files and links cannot say. */
  readonly make?: (place: Place) => void | Promise<void>;
  readonly argv: readonly string[] | ((place: Place) => readonly string[]);
  /** Variables besides those that lead to the account; an empty text is a variable that is set to nothing. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string | ((place: Place) => string);
  /** What a person at the terminal answers. */
  readonly answer?: string;
  /** Stands between the command and the account. */
  readonly server?: BadServer;
  readonly code: number;
  /** What is said of the fault: its code, or words that only this fault has. */
  readonly says: string;
  /** What the help must mention. */
  readonly help: string;
  /** Paths below the working directory where the command may leave something. */
  readonly leaves?: readonly string[];
  /** Requests other than GET that the account may get, all of them before the fault; none by default. */
  readonly writes?: number;
  /** Writes that may be sent again after the fault, once it was seen that the account does not have them. */
  readonly repeats?: number;
  /** Secrets of this row alone. */
  readonly secrets?: readonly string[];
}

/** Writes the files and links of a row. */
export async function makeFiles(
  { files = {}, links = {}, make }: Row,
  place: Place,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(place.cwd, path)), { recursive: true });
    await writeFile(join(place.cwd, path), content);
  }
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(place.cwd, path)), { recursive: true });
    await symlink(target, join(place.cwd, path));
  }
  await make?.(place);
}
