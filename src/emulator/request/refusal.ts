// A refusal: a status and a message (docs/server-behaviour.md#errors). Handlers throw it, so that their writes are rolled back.
import type { Environment } from '../environment.ts';

/** A refused request, and the reason. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Whether the message keeps its capitals. The server writes most messages, and the names in them, in lower case. */
  readonly verbatim: boolean;

  constructor(status: number, message: string, verbatim = false) {
    super(message);
    this.status = status;
    this.verbatim = verbatim;
  }
}

/** The error for a request that the server answers by closing the connection. */
export class DroppedConnection extends Error {
  override readonly name = 'DroppedConnection';
}

// A function for each status that handlers use.
export const malformed = (): Refusal => new Refusal(400, "couldn't parse JSON request", true);
export const impossible = (message: string): Refusal => new Refusal(400, message, true);
export const unauthenticated = (message: string): Refusal => new Refusal(401, message);
export const denied = (message: string): Refusal => new Refusal(403, message);
export const notFound = (what: string, id: string): Refusal =>
  new Refusal(404, `${what}: ${id} not found`);
export const conflict = (message: string): Refusal => new Refusal(409, message);
export const precondition = (message: string): Refusal => new Refusal(412, message);
export const tooLarge = (bytes: number): Refusal =>
  new Refusal(413, `the body is larger than ${bytes} bytes`);
export const invalid = (message: string): Refusal => new Refusal(422, message);
export const tooMany = (message: string): Refusal => new Refusal(429, message);
export const internalError = (): Refusal => new Refusal(500, 'internal server error');

/** The given refusal, or the 500 that dialect `netbird` sends instead (docs/server-behaviour.md#errors). */
export function mishandled(environment: Environment, refusal: Refusal): Refusal {
  return environment.behaviour.mistakes === 'internal errors' ? internalError() : refusal;
}
