// The messages of refusals of a plan because something has changed since it was made, shown or carried out.
import type { Overtaking, RefusalOf } from '../../apply/refusal.ts';
import { shortRun } from '../../model/runName.ts';
import { visible } from '../../model/text/visible.ts';
import { endingText } from '../../report/plan/endingsText.ts';
import { counted } from '../../report/text/summary.ts';
import type { Sentence } from './sentence.ts';

type OfStalePlan = RefusalOf<
  'secrets-changed' | 'changed-since' | 'plan-overtaken' | 'ended-since' | 'access-since'
>;

const ASK_AGAIN = 'run it again, and review what it shows then';

const LOOK_AGAIN = 'create a new plan with `meshform plan --out FILE` and review it';

/** The message for a plan that is stale. */
export function sentenceOfStalePlan(refusal: OfStalePlan): Sentence {
  switch (refusal.refused) {
    case 'secrets-changed': {
      const [first, ...others] = refusal.messages;
      return [first, LOOK_AGAIN, others];
    }
    case 'changed-since': {
      const { addresses } = refusal;
      const some = `${addresses.slice(0, 5).join(', ')}${addresses.length > 5 ? ', …' : ''}`;
      const changed = counted(addresses.length, 'object');
      return [`this plan was applied already, and ${changed} changed since: ${some}`, LOOK_AGAIN];
    }
    case 'plan-overtaken':
      return [
        `the run ${shortRun(refusal.run)} began this plan, and ${sinceThen(refusal.later)}`,
        LOOK_AGAIN,
      ];
    case 'ended-since':
      return sentenceOfEnding(refusal);
    case 'access-since':
      return sentenceOfAccess(refusal);
  }
}

function sinceThen(later: Overtaking): string {
  if (later.as === 'base') return `an apply recorded ${later.ref} at ${later.recordedAt}, after it`;
  const by = `the run ${shortRun(later.by)}`;
  return {
    undo: `${by} has undone it`,
    'unfinished undo': `${by} began to undo it`,
    apply: `${by}, a later apply of the same files, is complete`,
  }[later.as];
}

function sentenceOfEnding({ ending, isBack, clock }: RefusalOf<'ended-since'>): Sentence {
  const what = endingText(ending);
  if (isBack)
    return [
      `according to the clock of this machine, the plan removes something that has not expired yet: ${what}`,
      'set the clock of this machine',
    ];
  return [`something has expired since the plan was made at ${clock}: ${what}`, LOOK_AGAIN];
}

function sentenceOfAccess(refusal: RefusalOf<'access-since'>): Sentence {
  const { gained, lost, moved, hazards, isUnseen = false } = refusal;
  const told = [
    ...(gained.length > 0 ? ['gives access'] : []),
    ...(lost.length > 0 ? ['takes access'] : []),
    ...(moved.length > 0 ? ['leads names elsewhere'] : []),
    ...(hazards.length > 0 ? ['has hazards'] : []),
  ];
  const what = told.join(' and ');
  const message = `PLAN_STALE: the account changed since the plan was ${isUnseen ? 'shown' : 'made'}, and the plan ${what} that it did not show:`;
  const lines = [
    ...gained.map(text => `  + ${visible(text)}`),
    ...lost.map(text => `  − ${visible(text)}`),
    ...moved.map(text => `  NAME_MOVES  ${visible(text)}`),
    ...hazards.map(text => `  ${visible(text)}`),
  ];
  return [message, isUnseen ? ASK_AGAIN : LOOK_AGAIN, lines];
}
