// Carries out the requests of one action, and returns an outcome whose text contains no secret.
import type { Kind } from '../../../kinds/kind.ts';
import { hasHidden, hiddenIn, secretPartsOf } from '../../../kinds/values/hidden.ts';
import { ApiError, type ApiErrorDetails } from '../../../model/errors.ts';
import type { Fault, Outcome } from '../../../model/outcome.ts';
import type { Action } from '../../../model/plan.ts';
import { isHosted } from '../../../model/secrets/hostedSecret.ts';
import type { KnownSecrets } from '../../../model/secrets/knownSecrets.ts';
import { nameText } from '../../../model/text/visible.ts';
import type { JsonObject } from '../../../model/value.ts';
import { nextStep } from '../../../report/run/nextStep.ts';
import { byId, decodeFields } from '../../../wire/decode.ts';
import { failedBy, Refused } from '../refused.ts';
import type { Done, TurnContext } from './context.ts';
import { create } from './create.ts';
import { unsealed } from './openSecrets.ts';
import { remove } from './remove.ts';
import { update } from './update.ts';

/**
 * Carries out one action. Secrets that it decrypts, and secrets that the server returns, are added to `secrets`, and no fault
 * contains any of them. Never throws for an error of the server or the user, only for an internal error.
 */
export async function takeTurn(
  action: Action,
  context: TurnContext,
  secrets: KnownSecrets,
): Promise<Outcome> {
  const named = { action: action.id, address: action.address };
  const redacted = (fault: Fault): Fault => ({ ...fault, message: secrets.redact(fault.message) });
  try {
    const own = watched(context, secrets);
    const { isOpen = false, ...done } = await carryOut(await unsealed(action, own), own);
    return { ...named, status: isOpen ? 'sent' : 'done', ...done };
  } catch (error) {
    if (error instanceof Refused)
      return failedBy(error, { ...named, fault: redacted(error.fault) });
    if (!(error instanceof ApiError)) throw error;
    const fault = redacted(faultOf(action, error.details));
    return { ...named, status: error.details.mayHaveHappened ? 'unknown' : 'failed', fault };
  }
}

function carryOut(action: Action, context: TurnContext): Promise<Done> {
  switch (action.verb) {
    case 'create':
      return create(action, context);
    case 'update':
      return update(action, context);
    case 'delete':
      return remove(action, context);
  }
}

function faultOf(
  { verb }: Action,
  { code, message, mayHaveHappened, requestId, limit }: ApiErrorDetails,
): Fault {
  const look = `check whether it ${verb === 'create' ? 'exists' : `was ${verb}d`} before you apply again`;
  const steps = [
    ...(code === 'API_THROTTLED'
      ? ['add --rate NUMBER, the requests per minute that the server allows']
      : []),
    ...(limit === undefined ? [] : [`apply the rest with a longer ${limit}; 0 is no limit`]),
    ...(mayHaveHappened ? [look] : []),
  ];
  const id =
    requestId === undefined ? [] : [`the server’s id of the request is ${nameText(requestId)}`];
  // Without further steps, the id alone does not tell the user what to do.
  const next = steps.length === 0 && id.length > 0 ? (nextStep(code) ?? []) : [];
  const hints = [...steps, ...[next].flat(), ...id];
  return { code, message, ...(hints.length > 0 && { hint: hints.join('; ') }) };
}

// Stores secrets that were opened or shown, because a server may repeat them in an error.
function watched(context: TurnContext, secrets: KnownSecrets): TurnContext {
  const { port } = context;
  return {
    ...context,
    openSecret: async secret => {
      const value = await context.openSecret(secret);
      if (typeof value === 'string')
        for (const part of isHosted(secret) ? secretPartsOf(value) : [value]) secrets.add(part);
      return value;
    },
    port: {
      ...port,
      read: async (kind, at) => {
        const body = await port.read(kind, at);
        addHidden(kind, body, secrets);
        return body;
      },
      create: async (...call) => {
        const made = await port.create(...call);
        if (made.revealed !== undefined) secrets.add(made.revealed);
        return made;
      },
      renew: async (...call) => {
        const revealed = await port.renew(...call);
        if (revealed !== undefined) secrets.add(revealed);
        return revealed;
      },
    },
  };
}

// Hidden fields of an object are not printed either, even if somebody else wrote them.
function addHidden(kind: Kind, body: JsonObject, secrets: KnownSecrets): void {
  if (!hasHidden(kind)) return;
  for (const text of hiddenIn(kind.shape, decodeFields(kind.shape, body, byId))) secrets.add(text);
}
