// The program with a studio: it prints one line with an address that works, and ends with its terminal.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';
import { LAUNCHER } from '../../support/program/program.ts';
import { answerTo, withStudio } from './studioRun.ts';

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends the studio with exit code 0',
  async signal => {
    await inFolder(async cwd => {
      await writeFile(join(cwd, 'a.yaml'), 'groups: [{ name: a }]\n');
      const child = spawn(process.execPath, [LAUNCHER, 'studio'], {
        cwd,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = await once(child.stdout, 'data');
      const [, port, token] =
        /^Open http:\/\/127\.0\.0\.1:(\d+)\/#([\w-]+) .*\n$/.exec(String(line)) ?? [];
      const page = await answerTo({ port: Number(port) }, {});
      expect([page.status, token?.length]).toEqual([200, 32]);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
    });
  },
);

test('the studio refuses a missing path, an invalid base, and a port in use as a wrong command line', async () => {
  await inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), 'groups: [{ name: a }]\n');
    expect(await meshform(['studio', 'nowhere'], { cwd })).toMatchObject({ code: 3 });
    expect(await meshform(['studio', '.', '--base', 'nowhere'], { cwd })).toMatchObject({
      code: 3,
    });
    expect(await meshform(['studio', '.', '--port', '65536'], { cwd })).toMatchObject({ code: 64 });
    await withStudio(['.'], { cwd }, async ({ port }) => {
      const { code, stderr } = await meshform(['studio', '.', '--port', `${port}`], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain('choose another port with --port');
    });
  });
});

test('the studio starts with faulty files', async () => {
  await inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), 'groups: [');
    await withStudio(['.'], { cwd }, async ({ line, stop }) => {
      expect(line).toContain('Open http://127.0.0.1:');
      expect(await stop()).toMatchObject({ code: 0, stderr: '' });
    });
  });
});
