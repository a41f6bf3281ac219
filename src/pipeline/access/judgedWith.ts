// Facts from the files that are needed to judge the access of a plan, in the form in which a saved
// plan stores them.

import { portsAmong } from '../../access/state/internetPorts.ts';
import type { DeclaredSender, EndingRule, JudgedWith } from '../../model/access/judgedWith.ts';
import { idKey } from '../../model/key.ts';
import type { Desired, Live } from '../../model/object.ts';
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
  readonly endingRules: readonly EndingRule[];
  readonly declared: readonly Desired[];
}

/**
 * The same facts in the form that a plan stores; undefined if the saved plan can be judged without
 * them.
 */
export function judgedWithOf(
  plan: Pick<Plan, 'access' | 'actions' | 'changes'>,
  live: readonly Live[],
  { senders, declared, endingRules, ...known }: FilesToJudge,
): JudgedWith | undefined {
  if (!mayChangeAccess(plan)) return undefined;
  const { changes } = plan;
  const hasBase = changes.some(({ since, fields }) => since ?? fields.some(one => one.since));
  const hosts = live.filter(one => one.hasSecretHost).map(({ kind, id }) => ({ kind, id }));
  const ports = portsAmong(declared).map(({ kind, key }) => ({ kind, key }));
  const found: JudgedWith = {
    ...(hasBase && known.isBaseUnapplied && { base_unapplied: true as const }),
    ...(known.areSecretsCompared && { secrets_compared: true as const }),
    ...(senders.length > 0 && { senders }),
    ...(endingRules.length > 0 && { ending_rules: endingRules }),
    ...(ports.length > 0 && { declared_ports: ports }),
    ...(hosts.length > 0 && { secret_hosts: hosts }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}
