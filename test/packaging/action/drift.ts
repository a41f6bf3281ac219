// Drift under act: one issue is opened, kept up to date, and closed.
import { strict as assert } from 'node:assert';
import type { Step } from '../part.ts';
import { BOT, postOf } from './forge.ts';
import type { Stage } from './stage.ts';

/** The steps; the account is as the last merge left it. */
export function drift({ account, forge, run, names }: Stage): Readonly<Record<string, Step>> {
  const look = () => run(0, { workflow: 'schedule.yml', event: 'schedule', payload: {} });
  const remove = async (name: string) => {
    const list = Object.values((await account.call('GET', '/api/groups')) ?? {});
    await account.call('DELETE', `/api/groups/${list.find(one => one.name === name)?.id}`);
  };
  const own = () => forge.issues.filter(({ user }) => user.login === BOT);
  let lost: readonly string[] = [];
  const isShown = (index: number) =>
    (own()[0]?.body ?? '').includes(`group.${lost[index]} is missing from the account`);
  return {
    'drift opens one issue': async () => {
      lost = (await names('groups')).filter(name => name !== 'All');
      assert.ok(lost.length > 1);
      forge.issues.push(postOf(1, 'mallory', '<!-- meshform-action drift "" -->\nforged'));
      await remove(lost[0] ?? '');
      await look();
      assert.deepEqual([own().length, own()[0]?.state], [1, 'open']);
      assert.deepEqual([isShown(0), isShown(1)], [true, false]);
    },
    'more drift updates it': async () => {
      await remove(lost[1] ?? '');
      await look();
      assert.deepEqual([own().length, own()[0]?.state], [1, 'open']);
      assert.deepEqual([isShown(0), isShown(1)], [true, true]);
    },
    'and it is closed when the drift is gone': async () => {
      for (const name of lost.slice(0, 2)) await account.call('POST', '/api/groups', { name });
      await look();
      assert.deepEqual([own().length, own()[0]?.state], [1, 'closed']);
      assert.equal(forge.issues[0]?.state, 'open', 'the issue of somebody else stays');
    },
  };
}
