import { answerQuestion } from '../../../src/access/ask/answer.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';

/** All flows of a state without the ids of objects: what a plan will create has none yet. */
export function flowsWithoutIds(state: AccessState) {
  const answer = answerQuestion(state, { why: false });
  if (!('flows' in answer)) throw new Error('a question without a selector has an answer');
  return { ...answer, flows: answer.flows.map(flow => ({ ...flow, ids: undefined })) };
}
