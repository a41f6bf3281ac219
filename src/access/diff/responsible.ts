// The rules that cause the difference at a machine: those that count there before or after, but not in the same way.
import type { Inbound } from '../between/machines.ts';
import type { Reaches } from '../flows/reaches.ts';
import { READINGS } from './targetRows.ts';

/** A text that identifies the rules whose entries at a machine differ; empty if there are none. */
export function responsibleRules(before: Reaches, after: Reaches, index: number): string {
  const rules = new Set<string>();
  for (const reading of READINGS) {
    const [former, latter] = [before, after].map(reaches =>
      reaches.under(reading).machines.inboundAt(index),
    );
    if (former && latter && !areSame(former, latter)) {
      noteOnlyIn(rules, former, latter);
      noteOnlyIn(rules, latter, former);
    }
    if (!before.hasPosture && !after.hasPosture) break;
  }
  return [...rules].sort().join('\n');
}

// Most machines have the same entries before and after.
function areSame(one: readonly Inbound[], other: readonly Inbound[]): boolean {
  return one.length === other.length && one.every(({ entry }, at) => entry === other[at]?.entry);
}

// A rule whose entry another rule shares adds nothing.
function noteOnlyIn(
  rules: Set<string>,
  inbound: readonly Inbound[],
  others: readonly Inbound[],
): void {
  const known = new Set(others.map(({ entry }) => entry));
  for (const { compiled, isReverse, entry } of inbound)
    if (!known.has(entry))
      rules.add(`${compiled.policy.key}\u0000${compiled.rule.name}\u0000${isReverse}`);
}
