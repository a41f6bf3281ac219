// After an action: what is known of the secrets that it sent, for whoever compares them the next time.
import type { Outcome } from '../../model/outcome.ts';
import type { Action, Plan } from '../../model/plan.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import type { SentSecrets } from './port.ts';

/** Tells `memory` of ended actions; the outcome has a note where that failed. */
export function remembering(
  plan: Plan,
  memory: SentSecrets | undefined,
): (action: Action, outcome: Outcome) => Promise<Outcome> {
  const made = new Set(
    plan.actions.flatMap(({ verb, address }) => (verb === 'create' ? address : [])),
  );
  const tell = (action: Action, { status }: Outcome, to: SentSecrets): Promise<string | null> => {
    const nothing = Promise.resolve(null);
    // What was sent is remembered once it has been read back.
    if (status === 'skipped' || status === 'sent') return nothing;
    if (action.verb === 'delete') {
      // One that goes for another of its name leaves it what is known of that.
      const isGone = status === 'done' && !made.has(action.address);
      return isGone ? to.forget(action.address) : nothing;
    }
    // What tells an object apart is compared itself.
    const secrets = secretsIn(action.fields).filter(({ secret }) => !isHosted(secret));
    if (secrets.length === 0) return nothing;
    const paths = secrets.map(({ path }) => path);
    return status === 'done' ? to.sent(action.address, secrets) : to.forget(action.address, paths);
  };
  return async (action, outcome) => {
    const why = memory ? await tell(action, outcome, memory) : null;
    if (why === null || outcome.status !== 'done') return outcome;
    return { ...outcome, notes: [...outcome.notes, `its fingerprints were not stored: ${why}`] };
  };
}
