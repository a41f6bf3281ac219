// The page of a plan: its changes, and who can reach what after an apply.
import { comparedPictures } from '../../access/picture/picture.ts';
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
  const found: { states?: readonly [before: AccessState, after: AccessState] } = {};
  return {
    onStates: (before, after) => {
      found.states = [before, after];
    },
    write: (plan, kinds, digest) => {
      const states = present(found.states, 'the states of a plan without errors');
      const { before, after } = spokenIn(plan.called ?? [])(comparedPictures(...states));
      const about = `Made for ${plan.server ?? 'the account'}.`;
      const sections = planSections({ plan, kinds, digest });
      return writePage({ title: 'Plan', about, picture: after, before, plan: sections }, output);
    },
  };
}
