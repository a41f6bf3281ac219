// Findings for declared objects that cannot be paired with exactly one live object.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { placeText } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired, Live } from '../../model/object.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { isPart } from '../scope/parts.ts';
import type { Named } from './namedObjects.ts';

const address = ({ kind, key }: Desired) => addressOf(kind, key);

/** The error for a declaration whose name several live objects have. */
export function ambiguous(kind: Kind, desired: Desired, found: readonly Named[]): Diagnostic {
  const ids = found.map(({ live }) => live.id).sort();
  return {
    code: 'PAIR_AMBIGUOUS',
    severity: 'error',
    message: `the account has ${found.length} ${kind.plural} called ${quoted(desired.key)}`,
    at: desired.at,
    hint:
      isPart(desired) || desired.isGrant
        ? `delete or rename all but one of them in the account: ${ids.map(nameText).join(', ')}`
        : `bind one of them with lifecycle.id: ${ids.map(nameText).join(', ')}`,
  };
}

/** The error for two declarations with the same `lifecycle.id`. */
export function boundTwice(desired: Desired, other: Desired): Diagnostic {
  return {
    code: 'PAIR_AMBIGUOUS',
    severity: 'error',
    message: `${address(desired)} and ${address(other)} have the same lifecycle.id`,
    at: desired.at,
    hint: `the other is at ${placeText(other.at)}; bind each live object in one declaration only`,
  };
}

/** The error for a `lifecycle.id` that is not the id of a live object. */
export function unknownId(desired: Desired, id: string): Diagnostic {
  return {
    code: 'PAIR_UNKNOWN_ID',
    severity: 'error',
    message: `lifecycle.id of ${address(desired)} names ${quoted(id)}, which the account does not have`,
    at: desired.at,
    hint: 'take the id from the account, or remove lifecycle.id to pair by name',
  };
}

/** The error for two declarations of the same nameless object, one with a name in a reference and one with `id:<value>`. */
export function declaredTwice(desired: Desired): Diagnostic {
  return {
    code: 'OBJECT_DUPLICATE',
    severity: 'error',
    message: `${address(desired)} is declared twice, once by its id`,
    at: desired.at,
  };
}

/** The error for a declaration that would change a reserved object. */
export function reserved(desired: Desired, live: Live): Diagnostic {
  return {
    code: 'PAIR_RESERVED',
    severity: 'error',
    message: `${address(desired)} is ${live.reserved}: meshform never modifies it`,
    at: desired.at,
    hint: 'declare nothing but its name, or refer to it without declaring it',
  };
}

/** A note for a reserved object if the files declare only its name. */
export function reservedName(desired: Desired, live: Live): Diagnostic {
  return {
    code: 'PAIR_RESERVED',
    severity: 'note',
    message: `${address(desired)} is ${live.reserved}: it can be referred to, and is never modified`,
    at: desired.at,
  };
}

/** The error for a declared object that the account lacks and the API cannot create. */
export function notCreatable(kind: Kind, desired: Desired): Diagnostic {
  return {
    code: 'PAIR_NOT_CREATABLE',
    severity: 'error',
    message: `the account has no ${kind.noun} called ${quoted(desired.key)}, and the API cannot create one`,
    at: desired.at,
    hint: 'correct the name, or remove it from the files until it exists in the account',
  };
}

/**
 * The warning for a `lifecycle.was` whose object still exists although another object already has
 * the new name.
 */
export function wasIgnored(desired: Desired): Diagnostic {
  return {
    code: 'LIFECYCLE_IGNORED',
    severity: 'warning',
    message: `${address(desired)} cannot be renamed from ${quoted(desired.lifecycle.was ?? '')}: the account has objects with both names`,
    at: desired.at,
    hint: 'remove lifecycle.was, or bind the intended object with lifecycle.id',
  };
}
