// Processes as machines with a clone and a home each, which share a Git remote, and a clock that goes on only when all of them wait.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { chmod, cp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { git } from '../support/git.ts';
import type { Errand, Report } from './lockErrand.ts';

const HOLDER = fileURLToPath(new URL('lockHolder.ts', import.meta.url));

/** Settings that save time. */
const UNSAFE = [
  ['core.fsync', 'none'],
  ['gc.auto', '0'],
  ['receive.autogc', 'false'],
  ['maintenance.auto', 'false'],
] as const;

/** A report, and the run that it is of. */
export interface Told extends Report {
  readonly run: string;
}

interface Machine {
  readonly name: string;
  child: ChildProcess;
  state: 'running' | 'asleep' | 'idle' | 'stopped' | 'dead';
  until: number;
  run: string;
  /** Lets it go on, again and again until it reports something. */
  waking?: NodeJS.Timeout | undefined;
}

/** The machines of a test. */
export class LockFleet {
  readonly remote: string;
  readonly #folder: string;
  readonly #clock: number;
  #now = Date.parse('2026-01-02T03:04:05Z');
  readonly #machines: Machine[] = [];
  #told: Told[] = [];
  #onTold: (told: Told) => void = () => {};
  #onChange = (): void => {};
  #events: { readonly at: number; readonly happen: () => Promise<void> | void }[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.remote = join(folder, 'remote.git');
    this.#clock = openSync(join(folder, 'clock'), 'w');
    const none = ['-c', 'init.templateDir=', 'init', '--quiet', '--initial-branch=main'];
    git(folder, ...none, '--bare', this.remote);
    mkdirSync(join(this.remote, 'hooks'));
    // Nothing here has to outlive the test, and nothing is to be packed in the middle of a round.
    for (const [key, value] of UNSAFE) git(this.remote, 'config', key, value);
    const seed = join(folder, 'seed');
    git(folder, 'init', '--quiet', '--initial-branch=main', seed);
    git(seed, 'commit', '--quiet', '--allow-empty', '--message=files');
    git(seed, 'push', '--quiet', this.remote, 'main');
    cpSync(this.remote, `${this.remote}.new`, { recursive: true });
    this.#pass(this.#now);
  }

  get now(): number {
    return this.#now;
  }

  /** Starts so many machines. */
  async start(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const name = `machine-${n}`;
      this.clone(name);
      const machine: Machine = {
        name,
        child: this.#fork(name),
        state: 'running',
        until: 0,
        run: '',
      };
      this.#machines.push(machine);
      this.#listen(machine);
    }
    await this.#quiet();
  }

  /** A new clone; resolves to its folder. */
  clone(name: string): string {
    const configured = UNSAFE.flatMap(([key, value]) => ['--config', `${key}=${value}`]);
    const path = join(this.#folder, name);
    git(
      this.#folder,
      'clone',
      '--quiet',
      '--template=',
      ...configured,
      `file://${this.remote}`,
      path,
    );
    return path;
  }

  /** Something that happens so many milliseconds from now. */
  later(milliseconds: number, happen: () => Promise<void> | void): void {
    this.#events.push({ at: this.#now + milliseconds, happen });
  }

  /** Sends each machine on an errand, and resolves to what they reported once all have ended. `onTold` is called with each report at once. */
  async send(errands: readonly Errand[], onTold: (told: Told) => void): Promise<readonly Told[]> {
    this.#told = [];
    this.#onTold = onTold;
    this.#machines.forEach((machine, i) => {
      const errand = errands[i];
      if (errand === undefined) return;
      machine.run = errand.id;
      machine.state = 'running';
      machine.child.send(errand);
    });
    while (!(await this.#isOver())) await this.#passTime();
    for (const machine of this.#machines)
      if (machine.state === 'dead') await this.#replace(machine);
    await this.#quiet();
    return this.#told;
  }

  /** Stops the machine of a run, and lets it go on after so many milliseconds. */
  stop(run: string, milliseconds: number): boolean {
    const machine = this.#machineOf(run);
    if (machine?.state !== 'running' && machine?.state !== 'asleep') return false;
    clearInterval(machine.waking);
    machine.child.kill('SIGSTOP');
    this.#isStopped(machine, milliseconds);
    return true;
  }

  /** Kills the machine of a run. */
  kill(run: string): boolean {
    const machine = this.#machineOf(run);
    if (machine?.state !== 'running' && machine?.state !== 'asleep') return false;
    machine.child.kill('SIGKILL');
    machine.state = 'dead';
    this.#onChange();
    return true;
  }

  /** A machine that has stopped by itself goes on after so many milliseconds. */
  continues(run: string, milliseconds: number): void {
    const machine = this.#machineOf(run);
    // What it has reported may be read only after it was killed.
    if (machine && machine.state !== 'dead') this.#isStopped(machine, milliseconds);
  }

  /** No machine reaches the remote any more, for so many milliseconds. */
  async cutOff(milliseconds: number): Promise<void> {
    await rename(this.remote, `${this.remote}.away`);
    this.later(milliseconds, () => rename(`${this.remote}.away`, this.remote));
  }

  /** The connection of the next push ends after the refs were moved, before the remote has said so. */
  async loseAnAnswer(): Promise<void> {
    const hook = join(this.remote, 'hooks/reference-transaction');
    const lines = ['#!/bin/sh', '[ "$1" = committed ] || exit 0', 'rm -f "$0"', 'kill -9 $PPID'];
    await writeFile(`${hook}.new`, `${lines.join('\n')}\n`).catch(() => {});
    await chmod(`${hook}.new`, 0o755).catch(() => {});
    await rename(`${hook}.new`, hook).catch(() => {});
  }

  /** Removes what a round has left: objects that nothing refers to make all commands of git slower. */
  async tidy(): Promise<void> {
    await rm(this.remote, { recursive: true });
    await cp(`${this.remote}.new`, this.remote, { recursive: true });
    for (const { name } of this.#machines)
      await rm(join(this.#folder, `${name}-state`, 'git'), { recursive: true, force: true });
  }

  close(): void {
    for (const { child, waking } of this.#machines) {
      clearInterval(waking);
      child.kill('SIGKILL');
    }
    closeSync(this.#clock);
  }

  #isStopped(machine: Machine, milliseconds: number): void {
    machine.state = 'stopped';
    const { child } = machine;
    this.later(milliseconds, () => {
      child.kill('SIGCONT');
      // It may have been about to end itself.
      if (machine.state === 'dead') return;
      machine.state = 'running';
      child.send('wake');
      // It reports that it stops before it does, so it may have received the signal too early.
      machine.waking = setInterval(() => child.kill('SIGCONT'), 50);
    });
    this.#onChange();
  }

  #machineOf(run: string): Machine | undefined {
    return this.#machines.find(one => one.run === run);
  }

  #fork(name: string): ChildProcess {
    const state = join(this.#folder, `${name}-state`);
    return fork(HOLDER, [join(this.#folder, name), state, join(this.#folder, 'clock')], {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'ipc'],
      // Its commands of git can be waited for, when it is dead.
      detached: true,
      // What a machine loads was compiled by the first one.
      env: {
        PATH: process.env.PATH,
        HOME: state,
        NODE_COMPILE_CACHE: join(this.#folder, 'compiled'),
      },
    });
  }

  #listen(machine: Machine): void {
    const reports = createInterface({ input: machine.child.stdio[3] as Readable });
    reports.on('line', line => this.#hear(machine, JSON.parse(line)));
  }

  #hear(machine: Machine, report: Report): void {
    clearInterval(machine.waking);
    if (report.is === 'asleep' || report.is === 'idle') {
      if (machine.state === 'stopped' || machine.state === 'dead') return;
      machine.state = report.is;
      machine.until = report.until ?? 0;
      this.#onChange();
      return;
    }
    const told = { ...report, run: machine.run };
    this.#told.push(told);
    if (report.is === 'dying') machine.state = 'dead';
    this.#onTold(told);
    this.#onChange();
  }

  // Resolves once no machine has anything left to do.
  #quiet(): Promise<void> {
    return new Promise(resolve => {
      this.#onChange = () => {
        if (this.#machines.every(({ state }) => state !== 'running')) resolve();
      };
      this.#onChange();
    });
  }

  async #isOver(): Promise<boolean> {
    await this.#quiet();
    const isOver = this.#machines.every(({ state }) => state === 'idle' || state === 'dead');
    return isOver && this.#events.length === 0;
  }

  async #passTime(): Promise<void> {
    const waiting = this.#machines.filter(({ state }) => state === 'asleep');
    const times = [...waiting.map(({ until }) => until), ...this.#events.map(({ at }) => at)];
    this.#pass(Math.max(this.#now, Math.min(...times)));
    const due = this.#events.filter(({ at }) => at <= this.#now);
    this.#events = this.#events.filter(one => !due.includes(one));
    for (const { happen } of due) await happen();
    for (const machine of waiting)
      if (machine.until <= this.#now && machine.state === 'asleep') {
        machine.state = 'running';
        machine.child.send('wake');
      }
  }

  #pass(time: number): void {
    this.#now = time;
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(time);
    writeSync(this.#clock, bytes, 0, 8, 0);
  }

  // A dead machine may have a push under way.
  async #replace(machine: Machine): Promise<void> {
    const { child, name } = machine;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    while (isGroupAlive(child.pid)) await new Promise(resolve => setTimeout(resolve, 5));
    machine.run = '';
    machine.state = 'running';
    machine.child = this.#fork(name);
    this.#listen(machine);
  }
}

function isGroupAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 0);
  } catch {
    return false;
  }
}
