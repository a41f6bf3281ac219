// Controls that generate traffic, so that its logs have entries.
import { ok } from '../request/answer.ts';
import { object, optional, whole } from '../request/body.ts';
import { invalid } from '../request/refusal.ts';
import { type Amount, addAccesses, addFlows } from '../traffic/generated.ts';
import type { Control, ControlContext } from './control.ts';

const AMOUNT = object({ count: optional(whole), over: optional(whole) });
const MOST = 100_000;

function amountIn({ body }: ControlContext): Amount {
  const { count, over = 3600 } = body(AMOUNT);
  if (count === undefined || count < 1 || count > MOST)
    throw invalid(`count is required: 1 to ${MOST}`);
  if (over < 0) throw invalid('over must not be negative');
  return { count, over };
}

/** Generates `count` flows between peers, spread over the last `over` seconds. Responds with the number of flows. */
export const makeTraffic: Control = context =>
  ok({ made: addFlows(context.account, amountIn(context), context.environment) });

/** Generates `count` requests to the reverse proxy, spread over the last `over` seconds. */
export const makeAccesses: Control = context =>
  ok({ made: addAccesses(context.account, amountIn(context), context.environment) });
