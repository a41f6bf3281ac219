// One account in two emulators: loaded into the one of dialect `spec`, and taken from there into that of `netbird`.
import { afterAll, beforeAll } from 'vitest';
import { type Emulated, standing } from '../emulated.ts';
import { accessible, loadAnswers } from './loading.ts';

type Lists = Readonly<Record<string, readonly string[]>>;

export interface Accessible {
  readonly spec: Lists;
  readonly netbird: Lists;
}

/** What changes a snapshot before it is taken over. */
export type Change = (snapshot: string) => string;

/**
 * Starts both emulators for the tests of a file. `accessible` lists the accessible peers of an account in each of them.
 * Policies of several rules get into `netbird` this way; its own API keeps only one.
 */
export function bothDialects() {
  const started: Awaited<ReturnType<typeof standing>>[] = [];
  const at = (place: number): Emulated => {
    const one = started[place];
    if (one === undefined) throw new Error('the emulators start before the tests');
    return one.api;
  };
  beforeAll(async () => {
    started.push(await standing(), await standing({ dialect: 'netbird' }));
  });
  afterAll(async () => {
    for (const { end } of started) await end();
  });
  const listed = async (account: unknown, change: Change = text => text): Promise<Accessible> => {
    const spec = at(0);
    const netbird = at(1);
    await loadAnswers(spec, account);
    const taken = change(JSON.stringify(await spec.control('GET', '/emulator/snapshot')));
    for (const api of [spec, netbird]) await api.control('PUT', '/emulator/snapshot', taken);
    const lists = await accessible(spec, account);
    return { spec: lists, netbird: await accessible(netbird, account) };
  };
  return { accessible: listed, spec: () => at(0) };
}

/** Lists as `a: b c, b: a`; peers without accessible peers are left out. */
export function written(lists: Lists): string {
  return Object.entries(lists)
    .filter(([, peers]) => peers.length > 0)
    .map(([peer, peers]) => `${peer}: ${peers.join(' ')}`)
    .toSorted()
    .join(', ');
}
