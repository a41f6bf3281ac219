// The rules that make the difference at a machine: those that count there before or after, and not in the same way.
import type { Inbound } from '../between/machines.ts';
import type { Reaches } from '../flows/reaches.ts';
import { READINGS } from './targetRows.ts';

/** A text that names the rules whose entries at a machine differ; empty if none does. */
export function responsibleRules(before: Reaches, after: Reaches, index: number): string {
  const rules = new Set<string>();
  for (const reading of READINGS) {
    const [former, latter] = [before, after].map(reaches =>
      reaches.under(reading).machines.inboundAt(index),
    );
    if (former && latter && !areSame(former, latter)) {
      const [was, is] = [entriesByRule(former), entriesByRule(latter)];
      for (const [name, entry] of was) if (is.get(name) !== entry) rules.add(name);
      for (const [name, entry] of is) if (was.get(name) !== entry) rules.add(name);
    }
    if (!before.hasPosture && !after.hasPosture) break;
  }
  return [...rules].sort().join('\n');
}

// Most machines have the same entries before and after.
function areSame(one: readonly Inbound[], other: readonly Inbound[]): boolean {
  return one.length === other.length && one.every(({ entry }, at) => entry === other[at]?.entry);
}

function entriesByRule(inbound: readonly Inbound[]): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const { compiled, isReverse, entry } of inbound) {
    const name = `${compiled.policy.key}\u0000${compiled.rule.name}\u0000${isReverse}`;
    entries.set(name, `${entries.get(name) ?? ''} ${entry.id}`);
  }
  return entries;
}
