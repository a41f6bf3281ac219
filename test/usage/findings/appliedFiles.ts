// The files of a drawn account before and after `tighten --write`, planned against its server and applied.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trialOf } from '../../../src/access/narrow/triedEdits.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { inParts } from '../../../src/engine/scope/parts.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { changesBetween } from './changesBetween.ts';
import { type DrawnAccount, stateOf } from './drawnAccount.ts';

const ALLOWED = ['--allow', 'DELETES_OBJECT', '--allow', 'OVER_THRESHOLD'];

interface Texts {
  readonly before: string;
  /** As they were written. */
  readonly after: string;
  /** As the findings say. */
  readonly said: string;
}

/** What plans of the files say, and how the account differs from what was said once the second is applied. */
export function appliedFiles({ api }: DrawnAccount, { before, after, said }: Texts) {
  return inFolder(async cwd => {
    for (const folder of ['network', 'base']) await mkdir(join(cwd, folder));
    await writeFile(join(cwd, 'base/network.yaml'), before);
    const run = async (text: string, ...argv: string[]) => {
      await writeFile(join(cwd, 'network/network.yaml'), text);
      const flags = ['network', '--prune', 'removed', '--base', 'base'];
      const env = environmentOf(api as never);
      return meshform([...argv, ...flags], { cwd, env, now: Date.parse('2026-03-02T00:00:00Z') });
    };
    const planOf = async (text: string) => {
      const { code, stdout, stderr } = await run(text, 'plan', '--format', 'json');
      const { access, access_tests: verdicts } = JSON.parse(stdout || '{}').meshform ?? {};
      const { gained = 0, lost = 0 } = access?.pairs ?? {};
      return { code, gained, lost, stderr, verdicts };
    };
    const state = await stateOf(api);
    const plans = { before: await planOf(before), after: await planOf(after) };
    const applied = await run(after, 'apply', '--yes', ...ALLOWED);
    const asSaid = accountWith(said, state);
    return {
      ...plans,
      applied: applied.code === 0 ? [] : applied.stderr,
      unlikeSaid: changesBetween(asSaid, await stateOf(api)).map(
        ({ kind, protocol, pairs }) => `${kind} ${protocol}: ${pairs} pairs`,
      ),
    };
  });
}

// The account with the policies and routes of files, and no others.
function accountWith(text: string, account: AccessState): AccessState {
  const trial = trialOf({
    desired: desiredOf(text),
    asKept: objects => inParts(objects, KINDS, 'netbird'),
    tests: [],
    guarded: [],
    account: { ...account, policies: [], routes: [] },
  });
  return trial.accountAfter([]);
}
