// Requests a new one-time secret for an object and stores it. If a response is lost, its secret is
// lost too. The request is then sent again, and the new secret replaces the lost secret.
import type { SecretRenewal } from '../../../model/change.ts';
import { ApiError } from '../../../model/errors.ts';
import { exactPattern } from '../../../model/objectName.ts';
import type { UpdateAction } from '../../../model/plan.ts';
import { shellQuoted } from '../../../model/text/shellWord.ts';
import { quoted } from '../../../model/text/visible.ts';
import { objectIdOf, type TurnContext } from './context.ts';
import { keepRevealed } from './keepRevealed.ts';

/** An action after which the object gets a new secret. */
interface Renewing extends UpdateAction {
  readonly renews: SecretRenewal;
}

const isRenewing = (action: UpdateAction): action is Renewing => action.renews !== undefined;

/**
 * Renews the secret of an object, if its action contains a renewal. Resolves to notes for people.
 * Throws an `ApiError`, or a `Refused` if the secret is lost.
 */
export async function renewed(action: UpdateAction, context: TurnContext): Promise<string[]> {
  if (!isRenewing(action)) return [];
  const shown = quoted(action.renews.secret);
  if (context.begun?.isKept) return [`the earlier run had stored its new ${shown}`];
  const earlier = context.begun
    ? [`a new ${shown} that the earlier run may have got is no longer valid`]
    : [];
  const { revealed, notes } = await shownTo(action, context);
  const kept = await keepRevealed(action, { id: action.remoteId, revealed }, context);
  return [...earlier, ...notes, ...kept];
}

interface ShownSecret {
  readonly revealed: string | undefined;
  readonly notes: readonly string[];
}

async function shownTo(action: Renewing, context: TurnContext): Promise<ShownSecret> {
  const { kind, port } = context;
  const { secret, sends = {} } = action.renews;
  const send = () => port.renew(kind, objectIdOf(action), sends);
  try {
    return { revealed: await send(), notes: [] };
  } catch (error) {
    if (!isInDoubt(error)) throw error;
  }
  const revealed = await send().catch((error: unknown) => {
    throw error instanceof ApiError ? doubtful(action, context, error) : error;
  });
  const lost = `the response with a new ${quoted(secret)} was lost: another one was requested, and the lost one is no longer valid`;
  return { revealed, notes: [lost] };
}

const isInDoubt = (error: unknown): boolean =>
  error instanceof ApiError && error.details.mayHaveHappened;

// The error for an unknown outcome. Whatever the second request did, the first request may have
// made the former secret of the object invalid.
function doubtful(
  { key, renews }: Renewing,
  { kind }: TurnContext,
  { details, cause }: ApiError,
): ApiError {
  const shown = quoted(renews.secret);
  const again = `--rotate ${shellQuoted(exactPattern({ kind: kind.name, key }, kind.depth))}`;
  const message = `${details.message}; the former ${shown} may no longer be valid, and a new one is LOST: create another with ${again}`;
  return new ApiError({ ...details, message, mayHaveHappened: true }, { cause });
}
