// Starts a program from this process.
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Ended, Program, Started } from './program.ts';
import { endWithProcess } from './runningPrograms.ts';

/** Starts the program. It ends with this process at the latest. */
export async function startHere(program: Program): Promise<Started> {
  // Loaded here, because most runs start no program.
  const { spawn } = await import('node:child_process');
  const { file, args, env, input, leadsGroup } = program;
  const child = spawn(file, args, { env, detached: leadsGroup });
  endWithProcess(child, leadsGroup);
  const stopReading = (): void => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const terminate = (): void => {
    if (leadsGroup && child.pid !== undefined) terminateGroup(child.pid);
    else child.kill();
  };
  const ended = endOf(child, program, () => {
    terminate();
    stopReading();
  });
  // A program may end before it has read all input; its exit code gives the reason.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return { ended, pid: () => child.pid, terminate, stopReading };
}

function endOf(
  child: ChildProcess & { readonly stdout: Readable; readonly stderr: Readable },
  { largestOutput }: Program,
  onTooLarge: () => void,
): Promise<Ended> {
  let isTooLarge = false;
  const collected = (stream: Readable): Uint8Array[] => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    stream.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size <= largestOutput) chunks.push(chunk);
      else if (!isTooLarge) {
        isTooLarge = true;
        onTooLarge();
      }
    });
    return chunks;
  };
  const stdout = collected(child.stdout);
  const stderr = collected(child.stderr);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      resolve({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), isTooLarge });
    });
  });
}

function terminateGroup(leader: number): void {
  try {
    process.kill(-leader);
  } catch {
    // All processes of the group have ended.
  }
}
