// Policies of several rules for tests: as files declare them, and as a server of dialect `netbird` keeps them.
import type { Plan } from '../../../src/model/plan.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { group, type Options, planFor, policy, type Read } from '../planning.ts';

/** A policy as files declare it, with these rules. */
export const declaration = (name: string, rules: readonly string[], more = ''): string =>
  `  - name: ${name}\n${more}    rules:\n${rules.map(rule).join('')}`;

/** Files with these policies. */
export const filesWith = (...declarations: readonly string[]): string =>
  `groups: [{ name: g }]\npolicies:\n${declarations.join('')}`;

const rule = (name: string): string =>
  `      - { name: ${name}, protocol: all, sources: [g], destinations: [g] }\n`;

/** A live policy with these rules. */
export function kept(
  id: string,
  name: string,
  rules: readonly string[],
  more: JsonObject = {},
): Read {
  const [kind, body] = policy(id, name, ['g'], ['g'], more);
  const [first] = Array.isArray(body.rules) ? body.rules : [];
  const items = rules.map((one, i) => ({ ...first, id: `${id}-${i}`, name: one }));
  return [kind, { ...body, rules: items }];
}

/** The plan of files for an account with these policies. */
export const planned = (text: string, reads: readonly Read[], options: Options = {}): Plan =>
  planFor(text, [group('g', 'g'), ...reads], { dialect: 'netbird', ...options });

/** The changes of a plan, each with its object. */
export const changesOf = ({ changes }: Plan) =>
  changes.map(({ key, type, id }) => [type, key, ...(id ? [id] : [])]);
