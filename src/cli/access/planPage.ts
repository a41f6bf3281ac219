// The page of a plan: its changes, and who can reach what after an apply.
import { accessPicture } from '../../access/picture/picture.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { spokenIn } from '../../model/called.ts';
import { present } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import type { OnStates } from '../../planAccess.ts';
import { planSections } from '../../report/page/plan.ts';
import type { Io } from '../io.ts';
import { type PageFlags, pageOutput, writePage } from './page.ts';

interface PlanPage {
  /** Must receive the states while the plan is computed. */
  readonly onStates: OnStates;
  readonly write: (plan: Plan, kinds: KindTable, digest: string | undefined) => Promise<void>;
}

/** The page of a plan that is computed next, if a page is requested. */
export async function planPage(flags: PageFlags, io: Io): Promise<PlanPage | undefined> {
  const output = await pageOutput(flags, io);
  if (output === undefined) return undefined;
  const found: { after?: AccessState } = {};
  return {
    onStates: (_, after) => {
      found.after = after;
    },
    write: (plan, kinds, digest) => {
      const after = present(found.after, 'the state after a plan without errors');
      const picture = spokenIn(plan.called ?? [])(accessPicture(after));
      const about = `Made for ${plan.server ?? 'the account'}. Below the plan: access after the plan.`;
      const first = planSections({ plan, kinds, digest });
      return writePage({ title: 'Plan', about, picture, first }, output);
    },
  };
}
