// After an action, stores the fingerprints of the secrets that it sent.
import type { Outcome } from '../../model/outcome.ts';
import type { Action, Plan } from '../../model/plan.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import type { SentSecrets } from '../port.ts';

/** Passes ended actions to `memory`. If storing fails, the outcome gets a note. */
export function storingFingerprints(
  plan: Plan,
  memory: SentSecrets | undefined,
): (action: Action, outcome: Outcome) => Promise<Outcome> {
  const made = new Set(
    plan.actions.flatMap(({ verb, address }) => (verb === 'create' ? address : [])),
  );
  const tell = (action: Action, { status }: Outcome, to: SentSecrets): Promise<string | null> => {
    const nothing = Promise.resolve(null);
    // The fingerprints of an action are stored only after its values have been read back.
    if (status === 'skipped' || status === 'sent') return nothing;
    if (action.verb === 'delete') {
      // If another object with the same name replaces a deleted object, the fingerprints of that
      // name are kept.
      const isGone = status === 'done' && !made.has(action.address);
      return isGone ? to.forget(action.address) : nothing;
    }
    // Secrets with a visible host are skipped, because such identifying fields are compared by
    // their values.
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
