// States of a fleet that several tests begin with: each is made once, and then put back as often as needed. What leads to it, such as
// the plans of all accounts, takes most of the time of these tests.
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Json } from '../../../src/model/value.ts';
import { type FleetOptions, type OpenFleet, openFleet, type TestFleet } from './fleetFolder.ts';

/** A state of a fleet. */
interface FleetState {
  /** Uses the fleet in this state, whatever was done with it before. The log of its requests goes on. */
  readonly use: <T>(use: (fleet: TestFleet) => Promise<T>) => Promise<T>;
  /** The state after a step. */
  readonly after: (step: (fleet: TestFleet) => Promise<unknown>) => FleetState;
}

/** A fleet of the tests of a file, in the state in which it begins. It is opened once a test uses it. */
export function fleetState(options: FleetOptions): FleetState {
  let opened: Promise<OpenFleet> | undefined;
  const open = async (): Promise<TestFleet> => {
    opened ??= openFleet(options);
    return (await opened).fleet;
  };
  afterAll(async () => {
    const { fleet, close } = (await opened) ?? {};
    await close?.();
    if (fleet) await rm(keptIn(fleet), { recursive: true, force: true });
  });
  return stateOf(open, async () => keep(await open()));
}

/** What is put back: the folder with a copy of all files, and the state of the server. */
interface Kept {
  readonly files: string;
  readonly server: Json;
}

function stateOf(open: () => Promise<TestFleet>, make: () => Promise<Kept>): FleetState {
  let made: Promise<Kept> | undefined;
  const begin = async (): Promise<TestFleet> => {
    made ??= make();
    const kept = await made;
    const fleet = await open();
    await putBack(fleet, kept);
    return fleet;
  };
  return {
    use: async use => use(await begin()),
    after: step =>
      stateOf(open, async () => {
        const fleet = await begin();
        await step(fleet);
        return keep(fleet);
      }),
  };
}

const keptIn = ({ home }: TestFleet): string => `${home}.kept`;

async function keep(fleet: TestFleet): Promise<Kept> {
  const all = keptIn(fleet);
  await mkdir(all, { recursive: true });
  const files = join(all, String((await readdir(all)).length));
  await cp(fleet.home, files, { recursive: true, verbatimSymlinks: true });
  return { files, server: await fleet.msp.control(undefined, 'GET', '/emulator/snapshot') };
}

async function putBack({ home, msp }: TestFleet, { files, server }: Kept): Promise<void> {
  await rm(home, { recursive: true, force: true });
  await cp(files, home, { recursive: true, verbatimSymlinks: true });
  await msp.mend();
  await msp.control(undefined, 'PUT', '/emulator/snapshot', server);
}
