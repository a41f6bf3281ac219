// What this process itself does while something runs in it: the programs that it starts, and whom it connects to.
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Program } from '../../../src/read/programs/program.ts';
import { ASKED_PROGRAMS } from '../../../src/read/programs/starter.ts';

export interface Observed {
  /** The programs, each with its arguments. */
  readonly programs: readonly (readonly string[])[];
  /** `127.0.0.1:80`, or the path of a socket. */
  readonly connections: readonly string[];
}

type Connect = typeof Socket.prototype.connect;

/** Watches from now on; the answer ends it. */
export function watch(): () => Observed {
  const started: ChildProcess[] = [];
  const connections: string[] = [];
  const note = (message: unknown) => {
    started.push((message as { readonly process: ChildProcess }).process);
  };
  const { connect } = Socket.prototype;
  // Every connection is made with it, also one that is encrypted.
  Socket.prototype.connect = function noted(this: Socket, ...args: Parameters<Connect>) {
    connections.push(placeOf(args));
    return connect.apply(this, args);
  } as Connect;
  const asked: (readonly string[])[] = [];
  const noteAsked = (program: unknown) => {
    const { file, args } = program as Program;
    asked.push([file, ...args]);
  };
  subscribe('child_process', note);
  subscribe(ASKED_PROGRAMS, noteAsked);
  return () => {
    unsubscribe('child_process', note);
    unsubscribe(ASKED_PROGRAMS, noteAsked);
    Socket.prototype.connect = connect;
    // Only now they have their names: the notice comes before the start.
    const programs = started.map(({ spawnargs = [] }) => spawnargs).filter(isNoStarter);
    return { programs: [...programs, ...asked], connections };
  };
}

const STARTER = fileURLToPath(new URL('../../../assets/programs/starter.js', import.meta.url));

const isNoStarter = (args: readonly string[]): boolean => !args.includes(STARTER);

interface Place {
  readonly path?: string;
  readonly host?: string;
  readonly port?: number | string;
}

// Node hands the arguments of a call on as a list.
function placeOf([first, second]: readonly unknown[]): string {
  const given: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof given === 'object' && given !== null) {
    const { path, host = 'localhost', port } = given as Place;
    return path ?? `${host}:${port}`;
  }
  return typeof given === 'number' ? `${String(second)}:${given}` : String(given);
}
