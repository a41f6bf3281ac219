// Two runners under act that share only the Git remote: simultaneous merges are applied one after the other.
import { strict as assert } from 'node:assert';
import type { Step } from '../part.ts';
import { recordedBases } from '../recordedBases.ts';
import { createdOn, NETWORKS, networksWith } from './killed.ts';
import { push, type Stage } from './stage.ts';

const WORKFLOW = 'merge.yml';

/** The steps. They start from the account that the last merge left. */
export function twoRunners(stage: Stage): Readonly<Record<string, Step>> {
  const { account, begin, names, pipeline, wire } = stage;
  return {
    'of two simultaneous merges on two runners the second waits for the first, and nothing is created twice':
      async () => {
        const project = (ttl: number) => `account: ${stage.accountId}\nlock_ttl: ${ttl}\n`;
        const before = createdOn(stage);
        const older = await pipeline.commit({
          ...networksWith('two'),
          // The first run is held until the second has begun.
          'network/meshform.yaml': project(180),
        });
        const other = await pipeline.runner('second-runner');
        const held = wire.hold();
        const first = begin({ workflow: WORKFLOW, ...push(older, older), runner: other });
        await Promise.race([held.reached, first.ended]);
        const newer = await pipeline.commit({
          'network/groups.yaml': 'groups: [{ name: of-the-second-merge }]\n',
        });
        const second = begin({ workflow: WORKFLOW, ...push(newer, older) });
        await second.said('Another apply holds the lock of the account.');
        assert.equal(createdOn(stage), before, 'the second writes nothing');
        held.go();
        for (const { ended } of [first, second]) {
          const { code, stdout, stderr } = await ended;
          assert.equal(code, 0, `${stdout.slice(-6_000)}${stderr}`);
        }
        const made = (await names('networks')).filter(name => name.startsWith('two'));
        assert.deepEqual(
          made,
          NETWORKS.map(name => `two${name}`),
        );
        assert.equal(createdOn(stage) - before, NETWORKS.length);
        assert.ok((await names('groups')).includes('of-the-second-merge'));
        const bases = await recordedBases((...args) => pipeline.git(...args));
        assert.deepEqual([...bases.values()], [newer], 'the base is that of the second');
        await pipeline.commit({ 'network/meshform.yaml': project(15) });
      },
    'an older merge that comes after a newer one is refused, on another runner as well':
      async () => {
        const sent = account.requests.filter(({ method }) => method !== 'GET').length;
        const runner = await pipeline.runner('third-runner');
        await stage.inRunner(runner, 'reset', '--quiet', '--hard', 'HEAD~2');
        const older = await stage.inRunner(runner, 'rev-parse', 'HEAD');
        const { stdout } = await stage.run(1, {
          workflow: WORKFLOW,
          ...push(older, older),
          runner,
        });
        assert.match(stdout, /BASE_NOT_BEHIND/);
        const writes = account.requests.filter(({ method }) => method !== 'GET').length;
        assert.equal(writes, sent, 'nothing is written');
      },
  };
}
