// A folder whose files have been applied to an account that a test then changes by hand.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

export const FILES = `
groups:
  - name: engineers
  - name: databases
posture_checks:
  - { name: recent agent, description: as agreed, checks: { nb_version_check: { min_version: 1.2.0 } } }
policies:
  - name: engineers reach databases
    description: ours
    rules: [{ name: sql, sources: [engineers], destinations: [databases], protocol: tcp, ports: ["5432"] }]
`;

export interface Scene {
  readonly account: TestAccount;
  /** The folder. */
  readonly cwd: string;
  /** Runs a command in the folder, at the given time, if there is one. */
  readonly run: (...argv: string[]) => Promise<Ended>;
  readonly write: (name: string, text: string) => Promise<void>;
  /** Changes the object of this name in the list at `path`, as somebody would by hand. */
  readonly byHand: (path: string, name: string, change: JsonObject) => Promise<void>;
  readonly delete: (path: string, name: string) => Promise<void>;
}

// A policy shows the groups of its rules as objects, and takes their ids.
function asWritten(value: Json): Json {
  if (isList(value)) return value.map(asWritten);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]): [string, Json] => {
    const isEnd = (name === 'sources' || name === 'destinations') && isList(item);
    return [
      name,
      isEnd ? item.map(group => (isObject(group) ? (group.id ?? null) : group)) : asWritten(item),
    ];
  });
  return Object.fromEntries(entries);
}

/** A folder whose files have been applied to an account of their own. */
export function applied(use: (scene: Scene) => Promise<void>): Promise<void> {
  return inFolder(async cwd => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const named = async (path: string, name: string) => {
      const list = (await account.call('GET', path)) as (JsonObject & { id: string })[];
      return list.find(object => object.name === name) ?? { id: 'none' };
    };
    const scene: Scene = {
      account,
      cwd,
      run: (...argv) =>
        meshform(argv, { env: environmentOf(account), cwd, now: Date.parse('2026-06-15T10:00Z') }),
      write: (name, text) => writeFile(join(cwd, name), text),
      byHand: async (path, name, change) => {
        const object: JsonObject & { id: string } = await named(path, name);
        const body = asWritten({ ...object, ...change });
        await account.call('PUT', `${path}/${object.id}`, body);
      },
      delete: async (path, name) => {
        await account.call('DELETE', `${path}/${(await named(path, name)).id}`);
      },
    };
    await scene.write('network.yaml', FILES);
    expect((await scene.run('apply', '--yes')).code).toBe(0);
    await use(scene);
  });
}

export const lastLine = ({ stdout }: Ended) => stdout.trimEnd().split('\n').at(-1);
