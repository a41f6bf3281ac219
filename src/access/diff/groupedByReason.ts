// Groups machines by the reason why their access changes. Used if there are too many changes to
// list.
import type { MachineTarget } from '../flows/targets.ts';

/** Returns the reasons that machines with these changed rules can share. */
export type ReasonsOf = (rules: readonly ResponsibleRule[]) => readonly string[];

/** A rule by its name, and the policy to which it belongs. */
interface ResponsibleRule {
  readonly name: string;
  readonly policy: string;
}

/**
 * Machines with the same reason. `examples`: one machine for each distinct set of changed rules.
 */
interface Together {
  readonly machines: readonly MachineTarget[];
  readonly examples: readonly MachineTarget[];
}

/** Each rule is a separate reason. */
export const byRule: ReasonsOf = rules => rules.map(({ name }) => name);

/**
 * The machines, grouped by their most frequent reason. `alike`: the machines by their changed
 * rules.
 */
export function byReason(
  alike: ReadonlyMap<string, readonly MachineTarget[]>,
  reasonsOf: ReasonsOf,
): readonly Together[] {
  const classes = [...alike].map(([rules, machines]) => ({
    machines,
    reasons: reasonsOf(rules.split('\n').map(ruleOf)),
  }));
  const spread = new Map<string, number>();
  for (const { reasons, machines } of classes)
    for (const reason of new Set(reasons))
      spread.set(reason, (spread.get(reason) ?? 0) + machines.length);
  const widest = (reasons: readonly string[]) =>
    reasons.reduce(
      (best, one) => ((spread.get(one) ?? 0) > (spread.get(best) ?? 0) ? one : best),
      reasons[0] ?? '',
    );
  const groups = Map.groupBy(classes, ({ reasons }) => widest(reasons));
  return [...groups.values()].map(group => ({
    machines: group.flatMap(({ machines }) => machines),
    examples: group.flatMap(({ machines }) => machines.slice(0, 1)),
  }));
}

function ruleOf(name: string): ResponsibleRule {
  return { name, policy: name.split('\u0000', 1)[0] ?? '' };
}
