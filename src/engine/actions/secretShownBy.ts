// Determines which actions show a secret once: a create, and an update that renews the secret of an
// object.
import type { Kind } from '../../kinds/kind.ts';
import type { Action } from '../../model/plan.ts';

/** The field with the one-time secret in the response to an action; undefined if the response has none. */
export function secretShownBy(action: Action, kind: Kind | undefined): string | undefined {
  if (action.verb === 'create') return kind?.oneTimeSecret;
  return action.verb === 'update' ? action.renews?.secret : undefined;
}
