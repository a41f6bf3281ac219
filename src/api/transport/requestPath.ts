// The path and query of a request, from an operation and the values it is called with.
import type { Operation } from '../../contract/index.ts';
import type { Dialect } from '../../kinds/traits.ts';
import { ApiError } from '../../model/errors.ts';
import { quoted } from '../../model/text/visible.ts';

/** What a request says outside its body. */
export interface RequestValues {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** The path with its values filled in, and the query. Throws an `ApiError` for a value that would lead elsewhere. */
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

/** Why a text cannot stand for a part of a path; null where it can. */
export function pathValueFault(text: string): string | null {
  if (text === '') return 'is empty';
  // Addresses are resolved before they are sent: with one of these the request would go to the path above.
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
