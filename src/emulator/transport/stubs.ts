// Responses for paths outside the contract, which the user of the emulator configures, because other clients call more paths.
import { pathTable } from '../../contract/index.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import type { Answer } from '../request/answer.ts';
import type { RawRequest } from './request.ts';

/** The response to a request. The path may have placeholders, such as `{id}`. */
export interface Stub {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Absent for a response without a body. */
  readonly body?: Json;
}

/** Thrown for invalid stubs, and for stubs that could never be used. */
export class UnusableStubs extends Error {
  override readonly name = 'UnusableStubs';
}

/** The form of a stub in JSON. */
export const STUB_EXAMPLE = '{ "method": "GET", "path": "/api/x", "status": 200, "body": {} }';

const FIELDS = ['method', 'path', 'status', 'body'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

/** The stubs in a JSON value. Throws `UnusableStubs` with a sentence if the value is not a list of stubs. */
export function readStubs(json: Json): readonly Stub[] {
  if (!isList(json)) throw new UnusableStubs('stubs are a list of objects');
  return json.map((one, index) => {
    const wrong = (what: string) => new UnusableStubs(`stub ${index + 1}: ${what}`);
    if (!isObject(one)) throw wrong('it must be an object');
    const stray = Object.keys(one).find(name => !FIELDS.includes(name));
    if (stray !== undefined)
      throw wrong(`unknown field ${stray}; the fields are ${FIELDS.join(', ')}`);
    const { method, path, status, body } = one;
    if (typeof method !== 'string' || !METHODS.includes(method))
      throw wrong(`method must be one of ${METHODS.join(', ')}`);
    if (typeof path !== 'string' || !path.startsWith('/') || path.startsWith('/emulator/'))
      throw wrong('path must begin with a slash, and not with /emulator/');
    if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
      throw wrong('status must be a whole number from 200 to 599');
    return { method, path, status, ...(body === undefined ? {} : { body }) };
  });
}

/** The response of a stub to a request that nothing else handles. Throws if the emulator `has` the operation of a stub. */
export function newStubs(
  stubs: readonly Stub[],
  has: (method: string, path: string) => boolean,
): (raw: Pick<RawRequest, 'method' | 'path'>) => Answer | undefined {
  const shadowed = stubs.find(({ method, path }) => has(method, path));
  if (shadowed !== undefined)
    throw new UnusableStubs(
      `${shadowed.method} ${shadowed.path} is an operation of the emulator; stubs are for paths that it does not have`,
    );
  const [first, second] = sameTwice(stubs);
  if (first !== undefined && second !== undefined)
    throw new UnusableStubs(
      `stub ${first + 1} and stub ${second + 1} are both for ${stubs[second]?.method} ${stubs[second]?.path}`,
    );
  const table = pathTable(stubs.map(value => ({ ...value, value })));
  return ({ method, path }) => {
    const match = table(method, path);
    if (match.found !== 'entry') return undefined;
    const { status, body } = match.value;
    return body === undefined ? { status, text: '' } : { status, body, ordered: 'everywhere' };
  };
}

// The positions of two stubs for the same requests, regardless of the names of their placeholders.
function sameTwice(stubs: readonly Stub[]): readonly number[] {
  const nameOf = ({ method, path }: Stub) => `${method} ${path.replaceAll(/\{[^}/]*\}/g, '{}')}`;
  const groups = Map.groupBy(stubs.entries(), ([, stub]) => nameOf(stub));
  const twice = [...groups.values()].find(entries => entries.length > 1) ?? [];
  return twice.map(([place]) => place);
}
