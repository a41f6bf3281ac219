// Plans for the policy checks: real files, planned for an account that an earlier state of them was applied to.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isList, isObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { meshform as run } from '../../support/cli.ts';
import { removeJournals } from '../../support/journals.ts';
import type { Bench } from '../bench.ts';
import type { Edits } from './tables.ts';

/** The machines of an account that is not new. */
const MACHINES = ['devs-1', 'ops-1', 'prod-servers-1', 'test-servers-1', 'routers-1'];

/** An account for the plans of one policy check. */
export interface PlannedAccount {
  readonly account: TestAccount;
  /** Plans files, and resolves to the path of the saved plan. */
  readonly plan: (text: string, flags?: readonly string[]) => Promise<string>;
  /** Runs a command of meshform on files. Resolves to its output. */
  readonly meshform: (command: readonly string[], text: string, exit?: number) => Promise<string>;
}

/** An account with these files applied; without them, one like new. Neither has the policy that lets everybody reach everybody. */
export async function plannedAccount(bench: Bench, live?: string): Promise<PlannedAccount> {
  const account = await startAccount();
  bench.onEnd(account.close);
  bench.onEnd(async () => removeJournals());
  const env = { MESHFORM_URL: account.url, MESHFORM_TOKEN: account.token };
  const group = await idOf(account, '/api/groups', 'All');
  const meshform: PlannedAccount['meshform'] = async ([verb = '', ...flags], text, exit = 0) => {
    const folder = await emptyFolder(bench);
    await writeFile(join(folder, 'network.yaml'), text.replaceAll('id:ALL', `id:${group}`));
    const { code, stdout, stderr } = await run([verb, folder, ...flags], { env, cwd: folder });
    assert.equal(code, exit, `${verb}\n${stdout}${stderr}`);
    return stdout;
  };
  const everybody = await idOf(account, '/api/policies', 'Default');
  await account.call('DELETE', `/api/policies/${everybody}`);
  if (live !== undefined) {
    for (const name of MACHINES) await account.enrol(name);
    const secrets = ['--secrets-to', `file:${join(await emptyFolder(bench), 'keys.jsonl')}`];
    await meshform(['apply', '--yes', ...secrets], live);
  }
  return {
    account,
    meshform,
    plan: async (text, flags = []) => {
      const file = join(await emptyFolder(bench), 'plan.json');
      await meshform(['plan', '--out', file, ...flags], text);
      return file;
    },
  };
}

/** Files with other texts. Each text must be in them, so that an edit cannot silently do nothing. */
export function edited(text: string, edits: Edits): string {
  return edits.reduce((now, [former, by]) => {
    assert.ok(now.includes(former), `nothing to edit: ${former}`);
    return now.replace(former, () => by);
  }, text);
}

/** Files without machines, for an account that has none. */
export const withoutMachines = (text: string): string =>
  text.replaceAll(/, peers: \[[^\]]*\]/g, '');

let folders = 0;

async function emptyFolder({ scratch }: Bench): Promise<string> {
  folders += 1;
  const folder = join(scratch, `folder-${folders}`);
  await mkdir(folder);
  return folder;
}

async function idOf(account: TestAccount, path: string, name: string): Promise<string> {
  const found = await account.call('GET', path);
  const object = (isList(found) ? found : []).filter(isObject).find(one => one.name === name);
  return String(object?.id);
}
