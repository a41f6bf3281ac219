// Groups the plans of a fleet: plans that do the same are one group. The largest group comes first, and odd groups come last.
import type { KindTable } from '../../kinds/kind.ts';
import type { FleetAccount } from '../../model/fleet.ts';
import type { Plan } from '../../model/plan.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { stableText } from '../../model/text/stableText.ts';
import type { SavedPlan } from '../plan/savedPlan.ts';
import { planGroup } from './planGroup.ts';

/** The plan of one account. */
export interface PlannedAccount {
  readonly account: FleetAccount;
  readonly saved: SavedPlan;
}

/** Accounts whose plans do the same. */
export interface PlanGroup {
  /** Identifies the group: equal for plans that do the same, in every run. */
  readonly group: string;
  /** The accounts in the order of their names; there is at least one. */
  readonly members: readonly PlannedAccount[];
  /** The accounts of the members, without their plans. */
  readonly accounts: readonly FleetAccount[];
  /** The member whose plan is shown. */
  readonly first: PlannedAccount;
  /** `common`: many accounts have this plan. `odd`: few accounts have this plan. `unchanged`: the plan changes nothing. */
  readonly is: 'common' | 'odd' | 'unchanged';
  /**
   * Whether the undeclared objects of the accounts differ. If so, the plan of one account does not show which objects the plans
   * of the other accounts leave alone.
   */
  readonly differsInRest: boolean;
}

/** The minimum share of the planned accounts in a group that is not odd. */
const COMMON = 0.05;

/** The groups of plans: plans that change something come first, and larger groups come before smaller ones. */
export function groupsOfPlans(
  planned: readonly PlannedAccount[],
  kinds: KindTable,
): readonly PlanGroup[] {
  const inOrder = planned.toSorted((one, other) =>
    compareTexts(one.account.name, other.account.name),
  );
  const byGroup = [
    ...Map.groupBy(inOrder, ({ account, saved }) => planGroup(saved.plan, kinds, account)),
  ].toSorted(([, one], [, other]) => other.length - one.length);
  const [largest] = byGroup.filter(([, members]) => !isUnchanged(members[0]?.saved.plan));
  const groups = byGroup.flatMap(([group, members]): PlanGroup[] => {
    const [first] = members;
    if (first === undefined) return [];
    const isAlone = members.length === 1 && planned.length > 1;
    const isCommon = group === largest?.[0] || members.length >= planned.length * COMMON;
    const changing = isCommon && !isAlone ? 'common' : 'odd';
    return [
      {
        group,
        members,
        accounts: members.map(({ account }) => account),
        first,
        is: isUnchanged(first.saved.plan) ? 'unchanged' : changing,
        differsInRest: differInRest(members),
      },
    ];
  });
  const rank = ({ is }: PlanGroup): number => (is === 'unchanged' ? 1 : 0);
  return groups.toSorted((one, other) => rank(one) - rank(other));
}

const isUnchanged = (plan: Plan | undefined): boolean =>
  plan?.changes.length === 0 && plan.actions.length === 0;

function differInRest(members: readonly PlannedAccount[]): boolean {
  const texts = members.map(({ saved: { plan } }) =>
    stableText(plan.leftAlone.map(({ address, reason }) => [address, reason])),
  );
  return texts.some(text => text !== texts[0]);
}
