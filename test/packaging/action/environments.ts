// Two environments under act: staging is applied, and of production exactly the plan that was approved, or nothing.
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAccount, type TestAccount } from '../../support/account.ts';
import type { Bench } from '../bench.ts';
import type { Step } from '../part.ts';
import { recordedBases } from '../recordedBases.ts';
import { push, readerOf, type Stage } from './stage.ts';

const WORKFLOW = 'two-environments.yml';

/** The steps, on an account for each environment. They replace the files of the repository. */
export async function environments(
  bench: Bench,
  { forge, pipeline, run }: Stage,
): Promise<Readonly<Record<string, Step>>> {
  const staging = await startAccount({ seed: 5 });
  const production = await startAccount({ seed: 6 });
  for (const { close } of [staging, production]) bench.onEnd(close);
  const settings = {
    vars: {
      STAGING_MESHFORM_URL: staging.url,
      PRODUCTION_PLAN_MESHFORM_URL: production.url,
      PRODUCTION_MESHFORM_URL: production.url,
    },
    secrets: {
      STAGING_MESHFORM_WRITER: staging.token,
      PRODUCTION_PLAN_MESHFORM_READER: await readerOf(production),
      PRODUCTION_PLAN_MESHFORM_FINGERPRINT_KEY: 'a key of both jobs, for the test',
      PRODUCTION_MESHFORM_WRITER: production.token,
      PRODUCTION_MESHFORM_FINGERPRINT_KEY: 'a key of both jobs, for the test',
    },
  };
  const workflow = await readFile(join(bench.root, 'examples/github', WORKFLOW), 'utf8');
  let before = '';
  const merge = async (exit: number, ...groups: readonly string[]) => {
    const text = `groups:\n${groups.map(name => `  - name: ${name}\n`).join('')}`;
    const head = await pipeline.commit({
      'network/staging/meshform.yaml': `account: ${await accountId(staging)}\n`,
      'network/staging/groups.yaml': text,
      'network/production/meshform.yaml': `account: ${await accountId(production)}\n`,
      'network/production/groups.yaml': text,
    });
    const ended = await run(exit, { workflow: WORKFLOW, ...push(head, before), ...settings });
    before = head;
    return { head, ...ended };
  };
  const revisionOf = async (name: string, account: TestAccount) =>
    (await recordedBases((...args) => pipeline.git(...args))).get(
      `refs/meshform-base/${await accountId(account)}/network%2F${name}`,
    );
  const comments = (label: string) =>
    forge.comments.filter(({ body }) => body.split('\n')[0]?.includes(`comment "${label}"`));
  return {
    'staging is applied, then the approved plan of production': async () => {
      await pipeline.git('rm', '-r', '--quiet', 'network');
      await pipeline.commit({ [`.github/workflows/${WORKFLOW}`]: withEnvironments(workflow) });
      const { head, stdout } = await merge(0, 'one', 'two');
      for (const account of [staging, production])
        assert.deepEqual(await groupNames(account), ['All', 'one', 'two']);
      assert.match(stdout, /The plan is fresh/);
      assert.equal(await revisionOf('staging', staging), head);
      assert.equal(await revisionOf('production', production), head);
      for (const label of ['staging', 'production']) {
        assert.equal(comments(label).length, 1);
        assert.match(comments(label)[0]?.body ?? '', new RegExp(`### meshform apply: ${label}`));
      }
    },
    'if production changes before the approval, nothing is applied to it': async () => {
      const recorded = before;
      forge.onComment = async body => {
        if (!body.includes('### meshform plan: production')) return;
        await production.call('POST', '/api/groups', { name: 'three' });
      };
      const { stdout } = await merge(1, 'one', 'three');
      forge.onComment = undefined;
      assert.match(stdout, /Stale: group\.three /);
      assert.deepEqual(await groupNames(staging), ['All', 'one', 'three']);
      assert.deepEqual(await groupNames(production), ['All', 'one', 'three', 'two']);
      assert.equal(await revisionOf('production', production), recorded);
    },
    'the next merge applies the rest': async () => {
      await merge(0, 'one', 'three', 'four');
      for (const account of [staging, production])
        assert.deepEqual(await groupNames(account), ['All', 'four', 'one', 'three']);
    },
  };
}

/** act knows no environments: the variables and secrets of a job get the name of its environment before their own. */
function withEnvironments(workflow: string): string {
  let environment = '';
  const lines = workflow.split('\n').map(line => {
    if (/^ {2}\S/.test(line)) environment = '';
    environment = /^ {4}environment: ([\w-]+)/.exec(line)?.[1] ?? environment;
    const prefix = environment.toUpperCase().replaceAll('-', '_');
    return line.replaceAll(/\b(vars|secrets)\./g, `$1.${prefix}_`);
  });
  return lines.join('\n');
}

async function groupNames({ call }: TestAccount): Promise<readonly string[]> {
  return Object.values((await call('GET', '/api/groups')) ?? {})
    .map(({ name }) => String(name))
    .sort();
}

async function accountId({ call }: TestAccount): Promise<string> {
  const [all] = Object.values((await call('GET', '/api/groups')) ?? {}).filter(
    ({ name }) => name === 'All',
  );
  return String(all?.id);
}
