// Starts a program from this process.
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { EndGroup } from '../environment.ts';
import { type Ended, type Program, ROOT_FOLDER, type Started } from './program.ts';
import { endWithProcess } from './runningPrograms.ts';

/** Starts the program. It ends with this process at the latest. With `endGroup`, it leads a group, which is ended with it. */
export async function startHere(program: Program, endGroup?: EndGroup): Promise<Started> {
  // Loaded here, because most runs start no program.
  const { spawn } = await import('node:child_process');
  const { file, args, env, input } = program;
  const leadsGroup = endGroup !== undefined;
  const child = spawn(file, args, { cwd: ROOT_FOLDER, env, detached: leadsGroup });
  endWithProcess(child, leadsGroup);
  let ending: Promise<void> | void;
  const end = (): void => {
    if (!leadsGroup) child.kill();
    else if (child.pid !== undefined) ending = endGroup(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const ended = endOf(child, program, end).then(async one => {
    await ending;
    return one;
  });
  // A program may end before it has read all input; its exit code gives the reason.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return { ended, end };
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
