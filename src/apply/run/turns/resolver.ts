// The data that encoding needs from a run: ids and fields of referenced objects, and secrets.
// Secrets are opened just before they are sent.
import { present } from '../../../model/errors.ts';
import { secretsIn } from '../../../model/secrets/secret.ts';
import type { Fields } from '../../../model/value.ts';
import type { Resolve } from '../../../wire/encodeValue.ts';
import { Refused } from '../refused.ts';
import type { TurnContext } from './context.ts';

/**
 * The resolver for sending `fields`. Throws a `Refused` if a secret in the fields cannot be opened.
 */
export async function resolverFor(
  fields: Fields,
  { names, openSecret }: Pick<TurnContext, 'names' | 'openSecret'>,
): Promise<Resolve> {
  const opened = new Map<string, string>();
  for (const { secret } of secretsIn(fields)) {
    const value = await openSecret(secret);
    if (typeof value !== 'string') throw new Refused(value);
    opened.set(secret.$secret, value);
  }
  return {
    idOf: names.idOf,
    fieldOf: names.fieldOf,
    open: ({ $secret }) => present(opened.get($secret), `what ${$secret} is`),
    refuse: fault => {
      throw new Refused(fault);
    },
  };
}
