// Facts from the files that are needed to judge the access of a plan, in the form in which a saved
// plan stores them.

import { portsAmong } from '../../access/state/internetPorts.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { openHostsIn } from '../../kinds/values/secretHosts.ts';
import type { DeclaredSender, EndingRule, JudgedWith } from '../../model/access/judgedWith.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { mayChangeAccess } from './mayChangeAccess.ts';

/** The facts from the files, before they have the form of a plan. */
export interface FilesToJudge {
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
  { live, kinds }: { readonly live: readonly Live[]; readonly kinds: KindTable },
  { senders, declared, endingRules, ...known }: FilesToJudge,
): JudgedWith | undefined {
  if (!mayChangeAccess(plan)) return undefined;
  const { changes } = plan;
  const hasBase = changes.some(({ since, fields }) => since ?? fields.some(one => one.since));
  const hosts = openHostsIn(live, kinds);
  const ports = portsAmong(declared).map(({ kind, key }) => ({ kind, key }));
  const found: JudgedWith = {
    ...(hasBase && known.isBaseUnapplied && { base_unapplied: true as const }),
    ...(known.areSecretsCompared && { secrets_compared: true as const }),
    ...(senders.length > 0 && { senders }),
    ...(endingRules.length > 0 && { ending_rules: endingRules }),
    ...(ports.length > 0 && { declared_ports: ports }),
    ...(hosts.length > 0 && { open_hosts: hosts }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}
