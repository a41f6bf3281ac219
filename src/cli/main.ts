// The process: its streams, signals and exit code. Nothing else in the house touches them.
import { fstatSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { KnownSecrets } from '../model/secrets/knownSecrets.ts';
import { reasonOf } from '../read/files/fileText.ts';
import { shippedText } from '../shipped.ts';
import { EXIT } from './exitCodes.ts';
import { type Io, type Sink, say } from './io.ts';
import { run } from './run.ts';

const { version } = JSON.parse(shippedText('package.json'));

/** Streams that nothing more can be written to, and why. */
const ended = new Map<NodeJS.WriteStream, NodeJS.ErrnoException>();

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
  every: (milliseconds, tick) => {
    const timer = setInterval(tick, milliseconds).unref();
    return () => clearInterval(timer);
  },
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

function sinkOf(stream: NodeJS.WriteStream & { readonly fd: number }): Sink {
  const isFile = isFileOrDevice(stream);
  return {
    write: text => {
      if (ended.has(stream)) return;
      if (isFile) writeFile(stream, text);
      else stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    get isClosed() {
      return ended.has(stream);
    },
  };
}

function isFileOrDevice({ fd, isTTY }: NodeJS.WriteStream & { readonly fd: number }): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || (stats.isCharacterDevice() && !isTTY);
  } catch {
    return false;
  }
}

// A disk that is nearly full takes a part of a text, which the platform's own stream takes for all of it.
function writeFile(stream: NodeJS.WriteStream & { readonly fd: number }, text: string): void {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(stream.fd, bytes, at);
  } catch (error) {
    ended.set(stream, error as NodeJS.ErrnoException);
  }
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

// That nobody reads on, or that there is no room, is no reason to leave an apply half done.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!ended.has(stream)) ended.set(stream, error);
  });

void main();

// Not at the top level: the script of the single executable may not wait there.
async function main(): Promise<void> {
  const code = await run(process.argv.slice(2), io, version);
  await new Promise(written => process.stdout.write('', written));
  process.exitCode = exitAfter(code);
}

// A reader that has seen enough, such as `head`, closes its end. Anything else means that the document is not whole.
function exitAfter(code: number): number {
  const fault = ended.get(process.stdout);
  if (fault === undefined || fault.code === 'EPIPE') return code;
  say(io.stderr, `Error: the output is not complete: ${reasonOf(fault)}`);
  return code === EXIT.done || code === EXIT.changes ? EXIT.failed : code;
}
