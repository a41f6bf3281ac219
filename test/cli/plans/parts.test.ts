// Policies of several rules at the command line, on a server that keeps one rule a policy.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isList, isObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, meshform } from '../../support/cli.ts';

const COMPANY = join(import.meta.dirname, '../../../examples/company');

let account: TestAccount;
let folder: string;
beforeEach(async () => {
  account = await startAccount({ dialect: 'netbird' });
  folder = mkdtempSync(join(tmpdir(), 'meshform-parts-'));
});
afterEach(async () => {
  await account.close();
  rmSync(folder, { recursive: true, force: true });
});

const SECRETS = { HELPDESK_TOKEN: 'x', HELPDESK_QUEUE_KEY: 'x', CHAT_AUTHORIZATION: 'x' };

const run = (argv: readonly string[]): Promise<Ended> =>
  meshform(argv, { cwd: folder, env: { ...environmentOf(account), ...SECRETS } });

const cli = (argv: readonly string[]): Promise<Ended> => run([...argv, '--dialect', 'netbird']);

const names = async (): Promise<readonly string[]> => {
  const found = await account.call('GET', '/api/policies');
  return (isList(found) ? found.filter(isObject) : []).map(({ name }) => String(name)).sort();
};

const rule = (name: string, port: number) =>
  `{ name: ${name}, sources: [g], destinations: [g], protocol: tcp, ports: ["${port}"] }`;

const write = (...rules: readonly string[]): void =>
  writeFileSync(
    join(folder, 'network.yaml'),
    `groups: [{ name: g }]\npolicies:\n  - name: p\n    rules: [${rules.join(', ')}]\n`,
  );

test('the example of a company is applied, stays unchanged, and is restored by an export', async () => {
  expect(await cli(['apply', COMPANY, '--yes'])).toMatchObject({ code: 0 });
  expect(await cli(['plan', COMPANY, '--detailed-exitcode'])).toMatchObject({ code: 0 });
  expect(await cli(['drift', COMPANY])).toMatchObject({ code: 0 });
  const out = join(folder, 'exported');
  expect(await cli(['export', '--out', out])).toMatchObject({ code: 0 });
  expect(await cli(['plan', out, '--detailed-exitcode'])).toMatchObject({ code: 0 });
  expect(await cli(['export', '--check', out])).toMatchObject({ code: 0 });
});

describe('a policy of several rules', () => {
  test('has one name in flags', async () => {
    write(rule('a', 1), rule('b', 2));
    expect(await cli(['apply', '.', '--yes'])).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['Default', 'p / a', 'p / b']);
    write(rule('a', 3), rule('b', 4));
    const one = await cli(['plan', '.', '--only', 'policy/p']);
    expect(one.stdout).toContain('Plan: 0 to add, 2 to change, 0 to destroy.');
    expect(await cli(['plan', '.', '--except', 'policy/p'])).toMatchObject({ code: 0 });
    expect((await cli(['plan', '.', '--except', 'policy/p'])).stdout).toContain('No changes.');
    expect(await cli(['plan', '.', '--only', 'policy/p / a'])).toMatchObject({ code: 3 });
  });

  test('is applied from a saved plan, and refused if a part has changed meanwhile', async () => {
    write(rule('a', 1), rule('b', 2));
    expect(await cli(['apply', '.', '--yes'])).toMatchObject({ code: 0 });
    write(rule('a', 3), rule('b', 4));
    expect(await cli(['plan', '.', '--out', 'plan.json'])).toMatchObject({ code: 0 });
    const found = await account.call('GET', '/api/policies');
    const part = (isList(found) ? found : []).filter(isObject).find(one => one.name === 'p / b');
    await account.call('DELETE', `/api/policies/${part?.id}`);
    expect(await run(['apply', 'plan.json', '--yes'])).toMatchObject({ code: 5 });
  });

  test('loses a rule only if that is allowed by the name of the policy', async () => {
    write(rule('a', 1), rule('b', 2), rule('c', 3));
    expect(await cli(['apply', '.', '--yes'])).toMatchObject({ code: 0 });
    const base = mkdtempSync(join(tmpdir(), 'meshform-base-'));
    cpSync(join(folder, 'network.yaml'), join(base, 'network.yaml'));
    write(rule('a', 1), rule('c', 3));
    const apply = ['apply', '.', '--yes', '--base', base];
    expect(await cli(apply)).toMatchObject({ code: 6 });
    expect(await cli([...apply, '--allow', 'DELETES_OBJECT=policy/q'])).toMatchObject({ code: 6 });
    expect(await cli([...apply, '--allow', 'DELETES_OBJECT=policy/p'])).toMatchObject({ code: 0 });
    rmSync(base, { recursive: true });
    expect(await names()).toEqual(['Default', 'p / a', 'p / c']);
  });

  test('acknowledges drift of a part by the name of the policy', async () => {
    write(rule('a', 1), rule('b', 2));
    expect(await cli(['apply', '.', '--yes'])).toMatchObject({ code: 0 });
    write(rule('a', 1), rule('b', 4));
    expect(await cli(['drift', '.'])).toMatchObject({ code: 2 });
    writeFileSync(
      join(folder, 'meshform.yaml'),
      'acknowledge:\n  - { object: policy/p, reason: known, until: 2999-01-01 }\n',
    );
    expect(await cli(['drift', '.'])).toMatchObject({ code: 0 });
  });

  test('is undone to its former state', async () => {
    write(rule('a', 1));
    expect(await cli(['apply', '.', '--yes'])).toMatchObject({ code: 0 });
    write(rule('a', 1), rule('b', 2));
    expect(await cli(['apply', '.', '--yes', '--journal', 'run.jsonl'])).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['Default', 'p / a', 'p / b']);
    const undone = await cli([
      'apply',
      '--undo',
      'run.jsonl',
      '--yes',
      '--allow',
      'DELETES_OBJECT',
    ]);
    expect(undone).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['Default', 'p']);
  });
});
