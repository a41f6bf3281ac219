// The rules that make the difference at a machine: those that count there before or after, and not in the same way.
import type { Inbound } from '../between/machines.ts';
import type { Reaches } from '../flows/reaches.ts';
import { READINGS } from './targetRows.ts';

/** A text that names the rules whose entries at a machine differ; empty if none does. */
export function responsibleRules(before: Reaches, after: Reaches, index: number): string {
  const rules = new Set<string>();
  for (const reading of READINGS) {
    const [was, is] = [before, after].map(reaches =>
      entriesByRule(reaches.under(reading).machines.inboundAt(index)),
    );
    for (const [name, entry] of was ?? []) if (is?.get(name) !== entry) rules.add(name);
    for (const [name, entry] of is ?? []) if (was?.get(name) !== entry) rules.add(name);
    if (!before.hasPosture && !after.hasPosture) break;
  }
  return [...rules].sort().join('\n');
}

function entriesByRule(inbound: readonly Inbound[]): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const { compiled, isReverse, entry } of inbound) {
    const name = `${compiled.policy.key}\u0000${compiled.rule.name}\u0000${isReverse}`;
    entries.set(name, `${entries.get(name) ?? ''} ${entry.id}`);
  }
  return entries;
}
