// Stores one-time secrets in the chosen place before the next action starts.
import type { RemoteId } from '../../../model/names.ts';
import type { CreateAction, UpdateAction } from '../../../model/plan.ts';
import { quoted } from '../../../model/text/visible.ts';
import { secretLost } from '../refused.ts';
import type { TurnContext } from './context.ts';

/** An object whose secret a response shows. */
interface Revealing {
  readonly id: RemoteId;
  /** The secret; undefined if the response does not have it. */
  readonly revealed?: string | undefined;
}

/**
 * Stores the secret of an object. Resolves to notes for people; throws a `Refused` if the secret is
 * lost. The secret is also lost if the response to a renewal contains none, because the request
 * made the former secret invalid.
 */
export async function keepRevealed(
  action: CreateAction | UpdateAction,
  { id, revealed }: Revealing,
  { kind, keepSecret }: TurnContext,
): Promise<string[]> {
  const { oneTimeSecret: field } = kind;
  if (field === undefined) return [];
  const mayBeAbsent = action.verb === 'create' || !keepSecret;
  if (revealed === undefined && mayBeAbsent) return [`the response has no ${quoted(field)}`];
  if (!keepSecret) return [`its ${quoted(field)} was shown only once and is lost, as allowed`];
  const why =
    revealed === undefined
      ? 'the response does not have it'
      : await keepSecret({ address: action.address, field, value: revealed });
  if (why !== null) throw secretLost(action, kind, { id, field, why });
  return [];
}
