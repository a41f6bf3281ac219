// The emulator as the test server of other projects, as `docs/emulator.md` shows it, from the installed package.
import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './bench.ts';

/** Another package starts an emulator and sends a request to it. */
export async function importEmulator({ run }: Bench, prefix: string): Promise<void> {
  const code = `
    import { startEmulator } from 'meshform/emulator';
    const { url, token, close } = await startEmulator();
    const { status } = await fetch(url + '/api/groups', { headers: { authorization: 'Token ' + token } });
    await close();
    console.log(status);`;
  const installed = join(prefix, 'lib/node_modules/meshform');
  const args = ['--input-type=module', '--eval', code];
  const { stdout } = await run(process.execPath, args, { cwd: installed });
  assert.equal(stdout, '200\n');
}

export async function checkTypes({ root, run, scratch }: Bench, prefix: string): Promise<void> {
  const folder = join(scratch, 'typed');
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await symlink(join(prefix, 'lib/node_modules/meshform'), join(folder, 'node_modules/meshform'));
  await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'server.ts'),
    `import { type Emulator, startEmulator } from 'meshform/emulator';
export const emulator: Emulator = await startEmulator({ dialect: 'netbird', controls: true });
// @ts-expect-error: there is no such dialect.
await startEmulator({ dialect: 'other' });
`,
  );
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node', 'server.ts'];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, ...flags], { cwd: folder });
}

/** Runs the fixture of the page and its test. */
export async function runPytest({ run, env, note, scratch }: Bench, prefix: string): Promise<void> {
  const isThere = await run('python3', ['-m', 'pytest', '--version'], { exit: 'any' });
  if (isThere.code !== 0) return note('not run: python3 has no pytest');
  const page = await readFile(join(prefix, 'lib/node_modules/meshform/docs/emulator.md'), 'utf8');
  const blocks = [...page.matchAll(/^```python\n(.*?)^```$/gms)].map(([, block = '']) => block);
  assert.equal(blocks.length, 1);
  const folder = join(scratch, 'pytest');
  await mkdir(folder);
  await writeFile(join(folder, 'test_groups.py'), blocks[0] ?? '');
  const withProgram = { ...env, PATH: `${join(prefix, 'bin')}:${env.PATH}` };
  await run('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
    cwd: folder,
    env: withProgram,
  });
}
