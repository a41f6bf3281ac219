// The process: its streams, signals and exit code. Nothing else in the house touches them.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { KnownSecrets } from '../model/knownSecrets.ts';
import type { Io, Sink } from './io.ts';
import { run } from './run.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

const closed = new Set<NodeJS.WriteStream>();

const io: Io = {
  stdout: sinkOf(process.stdout),
  stderr: sinkOf(process.stderr),
  stdin: () => text(process.stdin),
  secrets: new KnownSecrets(),
  env: process.env,
  cwd: process.cwd(),
  self: { pid: process.pid, host: hostname(), isAlive },
  now: Date.now,
  random: Math.random,
  sleep: (milliseconds, signal) =>
    sleep(milliseconds, undefined, signal && { signal }).catch(error => {
      if (!signal?.aborted) throw error;
    }),
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : null,
  onInterrupt: handler => {
    process.on('SIGINT', handler);
    process.on('SIGTERM', handler);
    return () => {
      process.off('SIGINT', handler);
      process.off('SIGTERM', handler);
    };
  },
  abort: code => process.exit(code),
};

function sinkOf(stream: NodeJS.WriteStream): Sink {
  return {
    write: text => stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    get isClosed() {
      return closed.has(stream);
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

// A reader that has seen enough, such as `head`, closes its end. That is no reason to leave an apply half done.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed.add(stream);
  });

process.exitCode = await run(process.argv.slice(2), io, version);
