// A git that writes down its commands.
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The environment that leads to such a git, and the commands that it was started with since they were last asked for. */
export interface NoticedGit {
  readonly env: NodeJS.ProcessEnv;
  readonly asked: () => Promise<readonly string[]>;
}

/** Puts a git that writes down its commands into a folder. */
export async function noticed(bin: string): Promise<NoticedGit> {
  const log = join(bin, 'log');
  const path = process.env.PATH ?? '';
  const script = `#!/bin/sh\necho "$4" >> '${log}'\nPATH='${path}' exec git "$@"\n`;
  await writeFile(join(bin, 'git'), script);
  await chmod(join(bin, 'git'), 0o755);
  return {
    env: { ...process.env, PATH: [bin, path].join(delimiter) },
    asked: async () => {
      const said = await readFile(log, 'utf8').catch(() => '');
      await rm(log, { force: true });
      return said.split('\n').filter(command => command !== '');
    },
  };
}
