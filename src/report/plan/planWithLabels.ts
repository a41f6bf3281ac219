// A plan for people, in which objects that are identified by id have their names after the ids. Programs read only the ids.
import type { AccessFinding, AccessGates } from '../../model/access/accessGates.ts';
import { idLabeller, withIdLabels } from '../../model/idLabels.ts';
import type { RunResult } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';

const known = new WeakMap<Plan, Plan>();

/**
 * The plan with names after ids. Texts that a person may copy into a flag or a file are unchanged: hints, targets, tests and the
 * base.
 */
export function planWithLabels(plan: Plan): Plan {
  if (plan.called === undefined) return plan;
  const made = known.get(plan) ?? labelledPlan(plan);
  known.set(plan, made);
  return made;
}

function labelledPlan(written: Plan): Plan {
  const { called = [], ...plan } = written;
  const { changes, actions, leftAlone, access, missing, held, undeclared, leftByRuns } = plan;
  const labelled = withIdLabels(called);
  const gates = gatesWithLabels(plan.gates, written);
  return {
    ...plan,
    ...labelled({ changes, actions, leftAlone }),
    ...(access && { access: labelled(access) }),
    ...(missing && { missing: labelled(missing) }),
    ...(held && { held: labelled(held) }),
    ...(undeclared && { undeclared: labelled(undeclared) }),
    ...(leftByRuns && { leftByRuns: labelled(leftByRuns) }),
    ...(gates && { gates }),
  };
}

/** The gates of a plan with names after ids. */
export function gatesWithLabels(
  gates: AccessGates | undefined,
  { called = [] }: Pick<Plan, 'called'>,
): AccessGates | undefined {
  if (gates === undefined || called.length === 0) return gates;
  const speak = idLabeller(called);
  const findings = gates.findings.map(
    ({ who, where, detail, causes, ...finding }): AccessFinding => ({
      ...finding,
      ...(who !== undefined && { who: speak(who) }),
      ...(where !== undefined && { where: speak(where) }),
      ...(detail !== undefined && { detail: speak(detail) }),
      causes: causes.map(speak),
    }),
  );
  return { ...gates, findings };
}

/** The result of a run of a plan, with names after ids. */
export const resultWithLabels = ({ called = [] }: Plan, result: RunResult): RunResult =>
  withIdLabels(called)(result);
