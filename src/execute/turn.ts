// One action, one turn: its calls one after another, and what became of them in words that give no secret away.
import { ApiError, type ApiErrorDetails } from '../model/errors.ts';
import type { Fault, Outcome } from '../model/outcome.ts';
import type { Action } from '../model/plan.ts';
import type { Done, TurnContext } from './context.ts';
import { create } from './create.ts';
import { Refused } from './refused.ts';
import { remove } from './remove.ts';
import { update } from './update.ts';

/** Carries out one action. Never throws for what the server or the user did; only for faults of our own. */
export async function takeTurn(action: Action, context: TurnContext): Promise<Outcome> {
  const named = { action: action.id, address: action.address };
  const opened = new Set<string>();
  try {
    return { ...named, status: 'done', ...(await carryOut(action, watched(context, opened))) };
  } catch (error) {
    if (error instanceof Refused) return { ...named, status: 'failed', fault: error.fault };
    if (!(error instanceof ApiError)) throw error;
    const fault = withoutSecrets(faultOf(action, error.details), opened);
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
  { code, message, mayHaveHappened, requestId }: ApiErrorDetails,
): Fault {
  const look = `look whether it ${verb === 'create' ? 'is there' : `was ${verb}d`} before you apply again`;
  const hints = [
    ...(mayHaveHappened ? [look] : []),
    ...(requestId === undefined ? [] : [`the server calls the request ${requestId}`]),
  ];
  return { code, message, ...(hints.length > 0 && { hint: hints.join('; ') }) };
}

// Remembers what was opened, because a server may quote what it was sent.
function watched(context: TurnContext, opened: Set<string>): TurnContext {
  return {
    ...context,
    openSecret: secret => {
      const value = context.openSecret(secret);
      if (value !== null && value !== '') opened.add(value);
      return value;
    },
  };
}

// The server's own messages come in lower case (facts, item 33).
function withoutSecrets(fault: Fault, opened: ReadonlySet<string>): Fault {
  const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const values = [...opened].sort((a, b) => b.length - a.length).map(literal);
  if (values.length === 0) return fault;
  return {
    ...fault,
    message: fault.message.replaceAll(RegExp(values.join('|'), 'gi'), '(secret)'),
  };
}
