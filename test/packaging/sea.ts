// The single executable: built, then used in an empty folder with an empty environment.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askQueue, deliveredSteps } from './delivered.ts';
import type { Part } from './part.ts';

export const sea: Part = {
  tools: [],
  notRun: [
    'other distributions and processors: the executable has the C library requirements of its Node',
  ],
  open: async bench => {
    const { root, scratch, run } = bench;
    await run('npm', ['run', 'build:sea'], { cwd: root });
    const command = join(root, 'build/meshform');
    const folder = join(scratch, 'empty');
    await mkdir(folder);
    const env = { PATH: folder, HOME: folder };
    return {
      'its digest and its bill of materials are beside it': async () => {
        await run('sha256sum', ['--check', 'meshform.sha256'], { cwd: join(root, 'build') });
        const bill = JSON.parse(await readFile(`${command}.cdx.json`, 'utf8'));
        const purls: string[] = bill.components.map((one: { purl: string }) => one.purl);
        assert.ok(purls.includes(`pkg:github/nodejs/node@${process.version}`));
        for (const name of ['undici', 'pg', 'pg-boss', 'pg-protocol', 'cron-parser'])
          assert.ok(
            purls.some(purl => purl.startsWith(`pkg:npm/${name}@`)),
            name,
          );
      },
      'it has the packages of the queue inside': async () => {
        const ended = await askQueue(bench, command, { folder, env });
        assert.match(ended.stderr, /the database does not answer: connect ENOENT/);
      },
      ...deliveredSteps(bench, { command, env, folder }),
      'a mistake is a sentence and an exit code': async () => {
        const ended = await run(command, ['plan', '--nope'], { cwd: folder, env, exit: 64 });
        assert.match(ended.stderr, /^Error: unknown option '--nope'/);
        assert.doesNotMatch(ended.stderr, /^ +at /m);
      },
      'nothing but what the commands wrote is in the folder': async () => {
        assert.deepEqual((await readdir(folder)).sort(), ['access.html', 'first']);
      },
    };
  },
};
