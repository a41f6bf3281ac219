// A machine that carries out a part of a rollout: the program, on which time passes faster, so that leases of the dead are soon over.
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import { KnownSecrets } from '../../src/model/secrets/knownSecrets.ts';
import { fastTime } from './fastTime.ts';

const { now, monotonic, real } = fastTime(Number(process.env.FAST_SINCE));

const io: Io = {
  stdout: { write: text => void process.stdout.write(text), isTerminal: false },
  stderr: { write: text => void process.stderr.write(text), isTerminal: false },
  stdin: () => Promise.resolve(''),
  secrets: new KnownSecrets(),
  env: process.env,
  cwd: process.cwd(),
  self: { pid: process.pid, host: hostname(), isAlive: () => true },
  now,
  monotonic,
  random: Math.random,
  sleep: async milliseconds => void (await sleep(real(milliseconds))),
  every: (milliseconds, tick) => {
    const timer = setInterval(tick, real(milliseconds)).unref();
    return () => clearInterval(timer);
  },
  ask: null,
  onInterrupt: () => () => {},
  abort: code => process.exit(code),
};

process.exitCode = await run(process.argv.slice(2), io, '0.0.0-test');
