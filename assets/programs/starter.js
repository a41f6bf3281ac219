// @ts-check
// A small process that starts programs for meshform (src/read/programs/starter.ts). It ends with meshform, and so do all programs
// that it has started.
import { spawn } from 'node:child_process';

/**
 * @typedef {{ file: string, args: string[], env: Record<string, string>, input: string | Uint8Array, largestOutput: number }} Program
 * @typedef {import('node:child_process').ChildProcessWithoutNullStreams} Child
 */

/**
 * The programs that have not ended, by the number of the request.
 * @type {Map<number, { child: Child, leadsGroup: boolean }>}
 */
const running = new Map();

process.on('message', message => {
  const request =
    /** @type {{ id: number, program?: Program, leadsGroup?: boolean, end?: true, stopReading?: true }} */ (
      message
    );
  const { id, program, leadsGroup = false } = request;
  if (program) start(id, program, leadsGroup);
  if (request.end) end(id);
  if (request.stopReading) closeOutputs(id);
});

// A terminal sends these signals to this process too, but meshform decides which programs end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

// meshform has ended, in whatever way. Not by SIGKILL: git removes its lock files first.
process.on('disconnect', () => {
  for (const id of running.keys()) end(id);
});

/** @param {number} id @param {Program} program @param {boolean} leadsGroup */
function start(id, { file, args, env, input, largestOutput }, leadsGroup) {
  const child = spawn(file, args, { env, detached: leadsGroup });
  running.set(id, { child, leadsGroup });
  let isTooLarge = false;
  /** @param {import('node:stream').Readable} stream */
  const collected = stream => {
    /** @type {Uint8Array[]} */
    const chunks = [];
    let size = 0;
    stream.on('data', chunk => {
      size += chunk.length;
      if (size <= largestOutput) chunks.push(chunk);
      else if (!isTooLarge) {
        isTooLarge = true;
        end(id);
        closeOutputs(id);
      }
    });
    return chunks;
  };
  const stdout = collected(child.stdout);
  const stderr = collected(child.stderr);
  /** @param {object} outcome */
  const finish = outcome => {
    if (running.delete(id)) send({ id, ...outcome });
  };
  child.on('spawn', () => send({ id, pid: child.pid }));
  child.on('error', error => {
    finish({ error: { code: Object(error).code, message: error.message } });
  });
  child.on('close', code => {
    const ended = {
      code,
      stdout: Buffer.concat(stdout),
      stderr: Buffer.concat(stderr),
      isTooLarge,
    };
    finish({ ended });
  });
  // A program may end before it has read all input; its exit code gives the reason.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
}

/** @param {number} id */
function end(id) {
  const one = running.get(id);
  if (one === undefined) return;
  const { child, leadsGroup } = one;
  try {
    if (leadsGroup && child.pid !== undefined) process.kill(-child.pid);
    else child.kill();
  } catch {
    // All processes of the group have ended.
  }
}

/** @param {number} id */
function closeOutputs(id) {
  const child = running.get(id)?.child;
  child?.stdout.destroy();
  child?.stderr.destroy();
}

/** @param {object} message */
function send(message) {
  if (process.connected) process.send?.(message);
}
