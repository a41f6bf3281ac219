// The page of a plan: its changes, and who can reach what after an apply.
import { comparedPictures } from '../../access/picture/picture.ts';
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
  const found: { states?: Parameters<OnStates> } = {};
  return {
    onStates: (...states) => {
      found.states = states;
    },
    write: (plan, kinds, digest) => {
      const [first, last, stepsOf] = present(found.states, 'the states of a plan without errors');
      const spoken = spokenIn(plan.called ?? []);
      const { before, after } = spoken(comparedPictures(first, last));
      const about = `Made for ${plan.server ?? 'the account'}.`;
      const sections = planSections({ plan, kinds, digest, steps: spoken(stepsOf()) });
      return writePage({ title: 'Plan', about, picture: after, before, plan: sections }, output);
    },
  };
}
