// Stores one-time secrets in the chosen place before the next action starts.
import type { CreateAction } from '../../../model/plan.ts';
import { quoted } from '../../../model/text/visible.ts';
import type { Made } from '../recovery/lostAnswer.ts';
import { secretLost } from '../refused.ts';
import type { TurnContext } from './context.ts';

/** Stores the secret of a new object. Resolves to notes for people; throws a `Refused` if the secret is lost. */
export async function keepRevealed(
  action: CreateAction,
  { id, revealed, isFound }: Made,
  { kind, keepSecret }: TurnContext,
): Promise<string[]> {
  const { oneTimeSecret: field } = kind;
  if (field === undefined || isFound) return [];
  if (revealed === undefined) return [`the response has no ${quoted(field)}`];
  if (!keepSecret) return [`its ${quoted(field)} was shown only once and is lost, as allowed`];
  const why = await keepSecret({ address: action.address, field, value: revealed });
  if (why !== null) throw secretLost(action, kind, { id, field, why });
  return [];
}
