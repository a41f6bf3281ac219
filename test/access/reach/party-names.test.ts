// The name of several sources names all whom it counts.
import { expect, test } from 'vitest';
import { answerQuestion } from '../../../src/access/ask/answer.ts';
import { selectorOf } from '../../../src/access/ask/selector.ts';
import { stateOfFiles } from '../../../src/access/state/stateOfFiles.ts';
import { serverForm } from '../../../src/cli/files/serverForm.ts';
import { desiredOf } from '../../support/files.ts';

const FILES = `
peers: [{ name: ann }, { name: bob }, { name: db }]
groups: [{ name: on-call, peers: [ann, bob] }, { name: data-team }, { name: dbs, peers: [db] }]
policies:
  - name: pg
    rules: [{ name: pg, sources: [on-call, data-team], destinations: [dbs], protocol: tcp, ports: ["5432"] }]
`;

test('a group whose future members can come only from another group is shown with a group that has all of the machines', () => {
  const to = selectorOf('peer/db');
  if ('fault' in to) throw new Error(to.fault);
  const answer = answerQuestion(stateOfFiles(desiredOf(FILES), serverForm('netbird')), {
    to,
    why: false,
  });
  if ('unknown' in answer) throw new Error('peer/db is unknown');
  expect(answer.flows.map(({ from }) => from)).toMatchObject([
    {
      name: 'group/on-call, machines that enrol with group/data-team',
      machines: ['ann', 'bob'],
      members_to_come: ['group/data-team', 'group/on-call'],
    },
  ]);
});
