// The policy checks of the examples, each over plans that meshform prints: changes that pass, and mutations of one that do not. And
// SARIF for lints.
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import type { Part } from '../part.ts';
import { edited, type PlannedAccount, plannedAccount, withoutMachines } from './plans.ts';
import { type PolicyTable, TABLES } from './tables.ts';

/** The check of what a plan leaves out. No files make such a plan: the account or the command does. */
const COMPLETE = 'complete.rego';

const NETWORK = 'networks: [{ name: lab }]';
const OTHER = 'networks: [{ name: other }]';

export const policies: Part = {
  tools: ['conftest'],
  notRun: ['code scanning, which reads the SARIF'],
  open: async bench => {
    const folder = join(bench.root, 'examples/policies');
    const check: Check = async (file, plan, exit) => {
      const args = ['test', '--policy', join(folder, file), plan];
      return (await bench.run(bench.tool('conftest'), args, { exit })).stdout;
    };
    const steps = Object.entries(TABLES).flatMap(([file, table]) =>
      Object.entries(tableSteps(bench, file, table, check)),
    );
    return {
      'every policy check is run': async () => {
        const files = (await readdir(folder)).filter(name => name.endsWith('.rego'));
        assert.deepEqual(files.sort(), [COMPLETE, ...Object.keys(TABLES)].sort());
      },
      ...Object.fromEntries(steps),
      ...completeSteps(bench, check),
      'lints are SARIF for code scanning': async () => {
        const lint = ['validate', join(bench.root, 'examples/everything'), '--lint'];
        const args = [join(bench.root, 'bin/meshform.js'), ...lint, '--format', 'sarif'];
        const { stdout } = await bench.run(process.execPath, args);
        const { version, runs } = JSON.parse(stdout);
        assert.equal(version, '2.1.0');
        assert.equal(runs[0].tool.driver.name, 'meshform');
      },
    };
  },
};

/** Runs a policy check on a plan, expects an exit code, and resolves to what it says. */
type Check = (file: string, plan: string, exit: number) => Promise<string>;

type Steps = Record<string, () => Promise<void>>;

function tableSteps(bench: Bench, file: string, table: PolicyTable, check: Check): Steps {
  let started: Promise<PlannedAccount> | undefined;
  const accountWith = (): Promise<PlannedAccount> => {
    started ??= plannedAccount(bench, table.live);
    return started;
  };
  const steps: Steps = {};
  for (const [name, edits] of Object.entries(table.passes))
    steps[`${file} passes: ${name}`] = async () => {
      const { plan } = await accountWith();
      await check(file, await plan(edited(table.live, edits)), 0);
    };
  const passing = edited(table.live, table.passes[table.mutated] ?? []);
  for (const [name, mutation] of Object.entries(table.fails))
    steps[`${file} stops: ${name}`] = async () => {
      const { replace, stops, flags, isForNewAccount } = mutation;
      const text = edited(passing, replace);
      const { plan } = isForNewAccount ? await plannedAccount(bench) : await accountWith();
      const saved = await plan(isForNewAccount ? withoutMachines(text) : text, flags);
      const said = await check(file, saved, 1);
      assert.ok(said.includes(stops), `it does not say "${stops}":\n${said}`);
    };
  return steps;
}

function completeSteps(bench: Bench, check: Check): Steps {
  const stopped = async (document: string, message: string) => {
    const file = join(bench.scratch, 'document.json');
    await writeFile(file, document);
    const said = await check(COMPLETE, file, 1);
    assert.ok(said.includes(message), `it does not say "${message}":\n${said}`);
  };
  const json = ['--format', 'json'];
  return {
    [`${COMPLETE} passes: a plan`]: async () => {
      const { plan } = await plannedAccount(bench);
      await check(COMPLETE, await plan(NETWORK), 0);
    },
    [`${COMPLETE} passes: a plan without changes`]: async () => {
      const { plan } = await plannedAccount(bench, NETWORK);
      await check(COMPLETE, await plan(NETWORK), 0);
    },
    [`${COMPLETE} stops: access that depends on a list that cannot be read`]: async () => {
      const { account, plan } = await plannedAccount(bench, NETWORK);
      const path = '/api/routes';
      await account.fault({ method: 'GET', path, effect: 'status', status: 403, times: 9 });
      const said = await check(COMPLETE, await plan(OTHER), 1);
      assert.ok(said.includes('access was not compared: routes'), said);
    },
    [`${COMPLETE} stops: files with errors`]: async () => {
      const { meshform } = await plannedAccount(bench);
      const wrong = 'networks: [{ name: lab, resources: [{ name: a, address: nowhere }] }]';
      const findings = await meshform(['plan', ...json], wrong, 3);
      await stopped(findings, 'the plan does not say which access it grants');
    },
    [`${COMPLETE} stops: drift, which is no plan`]: async () => {
      const { meshform } = await plannedAccount(bench);
      const drift = await meshform(['drift', ...json], NETWORK, 2);
      await stopped(drift, 'the plan does not say which access it grants');
    },
  };
}
