// The process: its streams, signals and exit code. No other file accesses them. Modules that few
// commands need are loaded on demand, because loading takes most of the time of a short command.
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { KnownSecrets } from '../model/secrets/knownSecrets.ts';
import { endPrograms } from '../read/programs/runningPrograms.ts';
import { shippedText } from '../shipped.ts';
import { INTERRUPTS } from './exitCodes.ts';
import type { Io, Sink } from './io.ts';

type Stream = NodeJS.WriteStream & { readonly fd: number };

/** Streams that can no longer be written to, by file descriptor, with the error. */
const ended = new Map<number, NodeJS.ErrnoException>();

/** Streams to which text was written, by file descriptor. */
const opened = new Map<number, Stream>();

const io: Io = {
  stdout: sinkOf(1, () => process.stdout),
  stderr: sinkOf(2, () => process.stderr),
  stdin: async () => (await import('node:stream/consumers')).text(process.stdin),
  secrets: new KnownSecrets(),
  env: process.env,
  cwd: process.cwd(),
  get self() {
    return { pid: process.pid, host: hostname(), isAlive };
  },
  get endGroup() {
    return hasTerminal() ? undefined : endGroup;
  },
  now: Date.now,
  monotonic: () => performance.now(),
  random: Math.random,
  sleep: (milliseconds, signal) =>
    sleep(milliseconds, undefined, signal && { signal }).catch(error => {
      if (!signal?.aborted) throw error;
    }),
  every: (milliseconds, tick) => {
    const timer = setInterval(tick, milliseconds).unref();
    return () => clearInterval(timer);
  },
  get ask() {
    return process.stdin.isTTY && process.stderr.isTTY ? ask : null;
  },
  onInterrupt: handler => {
    for (const signal of INTERRUPTS) process.on(signal, handler);
    return () => {
      for (const signal of INTERRUPTS) process.off(signal, handler);
    };
  },
  onTerminalGone: whenTerminalGone,
  abort: code => process.exit(code),
};

function sinkOf(fd: number, open: () => Stream): Sink {
  const stream = () => opened.get(fd) ?? openStream(fd, open);
  const isTerminal = isCharacterDevice(fd) && open().isTTY === true;
  return {
    write: text => {
      if (ended.has(fd)) return;
      if (isTerminal || opened.has(fd)) stream().write(text);
      else writeAtOnce(fd, text, rest => stream().write(rest));
    },
    isTerminal,
    get columns() {
      return isTerminal ? open().columns : undefined;
    },
    get isClosed() {
      return ended.has(fd);
    },
  };
}

// A closed reader or a full disk must not interrupt an apply.
function openStream(fd: number, open: () => Stream): Stream {
  const stream = open();
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!ended.has(fd)) ended.set(fd, error);
  });
  opened.set(fd, stream);
  return stream;
}

function isCharacterDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}

// Writes without a stream, because streams are slow to load. A disk that is almost full accepts
// only a part of a text, and the platform's own stream would report success. Only a non-blocking
// pipe can temporarily refuse a text; in that case, a stream waits for the pipe.
function writeAtOnce(fd: number, text: string, writeLater: (rest: Buffer) => void): void {
  const bytes = Buffer.from(text);
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(fd, bytes, at);
  } catch (error) {
    const fault = error as NodeJS.ErrnoException;
    if (fault.code === 'EAGAIN') writeLater(bytes.subarray(at));
    else ended.set(fd, fault);
  }
}

// Whether the process has a terminal. Programs in a separate process group cannot ask a person for
// the password of a key.
function hasTerminal(): boolean {
  if (process.platform === 'win32') return true;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/**
 * How often to check whether the terminal still exists, in milliseconds. When the shell exits, its
 * background processes get no signal.
 */
const TERMINAL_EVERY = 1000;

// Calls `handler` once the terminal no longer exists. It only checks whether the terminal can be
// opened, because reading from it would stop a background process.
function whenTerminalGone(handler: () => void): () => void {
  process.on('SIGHUP', handler);
  const timer = process.stdin.isTTY
    ? setInterval(() => {
        if (!hasTerminal()) handler();
      }, TERMINAL_EVERY).unref()
    : undefined;
  return () => {
    process.off('SIGHUP', handler);
    clearInterval(timer);
  };
}

/** How long a group may take to end by itself, and how often this is checked, in milliseconds. */
const GROUP_ENDS_IN = 2000;
const GROUP_LOOKS_EVERY = 20;

async function endGroup(leader: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const since = performance.now();
    // Signal 0 only checks whether a process of the group still exists.
    for (let left = signalGroup(leader, signal); left; left = signalGroup(leader, 0)) {
      if (performance.now() - since > GROUP_ENDS_IN) break;
      await sleep(GROUP_LOOKS_EVERY);
    }
  }
}

/** Sends a signal to a group of processes; false if all of them have ended. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

const endRunning = (): void => endPrograms(leader => signalGroup(leader, 'SIGKILL'));

// The default action of these signals ends this process, but not the processes that it started.
function endAllOn(signal: NodeJS.Signals): void {
  const ends = (): void => {
    if (process.listenerCount(signal) > 1) return;
    endRunning();
    process.off(signal, ends);
    process.kill(process.pid, signal);
  };
  process.on(signal, ends);
}

process.on('exit', endRunning);
for (const signal of INTERRUPTS) endAllOn(signal);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// Makes changes of the terminal mode ignore a missing terminal. Otherwise, if the terminal closed
// during a prompt, restoring its mode would fail and end the process in the middle of its run.
function acceptGoneTerminal(): void {
  const { stdin } = process;
  const { setRawMode } = stdin;
  stdin.setRawMode = mode => {
    try {
      return setRawMode.call(stdin, mode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
      return stdin;
    }
  };
}

async function ask(question: string, signal?: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  acceptGoneTerminal();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // A closed terminal gives no answer.
  const closed = new Promise<string>(resolve => terminal.once('close', () => resolve('')));
  try {
    const answer = signal ? terminal.question(question, { signal }) : terminal.question(question);
    return await Promise.race([answer, closed]);
  } catch (error) {
    // Ctrl-C and Ctrl-D end the prompt without an answer.
    if (Object(error).name === 'AbortError') return '';
    throw error;
  } finally {
    terminal.close();
  }
}

void main();

// This is a function because the script of the single executable cannot use top-level await.
async function main(): Promise<void> {
  const { version } = JSON.parse(shippedText('package.json'));
  const { run } = await import('./run.ts');
  const code = await run(process.argv.slice(2), io, version);
  const stdout = opened.get(1);
  if (stdout) await new Promise(written => stdout.write('', written));
  process.exitCode = await exitAfter(code);
}

// A reader that needs no more text, such as `head`, closes the pipe. Any other error means that the
// document is incomplete.
async function exitAfter(code: number): Promise<number> {
  const fault = ended.get(1);
  if (fault === undefined || fault.code === 'EPIPE') return code;
  const { reasonOf } = await import('../read/files/fileText.ts');
  const { EXIT } = await import('./exitCodes.ts');
  const { say } = await import('./io.ts');
  say(io.stderr, `Error: the output is not complete: ${reasonOf(fault)}`);
  return code === EXIT.done || code === EXIT.changes ? EXIT.failed : code;
}
