// Judges the removal of ended objects and members. The removal counts as happening before the rest
// of the plan, and must not give access.

import { type Evaluation, evaluatedPlan } from '../../access/gates/evaluation.ts';
import { newAccessFindings } from '../../access/gates/newAccess.ts';
import { undeniedAddresses } from '../../access/gates/undeniedAddresses.ts';
import type { IsEnding } from '../../access/gates/usedFindings.ts';
import { ruleEndsIn } from '../../access/lint/ruleEnds.ts';
import type { PlannedAccount } from '../../access/plan/comparison.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import { inParts } from '../../engine/scope/parts.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { DIALECTS } from '../../kinds/traits.ts';
import { flowText } from '../../model/access/accessFindings.ts';
import type { AccessFinding } from '../../model/access/accessGates.ts';
import type { EndingRule } from '../../model/access/judgedWith.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Plan, ShownAction } from '../../model/plan.ts';
import { visible } from '../../model/text/visible.ts';

/** The errors for ended objects whose removal would give somebody access, and the addresses of these objects. */
export function accessOfEnds(account: PlannedAccount): {
  readonly diagnostics: readonly Diagnostic[];
  readonly causes: readonly string[];
} {
  const given = gainedIn(account).map(finding => ({
    ...finding,
    causes: givingAlone(account, finding.causes),
  }));
  const diagnostics = given.map((finding): Diagnostic => {
    const ended = finding.causes.join(', ') || 'what has ended';
    return {
      code: 'END_GIVES_ACCESS',
      severity: 'error',
      message: `the end of ${ended} would give access: ${visible(flowText(finding))} ${finding.detail}`,
      hint: `change the object that gives this access without ${ended}, for example a rule that denies access to a group, or a wildcard record`,
    };
  });
  return { diagnostics, causes: given.flatMap(({ causes }) => causes) };
}

function gainedIn(account: PlannedAccount): readonly AccessFinding[] {
  const evaluation = evaluatedPlan(account, undefined);
  const ended = new Set(account.plan.actions.map(({ address }) => address));
  return [
    ...newAccessFindings(evaluation).filter(({ what }) => what === 'gained'),
    ...undeniedAddresses(evaluation.states, [...ended]),
  ];
}

// The causes that give access on their own; all causes if none of them does. The causes may include
// a removal that takes access away between the same sides.
function givingAlone(account: PlannedAccount, causes: readonly string[]): readonly string[] {
  if (causes.length < 2) return causes;
  const isOf = (cause: string) => (one: { readonly address: string }) => one.address === cause;
  const alone = causes.filter(cause => {
    const actions = account.plan.actions.filter(isOf(cause));
    return (
      actions.length > 0 && gainedIn({ ...account, plan: { ...account.plan, actions } }).length > 0
    );
  });
  return alone.length > 0 ? alone : causes;
}

// The removals of ended objects that are still to be done. If an earlier run removed an object, that removal is done. If a plan
// deletes an object together with an ended object, it is not.
function endsStillToDo({ actions, pins }: Pick<Plan, 'actions' | 'pins'>, live: readonly Live[]) {
  const known = new Set(live.map(({ kind, id }) => `${kind} ${id}`));
  const isThere = (action: ShownAction) =>
    action.verb === 'create' || known.has(writtenObject(action));
  return { actions: actions.filter(isThere), changes: [], pins };
}

/** The object that an action writes: its kind and id, or its address if the action creates it. */
export const writtenObject = (action: ShownAction): string =>
  action.verb === 'create' ? action.address : `${action.kind} ${action.remoteId}`;

/**
 * The evaluation of a plan in an account from which everything that has ended is removed; undefined if nothing has ended.
 */
export function evaluationAfterEnds(
  account: Parameters<typeof evaluatedPlan>[0],
  endings: Pick<Plan, 'actions' | 'pins'> | undefined,
): Evaluation | undefined {
  return (
    endings && evaluatedPlan({ ...account, begun: endsStillToDo(endings, account.live) }, undefined)
  );
}

/** The rules of a state that files end. */
export const rulesEnding = ({ policies }: AccessState, isEnding: IsEnding): readonly EndingRule[] =>
  policies.flatMap(policy =>
    policy.rules.flatMap(rule => {
      const { key, id } = policy;
      const names = { policy: key, rule: rule.name };
      return isEnding(policy, rule) ? { ...names, ...(id !== undefined && { id }) } : [];
    }),
  );

/**
 * Tells whether a rule is one of those that files end. A policy of the account is known by its id, because somebody may have
 * renamed it. Whoever renames a policy often renames its only rule too, so the name of an only rule does not count.
 */
export function endingAmong(rules: readonly EndingRule[]): IsEnding {
  const known = Map.groupBy(rules, ({ id, policy }) => policyRef(id, policy));
  return (policy, rule) => {
    const byId = known.get(policyRef(policy.id, policy.key)) ?? [];
    if (policy.rules.length === 1 && byId.length === 1) return true;
    const own = byId.length > 0 ? byId : (known.get(policyRef(undefined, policy.key)) ?? []);
    return own.some(one => one.rule === rule.name);
  };
}

const policyRef = (id: string | undefined, name: string): string =>
  id === undefined ? `named ${name}` : `id ${id}`;

/** Tells whether the files end a rule, as a whole or in part. The account may have a policy in parts. */
export function endingRules(desired: readonly Desired[], kinds: KindTable): IsEnding {
  const parts = DIALECTS.flatMap(dialect => inParts(desired, kinds, dialect));
  const wholes = new Map<string, string>(
    parts.flatMap(({ key, part }) => (part ? [[key, part.whole] as const] : [])),
  );
  const endsOf = ruleEndsIn(desired, name => name);
  return ({ key }, rule) => endsOf(wholes.get(key) ?? key, rule).size > 0;
}
