// What encoding asks of a run: ids and fields of what it points at, and secrets, opened for the one moment they are sent.
import type { Resolve } from '../wire/encodeValue.ts';
import type { TurnContext } from './context.ts';
import { Refused, secretMissing } from './refused.ts';

/** The resolver of a turn. */
export function resolverOf({ names, openSecret }: TurnContext): Resolve {
  return {
    idOf: names.idOf,
    fieldOf: names.fieldOf,
    open: secret => {
      const value = openSecret(secret);
      if (value === null) throw secretMissing(secret.$secret);
      return value;
    },
    refuse: fault => {
      throw new Refused(fault);
    },
  };
}
