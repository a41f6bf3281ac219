// The plan for an account that was read in the wrong dialect. No objects are compared.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';

/** A plan that contains only the reasons why there is no plan. */
export function planWithout(
  {
    dialect,
    findings,
    requests,
  }: {
    readonly dialect: string;
    readonly findings: readonly Diagnostic[];
    readonly requests: number;
  },
  { desired, folder }: { readonly desired: readonly Desired[]; readonly folder: string },
): Plan {
  return {
    dialect,
    folder,
    changes: [],
    actions: [],
    leftAlone: [],
    pins: [],
    diagnostics: findings,
    requests: { made: requests, planned: 0 },
    declared: desired.length,
  };
}
