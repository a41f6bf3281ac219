// Controls that inject faults into requests.
import { done, ok } from '../request/answer.ts';
import { flag, map, object, optional, type Read, text, whole } from '../request/body.ts';
import { invalid } from '../request/refusal.ts';
import type { Effect } from '../transport/faults.ts';
import type { Control } from './control.ts';

const FAULT = object({
  method: text,
  path: text,
  account: text,
  nth: optional(whole),
  times: optional(whole),
  effect: text,
  status: optional(whole),
  headers: map(text),
  delay: whole,
  commit: optional(flag),
});

/** For each effect: what is sent, whether the request is executed, and the status. */
const EFFECTS: Readonly<Record<string, Pick<Effect, 'commits' | 'leaves' | 'status'>>> = {
  status: { leaves: 'status', commits: false, status: 503 },
  html: { leaves: 'page', commits: false, status: 502 },
  truncate: { leaves: 'half the answer', commits: true, status: 0 },
  reset: { leaves: 'nothing', commits: false, status: 0 },
  delay: { leaves: 'answer', commits: true, status: 0 },
  hang: { leaves: 'silence', commits: false, status: 0 },
};

/**
 * Adds a fault: the `nth` request (1 by default) of a method and path, with `*` for any text, has an `effect`. The following
 * matching requests have the same effect, up to `times` in total. With an `account`, only requests with this `?account=` match.
 * `commit` decides whether the request is still executed, and `delay` delays the response by this number of milliseconds.
 * Responds with the pending faults.
 */
export const addFault: Control = ({ faults, body }) => {
  const { method, path, account, nth = 1, times = 1, ...rest } = body(FAULT);
  if (nth < 1 || times < 1) throw invalid('nth and times begin at 1');
  faults.add({
    method: method.toUpperCase(),
    path,
    account,
    nth,
    times,
    effect: effectOf(rest),
  });
  return ok(faults.list());
};

export const listFaults: Control = ({ faults }) => ok(faults.list());

export const clearFaults: Control = ({ faults }) => {
  faults.clear();
  return done();
};

type Given = Pick<Read<typeof FAULT>, 'effect' | 'status' | 'headers' | 'delay' | 'commit'>;

function effectOf({ effect, status, headers, delay, commit }: Given): Effect {
  const known = new Map(Object.entries(EFFECTS)).get(effect);
  if (known === undefined)
    throw invalid(`effect must be one of ${Object.keys(EFFECTS).join(', ')}`);
  const said = status ?? known.status;
  const hasStatus = known.status !== 0;
  if (hasStatus && (said < 200 || said > 599)) throw invalid('status must be from 200 to 599');
  if (delay < 0) throw invalid('delay must not be negative');
  const commits = commit ?? known.commits;
  if (!commits && !hasStatus && !['nothing', 'silence'].includes(known.leaves))
    throw invalid('without a commit there is no answer to send');
  return { ...known, commits, delay, headers, status: said };
}
