// The accounts that a token can use besides its own account.

import type { Kind } from '../../kinds/kind.ts';
import { ApiError } from '../../model/errors.ts';
import type { Tenant } from '../../model/fleet.ts';
import { quoted } from '../../model/text/visible.ts';
import type { ReadTransport } from '../transport/transport.ts';
import { listObjects } from './objectClient.ts';

/**
 * All tenants, from the objects of a kind that represent accounts. Throws an `ApiError` for an object without an id or a name.
 */
export async function tenantsBehind(
  transport: ReadTransport,
  kind: Kind,
): Promise<readonly Tenant[]> {
  const listed = await listObjects(transport, kind);
  return listed.map(({ id, body }) => {
    const fields = Object.fromEntries(
      Object.entries(body).flatMap(([field, value]) =>
        typeof value === 'string' ? [[field, value]] : [],
      ),
    );
    const name = fields[kind.accountNamedBy ?? ''];
    if (name === undefined || id === '') throw unnamed(kind);
    return { id, name, fields };
  });
}

const unnamed = ({ path, accountNamedBy }: Kind): ApiError =>
  new ApiError({
    code: 'API_BAD_ANSWER',
    request: { method: 'GET', path },
    message: `the response to GET ${path} has an account without ${quoted(accountNamedBy ?? '')}`,
    retryable: false,
    mayHaveHappened: false,
  });
