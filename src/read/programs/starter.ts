// The starter: a small process that starts programs for this one. When a process starts a program, the system copies the list of
// all its pages. With 300 MB in use, this takes ten times as long as it takes the starter: a fleet of 500 accounts starts git
// thousands of times.
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { shippedFile } from '../../shipped.ts';
import type { Ended, Program, Started } from './program.ts';

/** The script of the starter. The executable has no files, so it starts all programs itself. */
const script = (): URL | null => shippedFile('assets/programs/starter.js');

/** What the starter sends about a request. */
type Message = { readonly id: number } & (
  | { readonly pid: number }
  | { readonly ended: Ended }
  | { readonly error: { readonly code: string; readonly message: string } }
);

interface Request {
  pid: number | undefined;
  readonly resolve: (ended: Ended) => void;
  readonly reject: (error: Error) => void;
}

interface Starter {
  readonly process: ChildProcess;
  /** The programs that have not ended, by the number of the request. */
  readonly requests: Map<number, Request>;
}

let current: Promise<Starter | null> | undefined;
let lastId = 0;

/** Starts the program by the starter. Null if there is none; then the program has not been started. */
export async function startByStarter(program: Program): Promise<Started | null> {
  current ??= newStarter();
  const starter = await current;
  if (starter === null || !starter.process.connected) return null;
  lastId += 1;
  const id = lastId;
  const { requests, process: small } = starter;
  const ended = new Promise<Ended>((resolve, reject) => {
    requests.set(id, { pid: undefined, resolve, reject });
  });
  const send = (message: object): void => {
    if (small.connected) small.send({ id, ...message });
  };
  keepWaiting(starter);
  send({ program, cwd: workingFolder() });
  return {
    ended,
    pid: () => requests.get(id)?.pid,
    terminate: () => send({ terminate: true }),
    stopReading: () => send({ stopReading: true }),
  };
}

async function newStarter(): Promise<Starter | null> {
  const file = script();
  if (file === null) return null;
  const { fork } = await import('node:child_process');
  const small = fork(fileURLToPath(file), [], {
    // Each program gets its own variables. The starter needs none, so it has no secret that could leak.
    env: {},
    // It must not keep a folder in use.
    cwd: '/',
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const starter: Starter = { process: small, requests: new Map() };
  small.on('message', message => receive(starter, message as Message));
  // Later programs are started from this process.
  small.on('error', () => giveUp(starter));
  small.on('exit', () => giveUp(starter));
  return starter;
}

function receive(starter: Starter, message: Message): void {
  const request = starter.requests.get(message.id);
  if (request === undefined) return;
  if ('pid' in message) {
    request.pid = message.pid;
    return;
  }
  starter.requests.delete(message.id);
  keepWaiting(starter);
  if ('ended' in message) request.resolve(message.ended);
  else request.reject(Object.assign(new Error(message.error.message), message.error));
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    // Somebody has deleted the folder.
    return '/';
  }
}

/** This process may end while the starter runs, but not while a program does. */
function keepWaiting({ process: small, requests }: Starter): void {
  if (requests.size > 0) {
    small.ref();
    small.channel?.ref();
  } else {
    small.unref();
    small.channel?.unref();
  }
}

function giveUp(starter: Starter): void {
  const reason = 'the process that starts programs was ended from outside';
  for (const { reject } of starter.requests.values()) reject(new Error(reason));
  starter.requests.clear();
}
