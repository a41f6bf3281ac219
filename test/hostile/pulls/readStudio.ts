// A studio that runs until a browser would have seen all that its page shows at first.

import { answerTo, type RunningStudio, updatesOf } from '../../cli/studio/studioRun.ts';
import type { CliOptions, Ended } from '../../support/cli.ts';
import type { RunCommand } from './trial.ts';

/** Runs it; the page and its parts are added to what it printed, and `host` is where it listened. */
export async function readStudio(
  run: RunCommand,
  argv: readonly string[],
  options: CliOptions,
): Promise<Ended & { readonly host?: string }> {
  let reading: Promise<string> | undefined;
  let host: string | undefined;
  const ended = await run(argv, {
    ...options,
    onDocument: (line, interrupt) => {
      const [, port = '', token = ''] = /http:\/\/127\.0\.0\.1:(\d+)\/#([\w-]+)/.exec(line) ?? [];
      host = `127.0.0.1:${port}`;
      reading = shown({ port: Number(port), token }, argv.includes('--live')).finally(() =>
        interrupt('SIGTERM'),
      );
    },
  });
  return { ...ended, stdout: `${ended.stdout}${(await reading) ?? ''}`, ...(host && { host }) };
}

type Reached = Pick<RunningStudio, 'port' | 'token'>;

async function shown(studio: Reached, isLive: boolean): Promise<string> {
  const { text } = await answerTo(studio, {});
  const texts = [text];
  for await (const parts of updatesOf(studio)) {
    texts.push(JSON.stringify(parts));
    const { 'part-account': account = '' } = parts;
    if (!isLive || /read at|cannot be read/.test(account)) break;
  }
  return texts.join('\n');
}
