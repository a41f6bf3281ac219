// A fleet whose server has moved: its accounts at the Git remote belong to the address before.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { inFleet } from './fleetFolder.ts';

const PLAN = ['plan', '--prune', 'removed', '--base', 'auto', '--record-base', '--out', 'plans'];

const BEFORE = 'https://before.example';

/** Notes at the remote that the account belongs to a server. */
function noteServer(remote: string, account: string, address: string): void {
  const stored = (args: readonly string[], input: string) =>
    execFileSync('git', ['-C', remote, ...args], { input, encoding: 'utf8' }).trim();
  const blob = stored(['hash-object', '-w', '--stdin'], JSON.stringify({ addresses: [address] }));
  const tree = stored(['mktree'], `100644 blob ${blob}\tserver.json\n`);
  const commit = git(remote, 'commit-tree', '-m', 'noted', tree).trim();
  git(remote, 'update-ref', `refs/meshform-journal/${account}`, commit);
}

test('a moved server applies to its accounts if the credentials name the address before', () =>
  inFleet({ tenants: 1 }, async ({ msp, remote, home, fleet }) => {
    const { body } = await msp.call(msp.tenants[0]?.id ?? '', 'GET', '/api/groups');
    const [{ id: account } = { id: '' }] = body as unknown as { id: string }[];
    noteServer(remote, account, BEFORE);
    const entry = `url: "${msp.url}", former_url: "${BEFORE}/", token_env: MSP_TOKEN`;
    await writeFile(join(home, 'credentials.yaml'), `msp: { ${entry} }\n`);
    const planned = await fleet(PLAN);
    expect(planned.code, planned.stderr).toBe(0);
    const applied = await fleet(['apply', 'plans', '--yes']);
    expect(applied.code, applied.stderr).toBe(0);
    const note = git(remote, 'show', `refs/meshform-journal/${account}:server.json`);
    expect(JSON.parse(note).addresses).toEqual([BEFORE, msp.url].sort());
  }));
