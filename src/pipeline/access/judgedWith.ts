// The facts from the files with which the access of a plan is judged, in the form of a saved plan.
import type { DeclaredSender, JudgedWith } from '../../model/access/judgedWith.ts';
import { idKey } from '../../model/key.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { mayChangeAccess } from './mayChangeAccess.ts';

/** The live objects, with secret hosts marked as the files require. */
export function withKnownHosts(
  live: readonly Live[],
  { secret_hosts: hosts = [] }: JudgedWith,
): readonly Live[] {
  if (hosts.length === 0) return live;
  const secret = new Set(hosts.map(({ kind, id }) => `${kind} ${id}`));
  return live.map(one =>
    secret.has(`${one.kind} ${one.id}`)
      ? { ...one, key: idKey(one.id) as Live['key'], hasSecretHost: true }
      : one,
  );
}

/** The facts from the files, before they have the form of a plan. */
interface FilesToJudge {
  readonly senders: readonly DeclaredSender[];
  readonly areSecretsCompared: boolean;
  readonly isBaseUnapplied: boolean;
}

/** The same facts in the form of a plan; undefined if the saved plan can be judged without them. */
export function judgedWithOf(
  plan: Pick<Plan, 'access' | 'actions' | 'changes'>,
  live: readonly Live[],
  { senders, ...known }: FilesToJudge,
): JudgedWith | undefined {
  if (!mayChangeAccess(plan)) return undefined;
  const { changes } = plan;
  const hasBase = changes.some(({ since, fields }) => since ?? fields.some(one => one.since));
  const hosts = live.filter(one => one.hasSecretHost).map(({ kind, id }) => ({ kind, id }));
  const found: JudgedWith = {
    ...(hasBase && known.isBaseUnapplied && { base_unapplied: true as const }),
    ...(known.areSecretsCompared && { secrets_compared: true as const }),
    ...(senders.length > 0 && { senders }),
    ...(hosts.length > 0 && { secret_hosts: hosts }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}
