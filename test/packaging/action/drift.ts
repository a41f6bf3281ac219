// Drift under act: one issue is opened, kept up to date, and closed.
import { strict as assert } from 'node:assert';
import type { Step } from '../part.ts';
import { BOT, postOf } from './forge.ts';
import { push, type Stage } from './stage.ts';

/** Declared groups that somebody removes. */
const LOST = ['lost', 'missed'] as const;

/** The steps. They start from the account that other steps left, with objects that no file declares. */
export function drift({ account, forge, pipeline, run }: Stage): Readonly<Record<string, Step>> {
  const checkDrift = () => run(0, { workflow: 'schedule.yml', event: 'schedule', payload: {} });
  const remove = async (name: string) => {
    const list = Object.values((await account.call('GET', '/api/groups')) ?? {});
    await account.call('DELETE', `/api/groups/${list.find(one => one.name === name)?.id}`);
  };
  const own = () => forge.issues.filter(({ user }) => user.login === BOT);
  const assertLost = (...names: readonly string[]) => {
    const body = own()[0]?.body ?? '';
    const shown = [...body.matchAll(/^- group\.(\S+) is missing from the account$/gm)];
    assert.deepEqual(shown.map(([, name]) => name).sort(), [...names], body);
  };
  return {
    'drift opens one issue': async () => {
      const groups = LOST.map(name => `  - name: ${name}\n`).join('');
      const head = await pipeline.commit({ 'network/groups.yaml': `groups:\n${groups}` });
      await run(0, { workflow: 'merge.yml', ...push(head, head) });
      forge.issues.push(postOf(1, 'mallory', '<!-- meshform-action drift "" -->\nforged'));
      await remove(LOST[0]);
      await checkDrift();
      assert.deepEqual([own().length, own()[0]?.state], [1, 'open']);
      assertLost(LOST[0]);
    },
    'more drift updates the issue': async () => {
      await remove(LOST[1]);
      await checkDrift();
      assert.deepEqual([own().length, own()[0]?.state], [1, 'open']);
      assertLost(...LOST);
    },
    'the issue is closed once the drift is gone': async () => {
      for (const name of LOST) await account.call('POST', '/api/groups', { name });
      await checkDrift();
      assert.deepEqual([own().length, own()[0]?.state], [1, 'closed']);
      assert.equal(forge.issues[0]?.state, 'open', 'the issue of somebody else stays');
    },
  };
}
