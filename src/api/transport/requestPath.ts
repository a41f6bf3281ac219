// Builds the path and query of a request from an operation and its parameters.
import type { Operation } from '../../contract/index.ts';
import type { Dialect } from '../../kinds/traits.ts';
import { ApiError } from '../../model/errors.ts';
import { quoted } from '../../model/text/visible.ts';

/** The parameters of a request outside its body. */
export interface RequestValues {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** The path with its parameters, and the query. Throws an `ApiError` for a value that would change the path. */
export function requestPath(
  operation: Operation,
  { params = {}, query = {} }: RequestValues,
  dialect: Dialect,
): string {
  const template = (dialect === 'netbird' && operation.netbirdPath) || operation.path;
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(params[name] ?? '');
    const fault = pathValueFault(text);
    if (fault !== null) throw neverSent(operation, `${name} ${fault}`);
    return encodeURIComponent(text.toWellFormed());
  });
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  return asked.length === 0 ? path : `${path}?${asked.join('&')}`;
}

/** Why a text cannot be a part of a path; null if it can. */
export function pathValueFault(text: string): string | null {
  if (text === '') return 'is empty';
  // URLs are normalised before they are sent, so such a value would change the path to its parent.
  return text === '.' || text === '..' ? `cannot be ${quoted(text)}` : null;
}

function neverSent({ id, method, path }: Operation, why: string): ApiError {
  return new ApiError({
    code: 'API_INVALID',
    request: { method, path },
    message: `${id} was not sent: ${why}`,
    retryable: false,
    mayHaveHappened: false,
  });
}
