// An answer names the rules that grant each of its flows, and no others.
import { expect, test } from 'vitest';
import { answerQuestion } from '../../../src/access/ask/answer.ts';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { stateOfFiles } from '../../../src/access/state/stateOfFiles.ts';
import { desiredOf } from '../../support/files.ts';

const policy = (name: string, ...destinations: readonly string[]) => ({
  name,
  rules: [{ name, sources: ['dev'], destinations, protocol: 'tcp', ports: ['22'] }],
});

/** By destination, the policies that are named. */
function grantsTo(...policies: readonly ReturnType<typeof policy>[]) {
  const groups = ['dev', 'db', 'wiki'].map(name => ({ name }));
  const state = stateOfFiles(desiredOf(JSON.stringify({ groups, policies })), given => given);
  const from = checkedSelector('group/dev');
  const to = checkedSelector('all');
  const answer = answerQuestion(state, { from, to, why: false });
  if (!('flows' in answer)) throw new Error('an answer was expected');
  return answer.flows.map(flow => [flow.to.name, flow.via.map(grant => grant.policy)]);
}

test('machines that different policies reach in the same way are separate flows', () => {
  expect(grantsTo(policy('to db', 'db'), policy('to wiki', 'wiki'))).toEqual([
    ['group/db', ['to db']],
    ['group/wiki', ['to wiki']],
  ]);
});

test('machines that the same policies reach in the same way are one flow', () => {
  const both = ['db', 'wiki'];
  expect(grantsTo(policy('ssh', ...both), policy('again', ...both))).toEqual([
    ['machines that enrol with group/db, group/wiki', ['again', 'ssh']],
  ]);
});
