// Tracks the programs that this process has started and that have not ended yet, so that none outlives the process. For example,
// a push that continued after the end of its run would move refs that nobody watches any more.

/** A program that was started. */
interface StartedProgram {
  readonly pid?: number | undefined;
  readonly kill: (signal: 'SIGKILL') => boolean;
  readonly once: (event: 'close' | 'error', listener: () => void) => unknown;
}

/** The running programs, each with whether it leads a group of processes. */
const running = new Map<StartedProgram, boolean>();

/** Lets this program end with the process, if it has not ended before; with its whole group if it leads one. */
export function endWithProcess(program: StartedProgram, leadsGroup = false): void {
  running.set(program, leadsGroup);
  const over = (): void => {
    running.delete(program);
  };
  program.once('close', over);
  program.once('error', over);
}

/** Ends all running programs at once. `endGroup` ends a group of processes by its leader. */
export function endPrograms(endGroup: (leader: number) => void): void {
  for (const [program, leadsGroup] of running) {
    if (leadsGroup && program.pid !== undefined) endGroup(program.pid);
    else program.kill('SIGKILL');
  }
  running.clear();
}
