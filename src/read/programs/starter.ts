// The starter: a small process that starts programs for this one. When a process starts a program, the system copies the list of
// all its pages. With 300 MB in use, this takes ten times as long as it takes the starter: a fleet of 500 accounts starts git
// thousands of times.
import type { ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { fileURLToPath } from 'node:url';
import { shippedFile } from '../../shipped.ts';
import type { EndGroup } from '../environment.ts';
import { type Ended, type Program, ROOT_FOLDER, type Started } from './program.ts';

/** The script of the starter. The executable has no files, so it starts all programs itself. */
const script = (): URL | null => shippedFile('assets/programs/starter.js');

/**
 * The diagnostics channel of the programs that the starter is asked for. Node has such a channel, `child_process`, for the programs
 * of this process.
 */
export const ASKED_PROGRAMS = 'meshform:program';

const asked = channel(ASKED_PROGRAMS);

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
  readonly child: ChildProcess;
  /** The programs that have not ended, by the number of the request. */
  readonly requests: Map<number, Request>;
}

let current: Promise<Starter | null> | undefined;
let lastId = 0;

/**
 * Starts the program by the starter. Returns null if there is no starter; then the program has not been started. With `endGroup`,
 * the program leads a group, which is ended with it. The program ends with this process at the latest.
 */
export async function startByStarter(
  program: Program,
  endGroup?: EndGroup,
): Promise<Started | null> {
  current ??= newStarter();
  const starter = await current;
  if (starter === null || !starter.child.connected) return null;
  lastId += 1;
  const id = lastId;
  const { requests, child } = starter;
  const send = (message: object): void => {
    if (child.connected) child.send({ id, ...message });
  };
  let ending: Promise<void> | void;
  const ended = new Promise<Ended>((resolve, reject) => {
    requests.set(id, { pid: undefined, resolve, reject });
  }).then(async one => {
    await ending;
    return one;
  });
  const end = (): void => {
    const leader = requests.get(id)?.pid;
    if (endGroup === undefined || leader === undefined) send({ end: true });
    else ending = endGroup(leader);
    send({ stopReading: true });
    giveUpUnless(ended, starter);
  };
  asked.publish(program);
  keepWaiting(starter);
  send({ program, leadsGroup: endGroup !== undefined });
  return { ended, end };
}

/** How long the starter may take to report the end of a program, in milliseconds. */
const REPORTS_WITHIN = 5000;

// Kills a starter that does not report the end of a program, such as one that somebody has stopped: the limits of a run hold
// without it.
function giveUpUnless(ended: Promise<unknown>, { child }: Starter): void {
  const timer = setTimeout(() => child.kill('SIGKILL'), REPORTS_WITHIN);
  const clear = (): void => clearTimeout(timer);
  ended.then(clear, clear);
}

async function newStarter(): Promise<Starter | null> {
  const file = script();
  if (file === null) return null;
  const { fork } = await import('node:child_process');
  const child = fork(fileURLToPath(file), [], {
    // Each program gets its own variables. The starter needs none, so it has no secret that could leak.
    env: {},
    cwd: ROOT_FOLDER,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const starter: Starter = { child, requests: new Map() };
  child.on('message', message => receive(starter, message as Message));
  // Later programs are started from this process.
  child.on('error', () => giveUp(starter));
  child.on('exit', () => giveUp(starter));
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

/** This process may end while the starter runs, but not while a program does. */
function keepWaiting({ child, requests }: Starter): void {
  if (requests.size > 0) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function giveUp(starter: Starter): void {
  const reason = 'the process that starts programs was ended from outside';
  for (const { reject } of starter.requests.values()) reject(new Error(reason));
  starter.requests.clear();
}
