// The page of a plan: its changes, and who can reach what after an apply.
import { comparedPictures } from '../../access/picture/picture.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { RuleUse } from '../../model/access/ruleUse.ts';
import { present } from '../../model/errors.ts';
import { withIdLabels } from '../../model/idLabels.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { jsonString } from '../../model/text/visible.ts';
import type { OnStates } from '../../pipeline/access/accessSettings.ts';
import { planHead, planSections } from '../../report/page/planSections.ts';
import type { Observed } from '../../usage/observed.ts';
import { rulesUsed, withUses } from '../../usage/used/rulesUsed.ts';
import type { Io } from '../io.ts';
import { foldersOf } from './folders.ts';
import { idleRules } from './idleRules.ts';
import { type PageFlags, pageOutput, writePage } from './pageOutput.ts';

/** A page that the user requested for a plan. */
export interface PlanPage {
  /** Pass this function to the computation of the plan. It receives the states. */
  readonly onStates: OnStates;
  readonly write: (plan: Plan, made: MadeOf) => Promise<void>;
}

/** The inputs of a plan, and the digest of the file to which the plan was saved. */
interface MadeOf {
  readonly kinds: KindTable;
  readonly desired: readonly Desired[];
  readonly digest: string | undefined;
  /** The traffic in a store. */
  readonly observed: Observed | undefined;
}

/** The page of the plan that is computed next; undefined if the user requested no page. */
export async function planPage(flags: PageFlags, io: Io): Promise<PlanPage | undefined> {
  const output = await pageOutput(flags, io);
  if (output === undefined) return undefined;
  const found: { states?: Parameters<OnStates> } = {};
  return {
    onStates: (...states) => {
      found.states = states;
    },
    write: (plan, { kinds, desired, digest, observed }) => {
      const [first, last, stepsOf] = present(found.states, 'the states of a plan without errors');
      const labelled = withIdLabels(plan.called ?? []);
      const uses = observed && usesAcross(observed, first, last);
      const pictures = comparedPictures(first, last);
      const picture = labelled(withUses(pictures.after, uses?.after));
      const { before, changes } = labelled(pictures);
      const about = `Made for ${plan.server ?? 'the account'}.`;
      const steps = labelled(stepsOf());
      const sections = planSections({ plan, kinds, digest, steps, uses: labelled(uses?.before) });
      const folders = foldersOf(desired);
      const compared = { before, changes };
      const idle = idleRules(desired, plan.dialect === 'netbird' ? 'netbird' : 'spec');
      const head = planHead(plan);
      const content = { title: 'Plan', about, head, picture, compared, folders, plan: sections };
      return writePage({ ...content, idleRules: idle }, output);
    },
  };
}

// The uses of rules before and after a plan. The rules that stay also show the flows that the plan would have stopped.
function usesAcross(observed: Observed, first: AccessState, last: AccessState) {
  const before = rulesUsed(observed, first, last);
  const nameOf = ({ policy, rule }: RuleUse) => `${jsonString(policy)} ${jsonString(rule)}`;
  const stoppedOf = new Map(before.map(use => [nameOf(use), use]));
  const after = rulesUsed(observed, last).map(use => {
    const { stopped } = stoppedOf.get(nameOf(use)) ?? {};
    return stopped ? { ...use, stopped } : use;
  });
  return { before, after };
}
