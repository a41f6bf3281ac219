// The programs that a run starts, watched: git and sops under their own names, with the environment that they got, every program
// that git starts in turn, and one program that nobody may start.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Watched {
  /** A PATH on which the watched programs come first. */
  readonly path: string;
  /** The program that nobody may start. */
  readonly forbidden: string;
  /** Whether somebody started it since the last question. */
  readonly wasStarted: () => Promise<boolean>;
  /** Writes its environment to where `environments` finds it: a command of the shell. */
  readonly record: string;
  /** The environments of all programs. */
  readonly environments: () => Promise<readonly string[]>;
  /** The same of git and sops, with what each is and does: `git -c a=b status`. */
  readonly commands: () => Promise<readonly WatchedCommand[]>;
  /** The files that `sops` was asked to open. */
  readonly opened: () => Promise<readonly string[]>;
  /** The commands that git started. */
  readonly children: () => Promise<readonly string[]>;
}

/** A program that was started. */
interface WatchedCommand {
  readonly command: string;
  /** Its environment, a variable a line. */
  readonly environment: string;
}

/** Programs in a new folder. `opened` is what `sops` makes of every file. */
export async function watchPrograms(folder: string, opened: string): Promise<Watched> {
  const at = (name: string) => join(folder, name);
  for (const name of ['bin', 'environments', 'commands', 'events', 'opened'])
    await mkdir(at(name), { recursive: true });
  const record = `env > '${at('environments')}'/$$`;
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const noteOf = (name: string) =>
    `${record}\nprintf '%s\\n' "${name} $*" | tr '\\n' ' ' > '${at('commands')}'/$$`;
  const traced = `GIT_TRACE2_EVENT='${at('events')}' exec '${real}' "$@"`;
  await program(at('bin/git'), `${noteOf('git')}\n${traced}`);
  await writeFile(at('answer'), opened);
  const noted = `for file; do :; done\nprintf '%s' "$file" > '${at('opened')}'/$$`;
  await program(at('bin/sops'), `${noteOf('sops')}\n${noted}\nexec /bin/cat '${at('answer')}'`);
  // It does not depend on a PATH.
  await program(at('forbidden'), `: > '${at('started')}'\n/bin/cat > /dev/null\nexit 1`);
  return {
    path: `${at('bin')}:/usr/bin:/bin`,
    forbidden: at('forbidden'),
    record,
    wasStarted: async () => {
      const names = await readdir(folder);
      await rm(at('started'), { force: true });
      return names.includes('started');
    },
    environments: () => textsIn(at('environments')),
    commands: async () =>
      Promise.all(
        (await readdir(at('commands'))).map(async name => ({
          command: (await readFile(join(at('commands'), name), 'utf8')).trim(),
          environment: await readFile(join(at('environments'), name), 'utf8'),
        })),
      ),
    opened: () => textsIn(at('opened')),
    children: async () => (await textsIn(at('events'))).flatMap(commandsIn),
  };
}

async function program(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

async function textsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return Promise.all(names.map(name => readFile(join(folder, name), 'utf8')));
}

const commandsIn = (events: string): string[] =>
  events
    .split('\n')
    .filter(line => line.includes('"child_start"'))
    .map(line => (JSON.parse(line).argv as string[]).join(' '));
